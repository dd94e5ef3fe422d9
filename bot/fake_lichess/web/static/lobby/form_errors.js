// What is wrong with the challenge, beside the field it is about, in words.

import { ask } from "../common/api.js";
import { byId, element } from "/board/dom.js";

/** The input of each field of the server's form. */
const INPUTS = { "clock.limit": "minutes", "clock.increment": "increment", days: "days", variant: "variant", fen: "fen", rated: "rated", color: "opponent" };
/** Better words than the server's "Invalid value". */
const WORDS = {
  "clock.limit": "Choose 0, ¼, ½, ¾, 1, 1½ or whole minutes up to 180; not 0 without an increment.",
  "clock.increment": "Choose whole seconds from 0 to 60.",
  fen: "No game can begin from this position.",
};

/** Take all marks away. */
export function clearErrors() {
  document.querySelectorAll("#challenge .error").forEach((old) => old.remove());
  for (const input of document.querySelectorAll("#challenge [aria-invalid]")) {
    input.removeAttribute("aria-invalid");
    input.removeAttribute("aria-describedby");
  }
}

function mark(input, text) {
  const id = `${input.id}-error`;
  byId(id)?.remove();
  const line = element("p", { className: "error", id, role: "alert" }, text);
  (input.closest(".pair") || input.closest("label, fieldset")).after(line);
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", id);
}

/** Mark what the server refused; whether every error has found its field. */
export function showErrors(fields) {
  const entries = Object.entries(fields || {}).filter(([field]) => INPUTS[field]);
  for (const [field, texts] of entries) mark(byId(INPUTS[field]), WORDS[field] || [].concat(texts).join(", "));
  if (entries.length) byId(INPUTS[entries[0][0]]).focus();
  return entries.length > 0 && entries.length === Object.keys(fields).length;
}

/** Ask the server whether a game can begin from the position; marks the field and gives false where not. */
export async function checkPosition(variant, fen) {
  const { fault } = await ask("/web/fen", { variant, fen });
  clearErrors();
  if (fault) mark(byId("fen"), fault);
  return !fault;
}
