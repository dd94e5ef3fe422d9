// The chat of the players.

import { post } from "./api.js";
import { element } from "./session.js";

const at = (id) => document.getElementById(id);

export class Talk {
  constructor(gameId) {
    this.count = 0;
    at("say").addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = at("text").value.trim();
      if (!text) return;
      at("text").value = "";
      try {
        await post(`/api/board/game/${gameId}/chat`, { room: "player", text });
      } catch (error) {
        this.note(error.message);
      }
    });
  }

  /** A line that somebody said. */
  hear({ username, text, room }) {
    const where = room === "spectator" ? " (to spectators)" : "";
    this.add(element("li", {}, element("b", {}, `${username}${where}`), text));
  }

  /** A remark of the page itself. */
  note(text) {
    this.add(element("li", { className: "note" }, text));
  }

  add(item) {
    const list = at("lines");
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }
}
