// Short sounds, made here from sine waves; silent until the reader has touched the page, and where they are off.

import { preferences } from "/board/preferences.js";

/** Notes: [frequency in Hz, start in s, length in s]. */
const SOUNDS = {
  move: [[330, 0, 0.06]],
  capture: [[330, 0, 0.05], [220, 0.05, 0.08]],
  check: [[520, 0, 0.07], [660, 0.07, 0.09]],
  lowTime: [[880, 0, 0.08], [880, 0.14, 0.08], [880, 0.28, 0.08]],
  start: [[392, 0, 0.09], [523, 0.1, 0.14]],
  end: [[523, 0, 0.12], [392, 0.13, 0.12], [330, 0.26, 0.25]],
  message: [[740, 0, 0.05]],
};
const LOUDNESS = 0.16;
let context = null;

/** Play a sound by its name. */
export function play(name) {
  const touched = navigator.userActivation?.hasBeenActive;
  if (!preferences.sound || !touched) return;
  context ??= new AudioContext();
  for (const [frequency, start, length] of SOUNDS[name]) note(frequency, context.currentTime + start, length);
  document.documentElement.dataset.sound = name; // what was heard last
}

function note(frequency, at, length) {
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.value = frequency;
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(LOUDNESS, at + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + length + 0.02);
}

/** Play what belongs to a position that has just arisen. */
export function playMove({ sans, check }) {
  const san = sans.at(-1) || "";
  play(check ? "check" : san.includes("x") ? "capture" : "move");
}
