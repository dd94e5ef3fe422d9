// The public API of Lichess as the page uses it, and the page's own rules of the game (/web/position).

/** What the server refused: `status`, its text, and the texts by form field where there are such. */
export class ApiError extends Error {
  constructor(status, text, fields = {}) {
    super(text);
    this.status = status;
    this.fields = fields;
  }
}

let token = "";

/** From now on act as the owner of this token. */
export function useToken(newToken) {
  token = newToken || "";
}

function request(method, path, form, signal, accept) {
  const headers = { Accept: accept, "X-Requested-With": "fake-lichess-page" };
  if (token) headers.Authorization = `Bearer ${token}`;
  const body = form ? new URLSearchParams(form) : undefined;
  return fetch(path, { method, headers, body, signal, cache: "no-store" });
}

/** Lichess writes errors as a text, or as lists of texts by field. */
function errorText(data, status) {
  const error = data && data.error;
  if (typeof error === "string") return error;
  if (error && typeof error === "object") {
    return Object.entries(error).map(([field, texts]) => `${field}: ${[].concat(texts).join(", ")}`).join("; ");
  }
  return `The server answered ${status}.`;
}

async function checked(response) {
  if (response.ok) return response;
  let data = null;
  try {
    data = await response.json();
  } catch {
    // an error page: the status says enough
  }
  const fields = data && typeof data.error === "object" ? data.error : {};
  throw new ApiError(response.status, errorText(data, response.status), fields);
}

/** GET of JSON. */
export async function get(path) {
  return (await checked(await request("GET", path, null, undefined, "application/json"))).json();
}

/** GET of a text. */
export async function getText(path) {
  return (await checked(await request("GET", path, null, undefined, "text/plain"))).text();
}

/** POST of a form; the answer's JSON. */
export async function post(path, form = null) {
  return (await checked(await request("POST", path, form, undefined, "application/json"))).json();
}

/** Lines of JSON as they come; null for the empty lines that keep the connection alive. */
export async function* stream(method, path, form = null, signal = undefined) {
  const response = await checked(await request(method, path, form, signal, "application/x-ndjson"));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop();
      for (const part of parts) yield part.trim() ? JSON.parse(part) : null;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** POST of JSON to the page's own part of the server; the answer's JSON. */
export async function ask(path, fields) {
  const headers = { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  return (await checked(await fetch(path, { method: "POST", headers, body: JSON.stringify(fields) }))).json();
}

/** The position after the moves, with everything that may be played in it. */
export function position(variant, initialFen, moves) {
  return ask("/web/position", { variant, initialFen, moves: moves.join(" ") });
}

/** What the engine thinks of a position; throws an ApiError where it may not or cannot say. */
export function evaluation(gameId, variant, initialFen, moves, millis, lines) {
  return ask("/web/evaluation", { gameId, variant, initialFen, moves: moves.join(" "), millis, lines });
}

/** Wait. */
export function pause(milliseconds) {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

const RETRY_MS = [500, 1000, 2000, 5000];

/** Run `once` again and again until `isDone()`, with growing pauses; `onBroken(status)` is called when it fails, with
 *  the status of the server's refusal. */
export async function persist(once, isDone, onBroken) {
  for (let failures = 0; ; failures++) {
    try {
      await once();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof TypeError)) throw error;
      onBroken(error.status);
    }
    if (isDone()) return;
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
  }
}
