// Keeps the page as the bot is: the server says when there is something new, and only what differs is replaced.

import { figuresAreFrom } from "./clocks.js";
import "./commands.js";
import { morph } from "./morph.js";

const offline = document.getElementById("offline");
let loading = false;
let again = false;

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
  figuresAreFrom(Number(main.dataset.age));
}

figuresAreFrom(Number(document.querySelector("main").dataset.age));
const events = new EventSource("/events");
events.addEventListener("change", renew);
events.addEventListener("error", () => {
  offline.hidden = false;
});
addEventListener("pagehide", () => events.close());
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
