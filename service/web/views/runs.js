// Past runs with filters, and the sessions they belong to.
import * as api from "../api.js";
import { loading, problem, title } from "../bits.js";
import { field, fill, h } from "../dom.js";
import { say, sayCode } from "../say.js";
import { whenAgo } from "../when.js";
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
      await showPage(list, "runs", { limit: LIMIT, q: text.value.trim(), outcome: outcome.value }, signal);
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
  await showPage(list, `sessions/${encodeURIComponent(sessionId)}/runs`, { limit: LIMIT }, signal);
}

function head(current) {
  const link = (href, name) => h("a", { href, "aria-current": href === current ? "page" : null }, say(name));
  return h("div", { class: "row spread" }, title(say("runs_title")),
    h("nav", { class: "segment", "aria-label": say("runs_title") }, link("#/runs", "all_runs"), link("#/sessions", "sessions")));
}

/** The first page of a list of runs, and a way to the older ones as long as there are any. */
async function showPage(place, path, values, signal) {
  const { runs, next } = await api.get(path, values, signal);
  if (!runs.length) {
    fill(place, h("p", { class: "quiet" }, say("no_runs")));
    return;
  }
  const entries = h("ul", { class: "list" }, runs.map(runEntry));
  const more = h("div", { class: "more" });
  const offer = (before) => fill(more, before ? h("button", { class: "button", type: "button", onclick: () => add(before) }, say("older")) : null);
  const add = async (before) => {
    try {
      const page = await api.get(path, { ...values, before }, signal);
      const added = page.runs.map(runEntry);
      entries.append(...added);
      offer(page.next);
      added[0]?.querySelector("a").focus();
    } catch (error) {
      if (error.name !== "AbortError") fill(more, problem(error, () => add(before)));
    }
  };
  offer(next);
  fill(place, entries, more);
}

function sessionEntry(session) {
  return h("li", {},
    h("a", { class: "title", href: `#/sessions/${encodeURIComponent(session.session_id)}` }, session.last_query || session.session_id),
    h("div", { class: "meta" }, h("span", {}, session.session_id), h("span", {}, say("runs_in", { n: session.runs })),
      whenAgo(session.last_opened_at ?? session.opened_at),
      h("span", {}, say("owner", { name: session.owner_key }))));
}
