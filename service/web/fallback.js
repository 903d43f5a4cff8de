// A safe fallback as a page one can work with: what was checked, what was not found, what is missing, what to try.
import { h } from "./dom.js";
import { scopeInUtc, scopeLine, section, tag, title } from "./bits.js";
import { openPanel } from "./panel.js";
import { prose } from "./prose.js";
import { knowsCode, say, sayCode } from "./say.js";

const COMMAND = /\s*[:：]?\s*rootproof .*$/s;
/** Steps that name a command line are for the terminal; this page has its own way to do them. */
const isCommand = (text) => /(^|[:：\s])rootproof /.test(text);

/** The sentence of a fallback in its three parts: why, what was searched, what next; whole where it has other ones. Pure. */
export function summaryParts(text) {
  const [searched, why, ...next] = text.replace(COMMAND, "").split(/; |；/);
  if (!next.length) return [text.replace(COMMAND, "")];
  return [why, searched, next.join(/；/.test(text) ? "；" : "; ")].map(sentence);
}

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.。!！?？]$/.test(text) ? "" : /[\u4e00-\u9fff]/.test(text) ? "。" : "."}`;

/** Nodes of the page. */
export function fallback(page) {
  const told = page.run.fallback;
  const [lead, ...rest] = summaryParts(told.summary);
  const steps = told.next_steps.filter((text) => !isCommand(text));
  return [
    h("section", { class: "verdict open" },
      h("h1", { tabindex: "-1" }, h("span", { class: "badge open" }, say("no_conclusion"))),
      h("p", { class: "lead long" }, prose(lead)),
      rest.map((text) => h("p", { class: "rest" }, prose(text)))),
    section(say("checked"), told.observed_facts.length ? h("ol", { class: "facts" }, told.observed_facts.map((fact) => factEntry(fact, page))) : null),
    section(say("searched_empty"), list(told.searched_empty, (text) => prose(text))),
    section(say("ruled_out"), unverified(told.ruled_out)),
    section(say("hypotheses_open"), unverified(told.hypotheses)),
    section(say("missing_title"), unverified(told.limitations)),
    section(say("issues"), list(told.validation_issues, (code) => (knowsCode("violation", code) ? `${sayCode("violation", code)} (${code})` : code))),
    section(say("next_steps"), list(steps, (text) => prose(text))),
  ];
}

function factEntry(fact, page) {
  const show = (event) => openPanel({
    heading: fact.source, sentence: fact.summary, cites: [{ tool_call_id: fact.tool_call_id, item_id: null, quote: null }],
    runId: page.run.run_id, published: page.published, zone: page.zone, auditor: page.auditor, from: event.currentTarget,
  });
  const record = page.published.record(fact.tool_call_id);
  return h("li", {},
    h("p", {}, prose(fact.summary)),
    h("div", { class: "meta" },
      h("span", { title: record ? scopeInUtc(record) : null }, record ? scopeLine(record, page.zone) : `${fact.source} · ${fact.scope}`),
      h("button", { class: "source-link", type: "button", "aria-expanded": "false", "aria-controls": "panel", onclick: show }, say("show_evidence"))));
}

function list(values, draw) {
  return values.length ? h("ul", { class: "entries" }, values.map((one) => h("li", {}, h("p", {}, draw(one))))) : null;
}

function unverified(values) {
  return list(values, (one) => [prose(one.text), " ", tag(say("unverified"), "open")]);
}

/** The page of an answer that is neither report nor fallback. */
export function answer(page) {
  const records = page.published.records.filter((one) => one.items.length);
  const text = page.run.answer.text;
  return [
    h("section", { class: "verdict" },
      title(say("answer")),
      h("div", { class: "stack tight" }, (records.length ? text.split("\n\n", 1) : text.split("\n")).map((line) => h("p", {}, prose(line))))),
    section(say("passages"), records.flatMap((record) => record.items.map((item) => passage(record, item, page)))),
  ];
}

function passage(record, item, page) {
  const show = (event) => openPanel({
    heading: say("passage"), sentence: "", cites: [{ tool_call_id: record.tool_call_id, item_id: item.item_id, quote: null }],
    runId: page.run.run_id, published: page.published, zone: page.zone, auditor: page.auditor, from: event.currentTarget,
  });
  return h("div", { class: "stack tight" },
    h("pre", { class: "verbatim" }, item.text),
    h("button", { class: "source-link", type: "button", "aria-expanded": "false", "aria-controls": "panel", onclick: show },
      `${record.scope?.source ?? ""} · ${item.item_id}`));
}

/** A run that published nothing. */
export function failure(page) {
  const run = page.run;
  const isCancelled = run.outcome === "CANCELLED";
  return [
    h("section", { class: `verdict ${isCancelled ? "open" : "bad"}` },
      title(say(isCancelled ? "run_cancelled" : "run_failed")),
      h("p", {}, sayCode("failure", run.failure_code ?? "INTERNAL_FAILURE"))),
  ];
}
