// The one door to the service: keys, problem details, streams.
import { framesOf } from "./frames.js";
import { currentLanguage, say } from "./say.js";
import { keptForTab } from "./store.js";

/** What the service refused, in its own plain sentence. `code` is stable; status 0: it could not be reached. */
export class ServiceError extends Error {
  constructor(status, code, detail, retryAfter = null) {
    super(detail);
    Object.assign(this, { status, code, retryAfter });
  }
}

const BASE = new URL("api/", document.baseURI);

export function setKey(key) {
  keptForTab.set("key", key);
}

export function hasKey() {
  return keptForTab.get("key") !== null;
}

function headers(extra) {
  const key = keptForTab.get("key");
  return { "Accept-Language": currentLanguage(), ...(key ? { Authorization: `Bearer ${key}` } : {}), ...extra };
}

async function send(path, { method = "GET", body, extra = {}, signal } = {}) {
  let response;
  try {
    response = await fetch(new URL(path, BASE), {
      method, body, signal, headers: headers(extra), credentials: "omit", cache: "no-store", redirect: "error",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError(0, "UNREACHABLE", say("unreachable"));
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  const detail = typeof told.detail === "string" && told.detail ? told.detail : say("refused", { status: response.status });
  return new ServiceError(response.status, String(told.code ?? ""), detail, response.headers.get("Retry-After"));
}

function query(path, values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return given.length ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The JSON of a path below `api/`. */
export async function get(path, values = {}, signal) {
  const response = await send(query(path, values), { signal });
  return response.json();
}

/** The JSON reply to a JSON body; null where there is none. */
export async function post(path, body = {}) {
  const response = await send(path, { method: "POST", body: JSON.stringify(body), extra: { "Content-Type": "application/json" } });
  return response.status === 204 ? null : response.json();
}

/** The reply to an uploaded form. */
export async function upload(path, form) {
  return (await send(path, { method: "POST", body: form })).json();
}

export async function remove(path) {
  await send(path, { method: "DELETE" });
}

/** The bytes of a path, for a download. */
export async function download(path) {
  return (await send(path)).blob();
}

/** Opens a run and gives its id. It goes on when this reply is closed, as long as somebody watches within 15 s. */
export async function ask(body, idempotencyKey) {
  const leave = new AbortController();
  const response = await send("chat", {
    method: "POST", body: JSON.stringify(body), signal: leave.signal,
    extra: { "Content-Type": "application/json", "Idempotency-Key": idempotencyKey, Accept: "text/event-stream" },
  });
  try {
    const named = response.headers.get("X-Run-Id");
    if (named) return named;
    for await (const frame of framesOf(response)) if (frame.payload.run_id) return frame.payload.run_id;
    throw new ServiceError(0, "UNREACHABLE", say("unreachable"));
  } finally {
    leave.abort();
  }
}

/** The public events of a run after `after`, until its `done` or the end of the stream. `opened` is called once it is there. */
export async function* follow(runId, after, signal, opened = () => {}) {
  const response = await send(`runs/${encodeURIComponent(runId)}/events`, {
    signal, extra: { Accept: "text/event-stream", ...(after ? { "Last-Event-ID": String(after) } : {}) },
  });
  opened();
  yield* framesOf(response);
}

/** A token that makes asking twice the same as asking once. */
export function onceToken() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
