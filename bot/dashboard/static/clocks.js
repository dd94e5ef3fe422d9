// Lets the running clocks run between two looks at the bot.

let shownAt = performance.now();

/** The figures on the page are from `ageMs` ago. */
export function figuresAreFrom(ageMs) {
  shownAt = performance.now() - ageMs;
  tick();
}

export function clockText(leftMs) {
  const seconds = Math.floor(Math.max(0, leftMs) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  for (const clock of document.querySelectorAll("time[data-running]")) {
    const text = clockText(Number(clock.dataset.ms) - (performance.now() - shownAt));
    if (clock.textContent !== text) clock.textContent = text;
  }
}

setInterval(tick, 250);
