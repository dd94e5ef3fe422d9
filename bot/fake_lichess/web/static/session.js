// Who sits at this browser, and light or dark.

import { actAs, get } from "./api.js";

const PERSON = "person";
const THEME = "theme";

/** The people, opponents and variants of this server; signs in the person chosen before, else the first. */
export async function signIn() {
  const house = await (await fetch("/web/people", { cache: "no-store" })).json();
  const stored = read(PERSON) || {};
  const people = house.people.filter((person) => person.token);
  const person = people.find((one) => one.id === stored.id) || (stored.token ? stored : people[0]) || null;
  if (person) actAs(person.token);
  return { ...house, people, person };
}

/** Sit down as someone else; the page starts anew. */
export function sitDownAs(person) {
  localStorage.setItem(PERSON, JSON.stringify({ id: person.id, name: person.name, token: person.token }));
  location.reload();
}

/** Sit down with a token, on a machine that is not told the tokens; throws when the server does not know it. */
export async function sitDownWith(token) {
  actAs(token);
  const { id, username } = await get("/api/account");
  sitDownAs({ id, name: username, token });
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

function isDark() {
  const chosen = read(THEME);
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function paint() {
  document.documentElement.classList.toggle("dark", isDark());
}

/** Paint the page light or dark, and let the button change it. */
export function setUpTheme(button) {
  paint();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  button.addEventListener("click", () => {
    localStorage.setItem(THEME, JSON.stringify(isDark() ? "light" : "dark"));
    paint();
  });
}

/** An element with properties and children; texts become text. */
export function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Show a text, or nothing, in a line of messages. */
export function say(line, text, bad = false) {
  line.textContent = text;
  line.classList.toggle("bad", bad);
}
