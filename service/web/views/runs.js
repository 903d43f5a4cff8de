// Past runs with filters, and the sessions they belong to.
import * as api from "../api.js";
import { loading, problem, title } from "../bits.js";
import { field, fill, h } from "../dom.js";
import { say, sayCode } from "../say.js";
import { ago } from "../times.js";
import { runEntry } from "./ask.js";

const LIMIT = 100;

export async function runsView(main, { signal, settled }) {
  const text = h("input", { type: "search", name: "q", maxlength: "200", autocomplete: "off", id: "filter-text" });
  const outcome = h("select", { name: "outcome" }, h("option", { value: "" }, say("any_outcome")),
    ["SUCCESS", "FALLBACK", "FAILED", "CANCELLED"].map((name) => h("option", { value: name }, sayCode("outcome", name))));
  const list = h("div", { "aria-live": "polite" }, loading());
  const load = async (event) => {
    event?.preventDefault();
    try {
      const { runs } = await api.get("runs", { limit: LIMIT, q: text.value.trim(), outcome: outcome.value }, signal);
      fill(list, runList(runs));
    } catch (error) {
      if (error.name === "AbortError") return;
      if (error.status === 401) throw error;
      fill(list, problem(error, load));
    }
  };
  outcome.addEventListener("change", load);
  fill(main, h("div", { class: "sheet" }, head("#/runs"),
    h("form", { class: "row", role: "search", onsubmit: load },
      field(say("filter_text"), text), field(say("filter_outcome"), outcome),
      h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, " "), h("button", { class: "button", type: "submit" }, say("filter")))),
    list));
  settled();
  await load();
}

export async function sessionsView(main, { signal, settled }) {
  const list = h("div", {}, loading());
  fill(main, h("div", { class: "sheet" }, head("#/sessions"), list));
  settled();
  const { sessions } = await api.get("sessions", { limit: LIMIT }, signal);
  fill(list, sessions.length ? h("ul", { class: "list" }, sessions.map(sessionEntry)) : h("p", { class: "quiet" }, say("no_sessions")));
}

export async function sessionView(main, { params: [sessionId], signal, settled }) {
  const list = h("div", {}, loading());
  fill(main, h("div", { class: "sheet" }, title(say("session_title", { id: sessionId })), list));
  settled();
  const { runs } = await api.get(`sessions/${encodeURIComponent(sessionId)}/runs`, {}, signal);
  fill(list, runList(runs));
}

function head(current) {
  const link = (href, name) => h("a", { href, "aria-current": href === current ? "page" : null }, say(name));
  return h("div", { class: "row spread" }, title(say("runs_title")),
    h("nav", { class: "segment", "aria-label": say("runs_title") }, link("#/runs", "all_runs"), link("#/sessions", "sessions")));
}

function runList(runs) {
  return runs.length ? h("ul", { class: "list" }, runs.map(runEntry)) : h("p", { class: "quiet" }, say("no_runs"));
}

function sessionEntry(session) {
  return h("li", {},
    h("a", { class: "title", href: `#/sessions/${encodeURIComponent(session.session_id)}` }, session.last_query || session.session_id),
    h("div", { class: "meta" }, h("span", {}, session.session_id), h("span", {}, say("runs_in", { n: session.runs })),
      h("time", { datetime: session.last_opened_at ?? session.opened_at }, ago(session.last_opened_at ?? session.opened_at)),
      h("span", {}, say("owner", { name: session.owner_key }))));
}
