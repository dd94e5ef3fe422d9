// Two clocks that run on between updates from the server.

import { clockText } from "/board/clock_text.js";

const UNLIMITED_MS = 2147483647;
const SHORT_MS = 10_000;

export class Clocks {
  /** `elements`: the elements by colour; `onLow(color)`: a running clock has come down to its last seconds. */
  constructor(elements, onLow = () => {}) {
    this.elements = elements;
    this.onLow = onLow;
    this.warned = new Set();
    this.left = null;
    this.running = null;
    setInterval(() => this.show(), 50);
  }

  /** The server's times (ms) as they were at `since`, and whose runs; null times for no clocks. */
  set(left, running, since = performance.now()) {
    this.left = left && left.white < UNLIMITED_MS ? left : null;
    this.running = running;
    this.since = since;
    this.show();
  }

  /** Both times as the server writes them, as of now; nothing without clocks. */
  now() {
    return this.left ? { wtime: this.remaining("white"), btime: this.remaining("black") } : {};
  }

  remaining(color) {
    return this.left[color] - (this.running === color ? performance.now() - this.since : 0);
  }

  /** The elements were exchanged: the board was turned. */
  put(elements) {
    this.elements = elements;
    this.show();
  }

  /** Warn once, and again after the time had grown well beyond the last seconds. */
  warn(color, left) {
    if (left > 2 * SHORT_MS) this.warned.delete(color);
    if (left >= SHORT_MS || left <= 0 || this.running !== color || this.warned.has(color)) return;
    this.warned.add(color);
    this.onLow(color);
  }

  show() {
    for (const [color, element] of Object.entries(this.elements)) {
      const left = this.left ? this.remaining(color) : null;
      const text = left === null ? "" : clockText(left);
      if (element.textContent !== text) element.textContent = text;
      if (left !== null) this.warn(color, left);
      element.classList.toggle("running", this.running === color && left !== null);
      element.classList.toggle("short", this.running === color && left !== null && left < SHORT_MS);
    }
  }
}
