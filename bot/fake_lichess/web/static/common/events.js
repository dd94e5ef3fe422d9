// The account's event stream: challenges to us, and why ours were declined.

import { pause, stream } from "./api.js";

const reasons = new Map();
const REASON_WAIT_MS = 1500;

/** Follow the stream until it ends; calls `onEvent(event)` for challenges that are not our own. */
export async function readEvents(me, onEvent) {
  for await (const event of stream("GET", "/api/stream/event")) {
    if (!event?.challenge) continue;
    if (event.type === "challengeDeclined") reasons.set(event.challenge.id, event.challenge.declineReason);
    if (event.challenge.challenger?.id !== me) onEvent(event);
  }
}

/** Why a challenge of ours was declined, in the server's words; "" when the stream has not sent it. */
export async function declineReason(id) {
  const deadline = performance.now() + REASON_WAIT_MS;
  while (!reasons.has(id) && performance.now() < deadline) await pause(20);
  return reasons.get(id) || "";
}
