// A released report: the conclusion, then what proves it, then what may be done.
import { h } from "./dom.js";
import { scopeInUtc, scopeLine, section, tag, title } from "./bits.js";
import { openPanel } from "./panel.js";
import { afterLead, leadAndRest, prose } from "./prose.js";
import { byCall, citesOf, numbersOf } from "./result.js";
import { say, sayCode } from "./say.js";

const LONG_LEAD = 200;

/** Nodes of the page; `page` carries the run, its published evidence, its time zone and who reads. */
export function report(page) {
  const draft = page.run.report;
  return [
    conclusion(draft, page),
    section(say("proof"), h("ol", { class: "proofs" }, draft.analysis.map((one, index) => proof(one, index + 1, page)))),
    section(say("actions"), draft.action_plan.map((one, index) => action(one, index, draft, page))),
    section(say("recommendations"), entries(draft.recommendations, (one) => [h("p", {}, prose(one.text)), cites(one.based_on_analysis_ids, draft, page)])),
    section(say("hypotheses"), entries(draft.hypotheses, hypothesis)),
    section(say("limitations"), entries(limits(draft.limitations), (text) => h("p", {}, prose(text)))),
  ];
}

function conclusion(draft, page) {
  const found = draft.conclusion;
  if (!found) return h("section", { class: "verdict open" }, title(say("no_conclusion")));
  const isCause = found.kind === "ROOT_CAUSE";
  const [lead, rest] = leadAndRest(found.text);
  return h("section", { class: `verdict ${isCause ? "" : "open"}` },
    h("h1", { tabindex: "-1" },
      h("span", { class: `badge ${isCause ? "good" : "open"}` }, say(isCause ? "root_cause" : "observation"))),
    h("p", { class: `lead ${lead.length > LONG_LEAD ? "long" : ""}` }, prose(lead)),
    rest ? h("p", { class: "rest" }, afterLead(rest)) : null,
    h("p", { class: "row small quiet" }, say("rests_on"), cites(found.based_on_analysis_ids, draft, page)));
}

function proof(analysis, number, page) {
  const isDocument = page.published.restsOnDocuments(analysis);
  return h("li", { class: "proof", id: `proof-${number}` },
    h("div", {}, chip(analysis, number, page)),
    h("div", { class: "body" },
      h("p", {}, isDocument ? [tag(say("runbook_says")), " "] : null, prose(analysis.text)),
      (analysis.derived ?? []).map((one) => h("p", { class: "small quiet" }, computed(one))),
      byCall(citesOf(analysis)).map(([callId]) => sourceLink(analysis, number, callId, page))));
}

function sourceLink(analysis, number, callId, page) {
  const record = page.published.record(callId);
  if (!record) return null;
  const empty = record.evidence_status === "NO_EVIDENCE" ? ` · ${say("nothing_found")}` : "";
  return h("button", { class: "source-link", type: "button", "aria-expanded": "false", "aria-controls": "panel",
    title: scopeInUtc(record), onclick: (event) => show(analysis, number, page, event.currentTarget) }, scopeLine(record, page.zone) + empty);
}

/** The number of a proof, as a control that opens it. */
function chip(analysis, number, page) {
  return h("button", { class: "cite", type: "button", "data-proof": number, "aria-expanded": "false", "aria-controls": "panel",
    "aria-label": say("open_proof", { n: number }), onclick: (event) => show(analysis, number, page, event.currentTarget) }, number);
}

function show(analysis, number, page, from) {
  openPanel({
    heading: say("proof_n", { n: number }), sentence: analysis.text, cites: citesOf(analysis), from,
    runId: page.run.run_id, published: page.published, zone: page.zone, auditor: page.auditor,
  });
}

function cites(ids, draft, page) {
  return h("span", { class: "row" }, numbersOf(ids, draft.analysis).map((number) => chip(draft.analysis[number - 1], number, page)));
}

function action(one, index, draft, page) {
  const isBacked = page.run.backed_actions?.[index] === true;
  return h("div", { class: "action" },
    h("p", {}, prose(one.action)),
    h("div", { class: "row" },
      tag(say(isBacked ? "from_runbook" : "proposed"), isBacked ? "good" : "open"),
      one.requires_human_confirmation ? tag(say("confirm"), "bad") : null,
      cites(one.based_on_analysis_ids, draft, page)));
}

const HYPOTHESIS_TONE = { SUPPORTED: "good", OPEN: "open", EXCLUDED: "" };

function hypothesis(one) {
  return h("p", {}, prose(one.text), " ", tag(sayCode("hypothesis", one.status), HYPOTHESIS_TONE[one.status]));
}

function limits(given) {
  return [
    given.scope.trim() ? say("covers", { text: given.scope }) : null,
    ...given.missing_info.map((text) => say("missing", { text })),
    given.next_check ? say("next_check", { text: given.next_check }) : null,
  ].filter(Boolean);
}

function entries(values, draw) {
  return values.length ? h("ul", { class: "entries" }, values.map((one) => h("li", {}, draw(one)))) : null;
}

function computed(derived) {
  const inputs = derived.inputs.map((one) => (one.field ? `${one.item_id}.${one.field}` : one.item_id)).join(", ");
  const value = derived.rounding === null ? String(derived.value) : derived.value.toFixed(Math.max(0, derived.rounding));
  return say("computed", { op: sayCode("derived", derived.op), inputs, value });
}
