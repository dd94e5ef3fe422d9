// The chat of the players.

import { post } from "../common/api.js";
import { element } from "../common/session.js";

const byId = (id) => document.getElementById(id);

export class Chat {
  constructor(gameId) {
    this.count = 0;
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

  /** Show a chat line. */
  onLine({ username, text, room }) {
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
