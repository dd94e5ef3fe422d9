// The spectators' chat, polled because no stream carries it.

import { ApiError, ask, get, pause } from "../common/api.js";
import { byId, element } from "/board/dom.js";

const EVERY_MS = 1500;

export class SpectatorsChat {
  /** `mayTalk`: whether somebody is signed in. */
  constructor(gameId, mayTalk) {
    this.path = `/web/spectators/${gameId}`;
    this.count = 0;
    byId("chat").ariaLabel = "Spectators' chat";
    byId("say").hidden = !mayTalk;
    byId("text").placeholder = "Talk to the spectators";
    byId("say").addEventListener("submit", (event) => this.say(event));
  }

  async say(event) {
    event.preventDefault();
    const text = byId("text").value.trim();
    if (!text) return;
    byId("text").value = "";
    try {
      await ask(this.path, { text });
      await this.look();
    } catch (error) {
      this.add(element("li", { className: "note" }, error.message));
    }
  }

  async look() {
    const lines = await get(this.path);
    for (const { user, text } of lines.slice(this.count)) this.add(element("li", {}, element("b", {}, user), text));
    this.count = Math.max(this.count, lines.length);
  }

  add(item) {
    byId("lines").append(item);
    byId("lines").scrollTop = byId("lines").scrollHeight;
  }

  /** Look for new lines until the page is left. */
  async follow() {
    for (;;) {
      if (!document.hidden) {
        await this.look().catch((error) => {
          if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
        });
      }
      await pause(EVERY_MS);
    }
  }
}
