// The clocks of positions of the past.

import { get } from "../common/api.js";

/** Both clocks (ms) when the position after `ply` plies arose; null in a game without clocks. `first`: who moved first. */
export function clocksAt({ clock, clocks = [] }, ply, first) {
  if (!clock) return null;
  const left = { white: clock.initial * 1000, black: clock.initial * 1000 };
  const second = first === "white" ? "black" : "white";
  clocks.slice(0, ply).forEach((hundredths, index) => {
    left[index % 2 ? second : first] = hundredths * 10;
  });
  return left;
}

export class PastClocks {
  constructor(id) {
    this.id = id;
    this.facts = null;
  }

  /** The clocks after so many plies. A running game is asked for again: moves may be taken back. */
  async at(ply, first) {
    if (!this.facts?.finished) this.facts = await get(`/web/facts/${this.id}`);
    return clocksAt(this.facts, ply, first);
  }
}
