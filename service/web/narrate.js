// Public status events of one run as plain sentences, in order. A gain is told after the next search began,
// so it names what it is about. Events may come from any version: every part is optional.
import { knowsCode, say, sayCode } from "./say.js";
import { span, spanInUtc } from "./times.js";

/** What a tool searches, in words; a tool this page does not know goes by its own name. */
export function whatOf(tool) {
  return knowsCode("tool", tool) ? sayCode("tool", tool) : String(tool ?? "");
}

export class Narrator {
  #zone;
  #found = "";
  #judged = "";

  /** `zone`: that of the run's sources. */
  constructor(zone) {
    this.#zone = zone;
  }

  /** `{text, kind, ongoing, utc}`, or null for an event people need not see. `utc`: a time of the text in UTC. */
  tell(event) {
    if (event.type !== "status") return null;
    const payload = event.payload;
    if (payload.evidence_status === "EVIDENCE_FOUND") this.#found = whatOf(payload.tool);
    if ("round" in payload || "step" in payload) this.#judged = this.#found;
    return this.#happened(payload) ?? ongoing(payload);
  }

  #happened(payload) {
    if (knowsCode("stop", payload.stop_reason)) {
      return { kind: "stopped", text: say("stopped_because", { why: sayCode("stop", payload.stop_reason) }) };
    }
    if (payload.gain === "GAINED" || payload.gain === "NO_GAIN") {
      const what = this.#judged || say("last_search");
      const gained = payload.gain === "GAINED";
      return { kind: gained ? "gain" : "nogain", text: say(gained ? "gained" : "no_gain", { what }) };
    }
    return knowsCode("found", payload.evidence_status) ? searched(payload, this.#zone) : null;
  }
}

const KIND = { EVIDENCE_FOUND: "found", NO_EVIDENCE: "empty", ERROR: "failed" };

function searched(payload, zone) {
  const where = [payload.source, payload.service, span(payload.window_start, payload.window_end, zone)].filter(Boolean);
  const found = knowsCode("tool_code", payload.code)
    ? say("found_failed", { why: sayCode("tool_code", payload.code) })
    : sayCode("found", payload.evidence_status);
  const values = { what: whatOf(payload.tool), where: where.join(say("comma")), found };
  const utc = spanInUtc(payload.window_start, payload.window_end);
  return { kind: KIND[payload.evidence_status], text: say(where.length ? "searched" : "searched_bare", values), utc };
}

function ongoing(payload) {
  const told = (text) => ({ kind: "now", ongoing: true, text });
  if ("tool" in payload) return told(say("searching", { what: whatOf(payload.tool) }));
  const step = payload.round ?? payload.step;
  if (step !== undefined) return told(say("choosing", { n: step }));
  return knowsCode("stage", payload.stage) ? told(sayCode("stage", payload.stage)) : null;
}
