// One way to ask: opens a run and goes to its page, where it is watched.
import * as api from "./api.js";
import { ServiceError } from "./api.js";

const TRIES = 3;

/** Opens a run; a lost connection is tried again with the same token, so it never opens a second one. */
export async function askAndGo({ query, sessionId = null, followUpOf = null, options = {} }) {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value));
  const body = {
    query, ...(sessionId ? { session_id: sessionId } : {}), ...(followUpOf ? { follow_up_of: followUpOf } : {}),
    ...(Object.keys(given).length ? { options: given } : {}),
  };
  const runId = await openRun(body, api.onceToken());
  location.hash = `#/runs/${runId}`;
}

async function openRun(body, token) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.ask(body, token);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 0 || attempt === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
    }
  }
}
