// What the reader has chosen for this browser: looks, sounds, motion.

const KEY = "preferences";
const DEFAULTS = { coordinates: true, animation: true, sound: true, board: "blue", pieces: "classic" };

function read() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY)) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const preferences = read();

/** Choose something, for now and for later visits; boards and sounds follow at once. */
export function choose(name, value) {
  preferences[name] = value;
  localStorage.setItem(KEY, JSON.stringify(preferences));
  paint();
  dispatchEvent(new CustomEvent("preferences"));
}

/** What the style sheets look at. */
export function paint() {
  const { dataset } = document.documentElement;
  dataset.board = preferences.board;
  dataset.coordinates = preferences.coordinates ? "shown" : "hidden";
}
