// The chat of the players.

import { get, pause, post } from "../common/api.js";
import { byId, element } from "/board/dom.js";

const FAREWELL_EVERY_MS = 1500;
const FAREWELL_MS = 120_000;

export class Chat {
  constructor(gameId) {
    this.gameId = gameId;
    this.count = 0; // lines of the players' room that are shown
    byId("say").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = byId("text").value.trim();
      byId("text").value = "";
      if (text) this.say(text);
    });
  }

  /** Say something to the opponent. */
  async say(text) {
    try {
      await post(`/api/board/game/${this.gameId}/chat`, { room: "player", text });
    } catch (error) {
      this.note(error.message);
    }
  }

  /** Show what was said while no stream was open. */
  async catchUp() {
    const lines = await get(`/api/board/game/${this.gameId}/chat`);
    for (const { user, text } of lines.slice(this.count)) this.onLine({ username: user, text, room: "player" });
  }

  /** The stream ends with the game: ask for what is said afterwards. */
  async listenForFarewells() {
    for (let waited = 0; waited < FAREWELL_MS; waited += FAREWELL_EVERY_MS) {
      await this.catchUp().catch(() => {});
      await pause(FAREWELL_EVERY_MS);
    }
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
