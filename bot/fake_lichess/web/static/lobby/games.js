// Games in the lobby: those that run, and the finished ones, chosen by filters.

import { get, pause } from "../common/api.js";
import { byId, element, replaceItems } from "/board/dom.js";
import { gameSummary, pairText, resultText } from "../common/labels.js";
import { setStatus } from "../common/session.js";
import "/board/view.js";

const RUNNING_EVERY_MS = 2000;
let page = 0;
let asked = 0;

/** A game with its board; `href`: where it leads, `note`: the last line, `side`: from where it is seen. */
function gameItem(game, { href, note, side = "white" }) {
  const board = element("chess-board", { className: "board", role: "img", ariaLabel: "Position" });
  board.setAttribute("side", side);
  const facts = element("span", { className: "facts" }, note);
  const item = element("li", {}, element("a", { href }, board,
    element("span", { className: "pair-names" }, pairText(game)),
    element("span", { className: "facts" }, gameSummary(game)), facts));
  item.dataset.game = game.id;
  showPosition(item, game);
  return item;
}

function showPosition(item, { lastFen, lastMove }) {
  const board = item.querySelector("chess-board");
  board.setAttribute("fen", lastFen);
  board.setAttribute("last", lastMove.includes("@") ? lastMove.slice(2) : `${lastMove.slice(0, 2)} ${lastMove.slice(2, 4)}`);
}

function runningItem(game, me) {
  const known = byId("running").querySelector(`[data-game="${game.id}"]`);
  if (known) {
    showPosition(known, game);
    return known;
  }
  const { white, black } = game.players;
  const mine = [white, black].some((player) => player.user?.id === me);
  return gameItem(game, { href: `/${game.id}`, note: mine ? "Your game: play on" : "Watch", side: black.user?.id === me ? "black" : "white" });
}

/** Show the running games until the user leaves the page. */
export async function showRunning(me) {
  for (;;) {
    const games = document.hidden ? null : await get("/web/running").catch(() => null);
    if (games) {
      await replaceItems(byId("running"), games.map((game) => runningItem(game, me)));
      byId("no-games").hidden = games.length > 0;
    }
    await pause(RUNNING_EVERY_MS);
  }
}

function finishedItem(game) {
  const moves = Math.ceil(game.plies / 2);
  return gameItem(game, { href: `/${game.id}/analysis`, note: `${resultText(game, null)} ${moves} move${moves === 1 ? "" : "s"}` });
}

async function load() {
  const number = ++asked;
  const query = new URLSearchParams([...new FormData(byId("filters"))].filter(([, value]) => value));
  query.set("page", page);
  const { games, more } = await get(`/web/finished?${query}`);
  if (number !== asked) return;
  if (page === 0) byId("finished").replaceChildren();
  byId("finished").append(...games.map(finishedItem));
  byId("more").hidden = !more;
  const none = byId("finished").children.length === 0;
  setStatus(byId("no-finished"), none ? "No finished game fits." : "");
}

/** "The player won" needs a player. */
function tidyFilters() {
  const { player, result } = byId("filters").elements;
  for (const option of result.options) {
    if (option.value === "win" || option.value === "loss") option.disabled = !player.value;
  }
  if (result.selectedOptions[0].disabled) result.value = "";
}

/** Fill the filters and show the newest games. */
export async function showFinished({ people, opponents, variants }) {
  const { player, variant } = byId("filters").elements;
  player.append(...[...people, ...opponents].map(({ id, name }) => element("option", { value: id }, name)));
  variant.append(...variants.map(({ key, name }) => element("option", { value: key }, name)));
  byId("filters").addEventListener("change", () => {
    page = 0;
    tidyFilters();
    load();
  });
  byId("more").addEventListener("click", () => {
    page += 1;
    load();
  });
  tidyFilters();
  await load();
}
