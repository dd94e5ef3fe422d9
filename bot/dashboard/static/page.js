// Shows the page anew whenever the server says that there is something new; lets the running clocks run in between.
"use strict";

const offline = document.getElementById("offline");
let shownAt = performance.now();

function clockText(leftMs) {
  const seconds = Math.floor(Math.max(0, leftMs) / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

function tick() {
  for (const clock of document.querySelectorAll("time[data-running]")) {
    clock.textContent = clockText(Number(clock.dataset.ms) - (performance.now() - shownAt));
  }
}

async function reload() {
  const answer = await fetch("/", { cache: "no-store" });
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  document.title = fresh.title;
  document.querySelector("main").replaceWith(fresh.querySelector("main"));
  shownAt = performance.now();
}

const events = new EventSource("/events");
events.addEventListener("change", () => {
  offline.hidden = true;
  reload().catch(() => { offline.hidden = false; });
});
events.addEventListener("error", () => { offline.hidden = false; });
setInterval(tick, 500);
