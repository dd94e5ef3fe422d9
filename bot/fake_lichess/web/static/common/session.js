// The account that this browser acts for, and the colour theme.

import { useToken, get } from "./api.js";

const PERSON = "person";
const THEME = "theme";

/** The people, opponents and variants of this server; signs in the person chosen before, else the first. */
export async function signIn() {
  const site = await (await fetch("/web/people", { cache: "no-store" })).json();
  const stored = read(PERSON) || {};
  const people = site.people.filter((person) => person.token);
  const person = people.find((one) => one.id === stored.id) || (stored.token ? stored : people[0]) || null;
  if (person) useToken(person.token);
  return { ...site, people, person };
}

/** Act as another account; reloads the page. */
export function switchUser(person) {
  localStorage.setItem(PERSON, JSON.stringify({ id: person.id, name: person.name, token: person.token }));
  location.reload();
}

/** Sign in with a token, where the server does not hand tokens out; throws when the token is unknown. */
export async function signInWithToken(token) {
  useToken(token);
  const { id, username } = await get("/api/account");
  switchUser({ id, name: username, token });
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

/** Show a text, or nothing, in a line of messages. */
export function setStatus(line, text, bad = false) {
  line.textContent = text;
  line.classList.toggle("bad", bad);
}
