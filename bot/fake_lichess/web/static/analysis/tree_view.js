// The tree of moves as a score sheet: the game in pairs, variations in brackets below the move they replace.

import { element, keepInSight } from "/board/dom.js";

export class TreeView {
  /** `firstPly`: half moves before the first one since a White move of number 1; `onChoose(node)`. */
  constructor(list, firstPly, onChoose) {
    this.list = list;
    this.firstPly = firstPly;
    this.onChoose = onChoose;
    this.buttons = new Map();
    new ResizeObserver(() => this.mark(this.current)).observe(list);
  }

  numberText(at, forced) {
    const half = this.firstPly + at.ply - 1;
    if (half % 2 === 0) return `${half / 2 + 1}.`;
    return forced ? `${(half + 1) / 2}…` : "";
  }

  button(at) {
    const made = element("button", { type: "button", className: "move" }, at.san);
    if (at.main) made.dataset.ply = at.ply;
    made.addEventListener("click", () => this.onChoose(at));
    this.buttons.set(at, made);
    this.judge(at);
    return made;
  }

  /** Show how bad a move was. */
  judge(at) {
    const { name, glyph } = at.judgement ?? {};
    if (name) this.buttons.get(at).append(element("span", { className: `glyph ${name}`, title: name }, glyph));
  }

  /** The moves from a node on, following first children; side lines in brackets after the move that they replace. */
  line(from, into, forced) {
    let numbered = forced;
    for (let at = from; at; ) {
      const number = this.numberText(at, numbered);
      if (number) into.append(element("span", { className: "number" }, number));
      if (number.endsWith("…")) into.append(element("span", { className: "blank", ariaHidden: "true" }));
      into.append(this.button(at));
      const others = at.parent.children[0] === at ? at.parent.children.slice(1) : [];
      for (const other of others) {
        const aside = element("div", { className: "variation" });
        this.line(other, aside, true);
        into.append(aside);
      }
      numbered = others.length > 0;
      at = at.children[0];
    }
  }

  show(tree, current, result) {
    this.buttons.clear();
    this.list.replaceChildren();
    if (tree.root.children.length) this.line(tree.root.children[0], this.list, true);
    if (result) this.list.append(element("div", { className: "result" }, result));
    this.mark(current);
  }

  mark(current) {
    this.current = current;
    for (const [at, button] of this.buttons) button.setAttribute("aria-current", at === current);
    const button = this.buttons.get(current);
    if (!button) this.list.scrollTop = 0;
    else keepInSight(this.list, button);
  }
}
