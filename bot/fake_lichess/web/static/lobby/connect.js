// What a bot needs to come here: the address, and a token. The server gives tokens to its own machine only.

import { byId, element } from "/board/dom.js";

/** List every account that has a token, the bots first. */
export function showTokens(site) {
  const accounts = [...site.opponents, ...site.people].filter((one) => one.token);
  byId("connect").hidden = accounts.length === 0;
  byId("address").textContent = location.origin;
  byId("tokens").replaceChildren(...accounts.map(({ title, name, token }) =>
    element("tr", {}, element("th", { scope: "row" }, `${title ? `${title} ` : ""}${name}`), element("td", {}, element("code", {}, token)))));
}
