// The lobby: challenge someone, answer challenges, watch.

import { Refused, get, getLines, pause, post, stream } from "./api.js";
import { challenge, controlText } from "./challenge.js";
import { followEvents } from "./events.js";
import { element, say, setUpTheme, signIn, sitDownAs, sitDownWith } from "./session.js";

const PRESETS = ["1+0", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "15+10"];
const RUNNING_EVERY_MS = 2000;
const at = (id) => document.getElementById(id);
let opponents = [];
let underWay = null;
const glances = new Map();

function control() {
  return document.querySelector("input[name=control]:checked").value;
}

function fields() {
  const found = {
    variant: at("variant").value,
    color: document.querySelector("input[name=color]:checked").value,
    rated: String(at("rated").checked),
  };
  if (control() === "clock") {
    found["clock.limit"] = Math.round(Number(at("minutes").value) * 60);
    found["clock.increment"] = Number(at("increment").value);
  } else if (control() === "days") {
    found.days = at("days").value;
  }
  if (at("variant").value === "fromPosition") found.fen = at("fen").value;
  return found;
}

function showFields() {
  at("clock-fields").hidden = control() !== "clock";
  at("days-field").hidden = control() !== "days";
  at("fen-field").hidden = at("variant").value !== "fromPosition";
  at("fen").required = !at("fen-field").hidden;
  const computer = at("opponent").value.startsWith("computer");
  at("rated").disabled = computer;
  if (computer) at("rated").checked = false;
  const current = `${at("minutes").value}+${at("increment").value}`;
  for (const button of at("presets").children) button.setAttribute("aria-pressed", button.textContent === current);
  remember();
}

function remember() {
  const kept = { opponent: at("opponent").value, variant: at("variant").value, minutes: at("minutes").value, increment: at("increment").value };
  localStorage.setItem("challenge", JSON.stringify(kept));
}

function restore() {
  const kept = JSON.parse(localStorage.getItem("challenge") || "{}");
  for (const [id, value] of Object.entries(kept)) {
    const field = at(id);
    if (field.tagName === "INPUT" || [...field.options].some((option) => option.value === value)) field.value = value;
  }
}

async function send(event) {
  event.preventDefault();
  if (underWay) return;
  if (!at("token-field").hidden) {
    await sitDownWith(at("token").value.trim()).catch((error) => say(at("status"), error.message, true));
    return;
  }
  const chosen = opponents.find((one) => one.id === at("opponent").value);
  underWay = new AbortController();
  at("send").disabled = true;
  at("cancel").hidden = false;
  try {
    const told = (text) => say(at("status"), text);
    const id = await challenge(chosen, fields(), told, underWay.signal);
    location.assign(`/${id}`);
  } catch (error) {
    const text = error.name === "AbortError" ? "Challenge cancelled." : error.message;
    say(at("status"), text, error.name !== "AbortError");
  } finally {
    underWay = null;
    at("send").disabled = false;
    at("cancel").hidden = true;
  }
}

function fillForm(house) {
  const bots = [...house.opponents].sort((one, other) => Number(other.online) - Number(one.online));
  const people = house.people.filter((one) => one.id !== house.person?.id).map((one) => ({ ...one, kind: "person" }));
  const levels = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => ({ kind: "computer", id: `computer ${level}`, name: `Computer level ${level}`, level }));
  opponents = [...bots, ...people, ...levels];
  at("opponent").replaceChildren(...opponents.map((one) => {
    const away = one.kind === "bot" && !one.online ? " (offline)" : "";
    return element("option", { value: one.id }, `${one.title ? `${one.title} ` : ""}${one.name}${away}`);
  }));
  at("variant").replaceChildren(...house.variants.map(({ key, name }) => element("option", { value: key }, name)));
  at("presets").replaceChildren(...PRESETS.map((preset) => {
    const button = element("button", { type: "button" }, preset);
    button.addEventListener("click", () => {
      [at("minutes").value, at("increment").value] = preset.split("+");
      showFields();
    });
    return button;
  }));
}

function fillPeople(house) {
  at("person").replaceChildren(...house.people.map((one) => element("option", { value: one.id, selected: one.id === house.person?.id }, one.name)));
  if (house.person && !house.people.some((one) => one.id === house.person.id)) {
    at("person").append(element("option", { selected: true }, house.person.name));
  }
  at("person").addEventListener("change", () => sitDownAs(house.people.find((one) => one.id === at("person").value)));
}

function playerName(player) {
  if (player.aiLevel) return `Computer level ${player.aiLevel}`;
  if (!player.user) return "Anonymous";
  return `${player.user.title ? `${player.user.title} ` : ""}${player.user.name}`;
}

function gameItem(game, fen, me) {
  const mine = [game.players.white, game.players.black].some((player) => player.user?.id === me);
  const flipped = game.players.black.user?.id === me ? "&flipped" : "";
  const clock = game.clock || {};
  const facts = `${controlText(clock.initial, clock.increment, game.daysPerTurn)} · ${game.variant} · ${game.rated ? "rated" : "casual"}`;
  const picture = `/web/small-board.svg?fen=${encodeURIComponent(fen.fen)}&last=${fen.lastMove}${flipped}`;
  const names = `${playerName(game.players.white)} – ${playerName(game.players.black)}`;
  return element("li", {}, element("a", { href: `/${game.id}` },
    element("img", { src: picture, alt: "" }),
    element("span", { className: "pair-names" }, names),
    element("span", { className: "facts" }, facts),
    element("span", { className: "facts" }, mine ? "Your game: play on" : "Watch")));
}

/** A running game's position: the head of its spectators' stream, read again when a move has been made. */
async function glance({ id, lastMoveAt }) {
  const known = glances.get(id);
  if (known?.lastMoveAt === lastMoveAt) return known;
  for await (const line of stream("GET", `/api/stream/game/${id}`)) {
    if (!line) continue;
    glances.set(id, { ...line, lastMoveAt });
    break;
  }
  return glances.get(id) || { fen: "8/8/8/8/8/8/8/8", lastMove: "" };
}

async function showRunning(me) {
  const games = await getLines("/api/tv/best?nb=12");
  const positions = await Promise.all(games.map(glance));
  at("running").replaceChildren(...games.map((game, index) => gameItem(game, positions[index], me)));
  at("no-games").hidden = games.length > 0;
}

async function keepShowing(me) {
  for (;;) {
    if (!document.hidden) await showRunning(me).catch(() => {});
    await pause(RUNNING_EVERY_MS);
  }
}

function incomingItem(given, gone) {
  const { id, challenger, timeControl, variant, rated } = given;
  const text = `${challenger?.name || "Anonymous"}: ${controlText(timeControl.limit, timeControl.increment, timeControl.daysPerTurn)}, ${variant.name}, ${rated ? "rated" : "casual"}`;
  const accept = element("button", { className: "primary" }, "Accept");
  const decline = element("button", {}, "Decline");
  accept.addEventListener("click", () => post(`/api/challenge/${id}/accept`).then(() => location.assign(`/${id}`), gone));
  decline.addEventListener("click", () => post(`/api/challenge/${id}/decline`, { reason: "generic" }).then(gone, gone));
  return element("li", {}, element("span", {}, text), accept, decline);
}

/** Challenges to us, as they come and go. */
async function listen(me) {
  const waiting = new Map();
  const show = () => {
    at("incoming").replaceChildren(...waiting.values());
    at("incoming-card").hidden = waiting.size === 0;
  };
  await followEvents(me, ({ type, challenge: given }) => {
    const gone = () => {
      waiting.delete(given.id);
      show();
    };
    if (type === "challenge") waiting.set(given.id, incomingItem(given, gone));
    else waiting.delete(given.id);
    show();
  });
}

/** Not on the server's own machine: a person proves who it is by a token, as every client does. */
function askForToken() {
  at("token-field").hidden = false;
  at("send").textContent = "Sign in";
  say(at("status"), "To play, enter the token of an account of this server.");
}

async function start() {
  setUpTheme(at("theme"));
  const house = await signIn();
  const online = new Set((await getLines("/api/bot/online?nb=100")).map((bot) => bot.id));
  house.opponents = house.opponents.map((one) => ({ ...one, online: online.has(one.id) || one.kind === "server" }));
  fillPeople(house);
  fillForm(house);
  restore();
  showFields();
  at("challenge").addEventListener("submit", send);
  at("challenge").addEventListener("input", showFields);
  at("cancel").addEventListener("click", () => underWay?.abort());
  keepShowing(house.person?.id);
  if (!house.person) {
    askForToken();
    return;
  }
  for (;;) {
    await listen(house.person.id).catch((error) => {
      if (!(error instanceof Refused || error instanceof TypeError)) throw error;
    });
    await pause(20_000); // the event stream must not be polled; another page of ours may have taken it over
  }
}

start();
