// Steps through a finished game: mouse, keyboard, touch, the chart. What is shown of a position is in its link's data.

import { keepInSight } from "/board/dom.js";

const links = [...document.querySelectorAll("#moves a")];
const chart = document.querySelector("svg.evaluation");
const board = document.querySelector("chess-board");

let at = Math.max(0, links.findIndex((link) => link.hasAttribute("aria-current")));

function show(ply) {
  const wanted = Math.max(0, Math.min(ply, links.length - 1));
  if (wanted === at || !links.length) return;
  links[at].removeAttribute("aria-current");
  at = wanted;
  const link = links[at];
  link.setAttribute("aria-current", "true");
  keepInSight(link.parentElement, link);
  const { board: position, alt, label, score, note, white, black } = link.dataset;
  board.ariaLabel = alt;
  for (const [name, value] of Object.entries(JSON.parse(position))) board.setAttribute(name, value);
  for (const [id, text] of Object.entries({ "now-move": label, "now-score": score, "now-note": note })) {
    document.getElementById(id).textContent = text;
  }
  document.getElementById("clock-white").textContent = white;
  document.getElementById("clock-black").textContent = black;
  const cursor = chart.querySelector(".cursor");
  const x = (at / Number(chart.dataset.plies)) * chart.viewBox.baseVal.width;
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
  history.replaceState(null, "", `?ply=${at}`);
}

const STEPS = { first: () => 0, back: () => at - 1, next: () => at + 1, last: () => links.length - 1 };
for (const [id, target] of Object.entries(STEPS)) {
  document.getElementById(id).addEventListener("click", (event) => {
    event.preventDefault();
    show(target());
  });
}

links.forEach((link, ply) =>
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(ply);
  }),
);

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
addEventListener("keydown", (event) => {
  if (!KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  show(STEPS[KEYS[event.key]]());
});

// The chart: a click or a drag goes to the move below the pointer.
function pointAt(event) {
  const { left, width } = chart.getBoundingClientRect();
  show(Math.round(((event.clientX - left) / width) * Number(chart.dataset.plies)));
}
chart.addEventListener("pointerdown", (event) => {
  chart.setPointerCapture(event.pointerId);
  pointAt(event);
});
chart.addEventListener("pointermove", (event) => {
  if (event.buttons) pointAt(event);
});

// The board by touch: a swipe to the left moves forward, to the right back; so do taps on its halves.
const SWIPE_PX = 24;
let touched = null;
board.addEventListener("pointerdown", (event) => {
  if (event.button === 0) touched = { x: event.clientX, y: event.clientY };
});
board.addEventListener("pointerup", (event) => {
  if (!touched) return;
  const [across, down] = [event.clientX - touched.x, event.clientY - touched.y];
  touched = null;
  if (Math.abs(across) < Math.abs(down)) return;
  if (Math.abs(across) >= SWIPE_PX) {
    show(across < 0 ? at + 1 : at - 1);
    return;
  }
  const { left, width } = board.getBoundingClientRect();
  show(event.clientX > left + width / 2 ? at + 1 : at - 1);
});

if (links.length) keepInSight(links[at].parentElement, links[at]);
