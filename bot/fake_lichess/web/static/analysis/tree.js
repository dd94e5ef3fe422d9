// The moves of a game with the reader's own variations.

/** A node: `uci` and `san` of the move that leads to it, `main`: part of the game as it was played. */
function node(parent, uci, san, main) {
  return { parent, uci, san, main, ply: parent ? parent.ply + 1 : 0, children: [], score: null, loss: null, judgement: null };
}

export class Tree {
  constructor(ucis, sans) {
    this.root = node(null, "", "", true);
    this.mainline = [this.root];
    ucis.forEach((uci, index) => {
      const last = this.mainline.at(-1);
      last.children.push(node(last, uci, sans[index], true));
      this.mainline.push(last.children[0]);
    });
  }

  /** The moves that lead to a node, in UCI. */
  path(at) {
    const found = [];
    for (let step = at; step.parent; step = step.parent) found.unshift(step.uci);
    return found;
  }

  /** The node after a move: the one there is, or a new variation. */
  play(at, uci) {
    const known = at.children.find((child) => child.uci === uci);
    if (known) return known;
    at.children.push(node(at, uci, "", false));
    return at.children.at(-1);
  }

  /** Take a variation away from its first own move on; gives the node it began at. */
  remove(at) {
    if (at.main) return at;
    let first = at;
    while (!first.parent.main && first.parent.children.length === 1) first = first.parent;
    first.parent.children.splice(first.parent.children.indexOf(first), 1);
    return first.parent;
  }

  /** The last node of the line that a node is on. */
  end(at) {
    let last = at;
    while (last.children.length) last = last.children[0];
    return last;
  }

  /** The node after these moves, if there is one. */
  find(ucis) {
    return ucis.reduce((at, uci) => at?.children.find((child) => child.uci === uci), this.root);
  }

  hasVariations() {
    return this.mainline.some((at) => at.children.some((child) => !child.main));
  }
}
