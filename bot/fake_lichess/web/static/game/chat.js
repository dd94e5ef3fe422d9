// The chat of the players.

import { get, post } from "../common/api.js";
import { element } from "/board/dom.js";

const byId = (id) => document.getElementById(id);

export class Chat {
  constructor(gameId) {
    this.gameId = gameId;
    this.count = 0; // lines of the players' room that are shown
    byId("say").addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = byId("text").value.trim();
      if (!text) return;
      byId("text").value = "";
      try {
        await post(`/api/board/game/${gameId}/chat`, { room: "player", text });
      } catch (error) {
        this.note(error.message);
      }
    });
  }

  /** Show what was said while no stream was open. */
  async catchUp() {
    const lines = await get(`/api/board/game/${this.gameId}/chat`);
    for (const { user, text } of lines.slice(this.count)) this.onLine({ username: user, text, room: "player" });
  }

  /** Show a chat line. */
  onLine({ username, text, room }) {
    if (room === "player") this.count += 1;
    const where = room === "spectator" ? " (to spectators)" : "";
    this.add(element("li", {}, element("b", {}, `${username}${where}`), text));
  }

  /** A note that the page adds itself. */
  note(text) {
    this.add(element("li", { className: "note" }, text));
  }

  add(item) {
    const list = byId("lines");
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }
}
