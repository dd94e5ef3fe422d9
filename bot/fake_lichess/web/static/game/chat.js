// The chat beside the board: the players', or the spectators', which no stream carries.

import { ApiError, ask, get, pause, post } from "../common/api.js";
import { byId, element } from "/board/dom.js";

const EVERY_MS = 1500;

class Chat {
  /** `path`: where the lines are; `send(text)`: writes one. */
  constructor(path, send) {
    this.path = path;
    this.send = send;
    this.count = 0; // lines of `path` that are shown
    byId("say").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = byId("text").value.trim();
      byId("text").value = "";
      if (text) this.say(text);
    });
  }

  /** Say something; the reason why it was refused becomes a line. */
  async say(text) {
    try {
      await this.send(text);
    } catch (error) {
      this.add(element("li", { className: "note" }, error.message));
    }
  }

  /** Show what was said since the last line that is shown. */
  async catchUp() {
    const lines = await get(this.path);
    for (const { user, text } of lines.slice(this.count)) this.onLine({ username: user, text });
  }

  /** Look for new lines, for as long as the page is seen. */
  async follow(forMs = Infinity) {
    for (let left = forMs; left > 0; ) {
      if (!document.hidden) {
        await this.catchUp().catch((error) => {
          if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
        });
        left -= EVERY_MS;
      }
      await pause(EVERY_MS);
    }
  }

  /** Show a line; the players' stream also carries what one of them says to the spectators. */
  onLine({ username, text, room = "player" }) {
    const isOurs = room === "player";
    if (isOurs) this.count += 1;
    this.add(element("li", {}, element("b", {}, `${username}${isOurs ? "" : " (to spectators)"}`), text));
  }

  add(item) {
    const list = byId("lines");
    list.append(item);
    list.scrollTop = list.scrollHeight;
  }
}

/** The chat of the players. */
export function playersChat(gameId) {
  const path = `/api/board/game/${gameId}/chat`;
  return new Chat(path, (text) => post(path, { room: "player", text }));
}

/** The chat of the spectators; `mayTalk`: whether somebody is signed in. */
export function spectatorsChat(gameId, mayTalk) {
  byId("chat").ariaLabel = "Spectators' chat";
  byId("say").hidden = !mayTalk;
  byId("text").placeholder = "Talk to the spectators";
  const path = `/web/spectators/${gameId}`;
  const chat = new Chat(path, async (text) => {
    await ask(path, { text });
    await chat.catchUp();
  });
  return chat;
}
