// The dialog of the reader's preferences.

import { choose, paint, preferences } from "/board/preferences.js";
import { element } from "/board/dom.js";
import { play } from "./sounds.js";

const SWITCHES = { coordinates: "Coordinates", animation: "Moving pieces slide", sound: "Sounds" };
const CHOICES = {
  board: ["Board", { blue: "Blue", brown: "Brown", green: "Green", grey: "Grey" }],
  pieces: ["Pieces", { classic: "Classic", wood: "Wood", letters: "Letters" }],
};

function switchOf(name, text) {
  const box = element("input", { type: "checkbox", id: `set-${name}`, checked: preferences[name] });
  box.addEventListener("change", () => {
    choose(name, box.checked);
    if (name === "sound") play("move");
  });
  return element("label", { className: "check" }, box, text);
}

function choiceOf(name, [text, options]) {
  const list = element("select", { id: `set-${name}` }, ...Object.entries(options).map(([value, label]) => element("option", { value, selected: preferences[name] === value }, label)));
  list.addEventListener("change", () => choose(name, list.value));
  return element("label", { className: "field" }, text, list);
}

/** Apply the preferences, and let the button open the dialog; Escape and a click beside it close it. */
export function setUpSettings(button) {
  paint();
  const close = element("button", { type: "button", className: "primary" }, "Done");
  const dialog = element("dialog", { className: "card settings" },
    element("h2", { id: "settings-title" }, "Settings"),
    ...Object.entries(CHOICES).map(([name, choice]) => choiceOf(name, choice)),
    ...Object.entries(SWITCHES).map(([name, text]) => switchOf(name, text)), close);
  dialog.setAttribute("aria-labelledby", "settings-title");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  button.addEventListener("click", () => dialog.showModal());
}
