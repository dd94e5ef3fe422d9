// The lobby: challenge someone, answer challenges, watch.

import { ApiError, pause, post } from "../common/api.js";
import { challenge, controlText, wishLevel } from "../common/challenge.js";
import { readEvents } from "../common/events.js";
import { byId, element, replaceItems } from "/board/dom.js";
import { setStatus, setUpTheme, signIn, switchUser, signInWithToken } from "../common/session.js";
import { showTokens } from "./connect.js";
import { showFinished, showRunning } from "./games.js";
import { chosenOpponent, offerVariants, showOpponents } from "./opponents.js";
import { checkPosition, clearErrors, showErrors } from "./form_errors.js";
import { setUpSettings } from "../common/settings_dialog.js";

const PRESETS = ["1+0", "2+1", "3+0", "3+2", "5+0", "5+3", "10+0", "15+10"];
let pendingChallenge = null;

function control() {
  return document.querySelector("input[name=control]:checked").value;
}

function fields() {
  const found = {
    variant: byId("variant").value,
    color: document.querySelector("input[name=color]:checked").value,
    rated: String(byId("rated").checked),
  };
  if (control() === "clock") {
    found["clock.limit"] = Math.round(Number(byId("minutes").value) * 60);
    found["clock.increment"] = Number(byId("increment").value);
  } else if (control() === "days") {
    found.days = byId("days").value;
  }
  if (byId("variant").value === "fromPosition") found.fen = byId("fen").value;
  return found;
}

function showFields() {
  const opponent = chosenOpponent();
  offerVariants(opponent);
  byId("clock-fields").hidden = control() !== "clock";
  byId("days-field").hidden = control() !== "days";
  byId("fen-field").hidden = byId("variant").value !== "fromPosition";
  byId("fen").required = !byId("fen-field").hidden;
  byId("rated").disabled = opponent.level !== ""; // only casual games have a level
  if (opponent.level) byId("rated").checked = false;
  const current = `${byId("minutes").value}+${byId("increment").value}`;
  for (const button of byId("presets").children) button.setAttribute("aria-pressed", button.textContent === current);
  remember(opponent);
}

function remember({ id, level }) {
  const kept = { opponent: id, level, variant: byId("variant").value, minutes: byId("minutes").value, increment: byId("increment").value };
  localStorage.setItem("challenge", JSON.stringify(kept));
}

async function send(event) {
  event.preventDefault();
  if (pendingChallenge) return;
  if (!byId("token-field").hidden) {
    await signInWithToken(byId("token").value.trim()).catch((error) => setStatus(byId("status"), error.message, true));
    return;
  }
  clearErrors();
  if (!byId("fen-field").hidden && !(await checkPosition(byId("variant").value, byId("fen").value))) return;
  const chosen = chosenOpponent();
  pendingChallenge = new AbortController();
  byId("send").disabled = true;
  byId("cancel").hidden = false;
  try {
    const onStatus = (text) => {
      setStatus(byId("status"), text);
      byId("status").scrollIntoView({ block: "nearest" });
    };
    const id = await challenge(chosen, fields(), onStatus, pendingChallenge.signal);
    wishLevel(chosen.kind === "bot" ? chosen.level : "");
    location.assign(`/${id}`);
  } catch (error) {
    const cancelled = error.name === "AbortError";
    const told = !cancelled && showErrors(error.fields);
    setStatus(byId("status"), cancelled ? "Challenge cancelled." : told ? "Please correct what is marked." : error.message, !cancelled);
  } finally {
    pendingChallenge = null;
    byId("send").disabled = false;
    byId("cancel").hidden = true;
  }
}

function fillForm(site) {
  const kept = JSON.parse(localStorage.getItem("challenge") || "{}");
  showOpponents(site, kept);
  byId("variant").replaceChildren(...site.variants.map(({ key, name }) => element("option", { value: key, selected: key === kept.variant }, name)));
  for (const id of ["minutes", "increment"]) byId(id).value = kept[id] ?? byId(id).value;
  byId("presets").replaceChildren(...PRESETS.map((preset) => {
    const button = element("button", { type: "button" }, preset);
    button.addEventListener("click", () => {
      [byId("minutes").value, byId("increment").value] = preset.split("+");
      showFields();
    });
    return button;
  }));
}

function fillPeople(site) {
  byId("person").replaceChildren(...site.people.map((one) => element("option", { value: one.id, selected: one.id === site.person?.id }, one.name)));
  if (site.person && !site.people.some((one) => one.id === site.person.id)) {
    byId("person").append(element("option", { selected: true }, site.person.name));
  }
  byId("person").addEventListener("change", () => switchUser(site.people.find((one) => one.id === byId("person").value)));
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
  const show = async () => {
    await replaceItems(byId("incoming"), [...waiting.values()]);
    byId("incoming-card").hidden = waiting.size === 0;
  };
  await readEvents(me, ({ type, challenge: given }) => {
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
  byId("token-field").hidden = false;
  byId("send").textContent = "Sign in";
  setStatus(byId("status"), "To play, enter the token of an account of this server.");
}

async function start() {
  setUpTheme(byId("theme"));
  setUpSettings(byId("settings"));
  const site = await signIn();
  fillPeople(site);
  fillForm(site);
  showFields();
  byId("challenge").addEventListener("submit", send);
  byId("challenge").addEventListener("input", showFields);
  byId("cancel").addEventListener("click", () => pendingChallenge?.abort());
  document.querySelector("main").inert = false;
  showRunning(site.person?.id);
  showFinished(site);
  showTokens(site);
  if (!site.person) {
    askForToken();
    return;
  }
  for (;;) {
    await listen(site.person.id).catch((error) => {
      if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
    });
    await pause(20_000); // the event stream must not be polled; another page of ours may have taken it over
  }
}

start();
