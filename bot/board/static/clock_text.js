// A clock as text, on every page.

const DAY_MS = 86_400_000;
const TENTHS_BELOW_MS = 10_000;

const pad = (number) => String(number).padStart(2, "0");

/** Remaining time as people read it: "1 d 3 h", "1:02:31" or "2:31", below ten seconds with tenths. */
export function clockText(milliseconds) {
  const left = Math.max(0, milliseconds);
  if (left >= DAY_MS) return `${Math.floor(left / DAY_MS)} d ${Math.floor((left % DAY_MS) / 3_600_000)} h`;
  const seconds = Math.floor(left / 1000);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours) return `${hours}:${pad(minutes)}:${pad(seconds % 60)}`;
  const tenths = left < TENTHS_BELOW_MS ? `.${Math.floor((left % 1000) / 100)}` : "";
  return `${minutes}:${pad(seconds % 60)}${tenths}`;
}
