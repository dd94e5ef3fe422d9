// Keeps the page current: the server reports a change, and only what differs is replaced. Clocks run in between, and
// the operator's forms are sent without leaving the page.

import { clockText } from "/board/clock_text.js";
import { morph } from "./morph.js";

const offline = document.getElementById("offline");
let loading = false;
let again = false;
let shownAt = 0;

async function renew() {
  if (loading) {
    again = true;
    return;
  }
  loading = true;
  try {
    do {
      again = false;
      const answer = await fetch(location.href, { cache: "no-store" });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      show(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } while (again);
    offline.hidden = true;
  } catch {
    offline.hidden = false; // the browser reopens the event stream, which then reports a change
  } finally {
    loading = false;
  }
}

function show(fresh) {
  const main = fresh.querySelector("main");
  document.title = fresh.title;
  morph(document.querySelector("main"), main);
  startClocks(Number(main.dataset.age));
}

/** Let the clocks run; the figures on the page are `ageMs` old. */
function startClocks(ageMs) {
  shownAt = performance.now() - ageMs;
  tick();
}

function tick() {
  for (const clock of document.querySelectorAll("time[data-running]")) {
    const text = clockText(Number(clock.dataset.ms) - (performance.now() - shownAt));
    if (clock.textContent !== text) clock.textContent = text;
  }
}

async function send(event) {
  const form = event.target;
  if (!form.hasAttribute("data-command")) return;
  event.preventDefault();
  const said = document.getElementById("said");
  const button = form.querySelector("button");
  button.setAttribute("aria-disabled", "true");
  said.textContent = "…";
  try {
    const answer = await fetch(form.action, {
      method: "POST",
      body: new URLSearchParams(new FormData(form)),
      headers: { Accept: "application/json" },
    });
    const { ok, text } = await answer.json();
    if (answer.status === 401) location.assign("/login");
    said.textContent = text;
    said.classList.toggle("why", !ok);
  } catch (error) {
    said.textContent = `Not sent: ${error.message}`;
    said.classList.add("why");
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

document.addEventListener("submit", send);
startClocks(Number(document.querySelector("main").dataset.age));
setInterval(tick, 100);
const events = new EventSource("/events");
events.addEventListener("change", renew);
events.addEventListener("error", () => {
  offline.hidden = false;
});
addEventListener("pagehide", () => events.close());
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
