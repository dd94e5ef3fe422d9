// Everything a player may do beside moving: offers, claims, resigning, the next game.

import { post } from "../common/api.js";
import { challenge, rematchFields } from "../common/challenge.js";
import { readEvents } from "../common/events.js";
import { byId, element, whenReleased } from "/board/dom.js";

const SURE_MS = 4000;

function button(text, act, properties = {}) {
  const made = element("button", { type: "button", ...properties }, text);
  made.addEventListener("click", () => act(made));
  return made;
}

function offer(id, text, ...buttons) {
  const made = element("div", {}, element("span", {}, text), ...buttons);
  made.dataset.offer = id;
  return made;
}

export class Actions {
  /** `showMessage(text, bad)`: shows a line to the player. */
  constructor(showMessage) {
    this.showMessage = showMessage;
    this.gone = null;
    this.rematch = null; // the challenge of the opponent who wants another game
    this.rematchRequest = null; // our own offer of a rematch, to be aborted
    this.berserk = false; // whether we have given up half of our time in this game
    this.shown = "";
  }

  async do(path, done = "") {
    try {
      await post(`/api/board/game/${this.game.id}/${path}`);
      if (done) this.showMessage(done);
    } catch (error) {
      this.showMessage(error.message, true);
    }
  }

  /** Show what may be done now; a button must not vanish under the finger. */
  async show(shownGame) {
    this.game = shownGame;
    await whenReleased();
    const { game } = this;
    const other = game.color === "white" ? "b" : "w";
    const mine = game.color === "white" ? "w" : "b";
    const state = game.state;
    const key = JSON.stringify([state.status, Math.min(state.moves.length, 2), this.berserk, state[`${mine}draw`], state[`${other}draw`], state[`${mine}takeback`], state[`${other}takeback`], this.gone, this.rematch?.id, Boolean(this.rematchRequest)]);
    if (key === this.shown) return;
    this.shown = key;
    byId("actions").replaceChildren(...(state.status === "started" ? this.playing(state, mine) : this.over(game)));
    byId("offers").replaceChildren(...(state.status === "started" ? this.offersOf(state, other) : this.rematchOffers()));
  }

  playing(state, mine) {
    const first = state.moves.length < 2 && !this.game.tournamentId
      ? button("Abort", () => this.do("abort"), { id: "abort" })
      : button("Resign", (made) => this.resign(made), { id: "resign" });
    const drawn = state[`${mine}draw`];
    const takeback = state[`${mine}takeback`];
    const free = !this.game.tournamentId; // in an arena nothing is taken back or given
    return [
      ...(free ? [button(takeback ? "Takeback asked" : "Take back", () => this.do("takeback/yes", "Takeback proposed."), { id: "takeback", disabled: Boolean(takeback) || state.moves.length < 2 })] : []),
      button(drawn ? "Draw offered" : "Draw", () => this.do("draw/yes", "Draw offered."), { id: "draw", disabled: Boolean(drawn) || state.moves.length < 2 }),
      ...(this.mayGoBerserk(state) ? [button("Berserk", () => this.goBerserk(), { id: "berserk", title: "Half the time and no increment, for a point more" })] : []),
      ...(free && this.game.clock ? [button("+15 s", () => this.giveTime(), { id: "give-time", title: "Give your opponent 15 seconds", ariaLabel: "+15 s: give your opponent 15 seconds" })] : []),
      first,
    ];
  }

  /** In an arena, before our own first move. */
  mayGoBerserk(state) {
    const moved = state.moves.length > (this.game.color === "white" ? 0 : 1);
    return Boolean(this.game.tournamentId) && !moved && !this.berserk;
  }

  async goBerserk() {
    try {
      await post(`/api/board/game/${this.game.id}/berserk`);
      this.berserk = true;
      this.showMessage("Berserk: half the time, no increment.");
    } catch (error) {
      this.showMessage(error.message, true);
    }
    this.show(this.game);
  }

  async giveTime() {
    try {
      await post(`/api/round/${this.game.id}/add-time/15`); // the clock shows it
    } catch (error) {
      this.showMessage(error.message, true);
    }
  }

  resign(made) {
    if (made.classList.contains("sure")) {
      this.do("resign");
      return;
    }
    made.classList.add("sure");
    made.textContent = "Really?";
    const relent = () => {
      made.classList.remove("sure");
      made.textContent = "Resign";
    };
    setTimeout(relent, SURE_MS);
    addEventListener("keydown", (event) => event.key === "Escape" && relent(), { once: true });
  }

  offersOf(state, other) {
    const found = [];
    if (state[`${other}draw`]) {
      found.push(offer("draw", "Your opponent offers a draw.",
        button("Accept", () => this.do("draw/yes"), { className: "primary" }), button("Decline", () => this.do("draw/no", "Draw declined."))));
    }
    if (state[`${other}takeback`]) {
      found.push(offer("takeback", "Your opponent wants to take back.",
        button("Accept", () => this.do("takeback/yes"), { className: "primary" }), button("Decline", () => this.do("takeback/no"))));
    }
    if (this.gone === 0) {
      found.push(offer("claim", "Your opponent has left.",
        button("Claim the win", () => this.do("claim-victory"), { className: "primary" }), button("Call it a draw", () => this.do("claim-draw"))));
    }
    return found;
  }

  over(game) {
    const again = this.rematchRequest
      ? button("Cancel the rematch", () => this.rematchRequest.abort(), { id: "rematch" })
      : button("Rematch", () => this.askRematch(), { id: "rematch", className: "primary", disabled: !game.opponent });
    const pgn = element("a", { className: "button", href: `/game/export/${game.id}`, target: "_blank" }, "PGN");
    const analysis = element("a", { className: "button", href: `/${game.id}/analysis` }, "Analysis");
    return [again, analysis, element("a", { className: "button", href: "/" }, "New game"), pgn];
  }

  rematchOffers() {
    if (!this.rematch) return [];
    const { id } = this.rematch;
    const accept = () => post(`/api/challenge/${id}/accept`).then(() => location.assign(`/${id}`), (error) => this.showMessage(error.message, true));
    const decline = () => post(`/api/challenge/${id}/decline`, { reason: "generic" }).then(() => this.setRematch(null), () => this.setRematch(null));
    return [offer("rematch", "Your opponent wants a rematch.",
      button("Accept", accept, { className: "primary" }), button("Decline", decline))];
  }

  setRematch(given) {
    this.rematch = given;
    this.show(this.game);
  }

  async askRematch() {
    const game = this.game;
    this.rematchRequest = new AbortController();
    this.show(game);
    try {
      const onStatus = () => this.showMessage("Rematch offered…");
      location.assign(`/${await challenge(game.opponent, rematchFields(game), onStatus, this.rematchRequest.signal)}`);
    } catch (error) {
      this.showMessage(error.name === "AbortError" ? "Rematch withdrawn." : error.message, error.name !== "AbortError");
    } finally {
      this.rematchRequest = null;
      this.show(game);
    }
  }

  /** After the game: show the rematch that the opponent offers, until the page is left. */
  async listen(me) {
    await readEvents(me, ({ type, challenge: given }) => {
      if (given.challenger?.id === this.game.opponent?.id) this.setRematch(type === "challenge" ? given : null);
    });
  }
}
