// Everything kept about one run: its path through the graph, its budget, its events, calls, tokens and sentences.
import * as api from "../api.js";
import { loading, outcomeBadge, problem, section, sourceOf, table, title } from "../bits.js";
import { fill, h, svg } from "../dom.js";
import { flow } from "../flow.js";
import { openPanel } from "../panel.js";
import { prose } from "../prose.js";
import { Published } from "../result.js";
import { knowsCode, say, sayCode } from "../say.js";
import { count, size, UTC, zoneText } from "../times.js";
import { whenClock } from "../when.js";

const TIGHT = 0.85;

export async function traceView(main, { params: [runId], signal, caller, settled }) {
  fill(main, h("div", { class: "sheet broad" }, loading()));
  const run = await api.get(`runs/${encodeURIComponent(runId)}`, {}, signal);
  const [trace, graph] = await Promise.all([
    api.get(`diagnosis/${encodeURIComponent(run.session_id)}/trace`, { run_id: runId }, signal),
    api.get("graph", {}, signal),
  ]);
  const zone = trace.run?.time_zone ?? UTC;
  const titles = new Map(graph.nodes.map((one) => [one.name, one.title || one.name]));
  const auditor = caller.roles.includes("auditor");
  fill(main, h("div", { class: "sheet broad arrives" },
    h("div", { class: "stack tight" }, title(say("trace_title")), h("p", { class: "quiet" }, run.query),
      h("div", { class: "row small" }, outcomeBadge(run),
        run.stop_reason ? h("span", {}, say("stopped_because", { why: sayCode("stop", run.stop_reason) })) : null,
        h("a", { href: `#/runs/${encodeURIComponent(runId)}` }, say("show_result"))),
      h("p", { class: "hint", id: "zone" }, zone === UTC ? say("times_in_utc") : say("times_in", { zone: zoneText(zone, run.opened_at) }))),
    section(say("path_title"), flow(graph, trace.path, zone, signal)),
    section(say("budget"), budgets(trace)),
    section(say("tool_calls"), toolCalls(trace, run, zone, auditor)),
    section(say("sentences"), sentences(trace, run, zone, auditor)),
    section(say("ledger"), ledger(trace)),
    section(say("model_steps"), steps(trace, zone)),
    section(say("timeline"), timeline(trace, zone, titles)),
    section(say("audit"), audit(trace.verification)),
    auditor ? auditorPart(run, runId, zone) : null));
  settled();
}

function budgets(trace) {
  const limits = trace.run?.limits ?? {};
  const usage = trace.usage;
  const bars = [
    ["b_models", usage.model_calls, limits.max_model_calls, count],
    ["b_tools", usage.tool_calls, limits.max_tool_calls, count],
    ["b_tokens", usage.tokens, limits.max_total_tokens, count],
    ["b_bytes", usage.bytes, limits.max_run_bytes, size],
    ["b_time", (trace.run?.active_ms ?? 0) / 1000, limits.deadline_s, (value) => say("seconds", { n: value.toFixed(value < 10 ? 1 : 0) })],
  ];
  return h("div", { class: "budgets" }, bars.filter(([, used]) => typeof used === "number").map(bar));
}

/** How much of a limit is used; the bare figure where the limit is not known. */
function bar([name, used, limit, tell]) {
  if (!limit) return h("div", { class: "budget" }, h("div", { class: "row" }, h("span", {}, say(name)), h("span", {}, tell(used))));
  const share = Math.min(1, used / limit);
  const told = say("of", { used: tell(used), limit: tell(limit) });
  return h("div", { class: `budget ${share >= TIGHT ? "is-tight" : ""}` },
    h("div", { class: "row" }, h("span", {}, say(name)), h("span", {}, told)),
    svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": `${say(name)}: ${told}` },
      svg("rect", { class: "fill", width: (share * 100).toFixed(2), height: 8 })));
}

const columns = (...names) => names.map((name) => say(name));
const nothing = () => h("p", { class: "quiet" }, say("nothing_here"));

function toolCalls(trace, run, zone, auditor) {
  if (!trace.tool_calls.length) return nothing();
  const rows = trace.tool_calls.map((one) => [
    whenClock(one.at, zone), callButton(one, run, zone, auditor), named(sourceOf(one.tool), one.tool), one.scope?.source ?? "",
    foundText(one),
    one.coverage ? sayCode("coverage", one.coverage) : "", count(one.items), count(one.bytes), one.gain ? sayCode("gain", one.gain) : "", count(one.duration_ms),
  ]);
  return table(say("tool_calls"), columns("col_time", "col_call", "col_tool", "sources", "col_found", "col_coverage", "col_items", "col_bytes", "col_gain", "col_ms"), rows, [6, 7, 9]);
}

/** Words for a code, and the code itself for whoever points at them. */
const named = (words, code) => (words === code ? words : h("span", { title: code }, words));

function foundText(one) {
  const words = knowsCode("refusal", one.code) ? "refusal" : "tool_code";
  const why = one.code ? sayCode(words, one.code) : "";
  if (one.status === "REFUSED") return named(say("not_executed", { why }), one.code);
  if (why) return named(why, one.code);
  return one.evidence_status ? sayCode("found", one.evidence_status) : sayCode("call", one.status);
}

/** The id of a call, as a control that shows its result where there is one. */
function callButton(one, run, zone, auditor) {
  if (one.status !== "READY") return h("span", { class: "mono" }, one.tool_call_id);
  const show = (event) => openPanel({
    heading: one.tool_call_id, sentence: "", cites: [{ tool_call_id: one.tool_call_id, item_id: null, quote: null, whole: true }],
    runId: run.run_id, published: new Published(run), zone, auditor, from: event.currentTarget,
  });
  return h("button", { class: "source-link mono", type: "button", "aria-expanded": "false", "aria-controls": "panel", onclick: show }, one.tool_call_id);
}

function sentences(trace, run, zone, auditor) {
  if (!trace.sentences?.length) return nothing();
  const published = new Published(run);
  const show = (one) => (event) => openPanel({
    heading: sayCode("part", one.part), sentence: one.text, cites: one.cites, runId: run.run_id, published, zone, auditor, from: event.currentTarget,
  });
  const rows = trace.sentences.map((one) => [
    sayCode("part", one.part), prose(one.text),
    one.cites.length
      ? h("button", { class: "source-link", type: "button", "aria-expanded": "false", "aria-controls": "panel", onclick: show(one) },
        [...new Set(one.cites.map((cite) => cite.tool_call_id))].join(say("comma")))
      : h("span", { class: "quiet" }, say("no_cites")),
  ]);
  return table(say("sentences"), columns("col_part", "col_sentence", "col_records"), rows);
}

function ledger(trace) {
  const tokens = trace.summary?.tokens ?? {};
  const told = tokens.reconciled === true
    ? h("p", { class: "small" }, say("reconciled", { n: count(tokens.ledger) }))
    : tokens.reconciled === false
      ? h("p", { class: "notice open" }, say("not_reconciled", { traced: count(tokens.traced), ledger: count(tokens.ledger), finished: count(tokens.finished) }))
      : h("p", { class: "quiet" }, say("no_usage"));
  const lost = trace.summary?.audit_lost ? h("p", { class: "notice open" }, say("audit_lost", { n: trace.summary.audit_lost })) : null;
  const rows = trace.ledger.map((one) => [
    named(sayCode("budget", one.kind), one.kind), componentName(one.component), h("span", { class: "mono" }, one.key), count(one.reserved), count(one.settled),
  ]);
  return [told, lost, rows.length ? table(say("ledger"), columns("col_kind", "col_component", "col_key", "col_reserved", "col_settled"), rows, [3, 4]) : nothing()];
}

/** A model's role or a tool, in words. */
function componentName(name) {
  return named(knowsCode("role", name) ? sayCode("role", name) : sourceOf(name), name);
}

function steps(trace, zone) {
  if (!trace.steps?.length) return nothing();
  const rows = trace.steps.map((one) => [
    whenClock(one.at, zone), h("span", { class: "mono" }, one.step), componentName(one.role), named(sayCode("step", one.outcome), one.outcome), count(one.tokens), count(one.duration_ms),
  ]);
  return table(say("model_steps"), columns("col_time", "col_step", "col_role", "col_outcome", "col_tokens", "col_ms"), rows, [4, 5]);
}

function timeline(trace, zone, titles) {
  if (!trace.timeline.length) return nothing();
  const told = (details) => Object.entries(details ?? {}).filter(([, value]) => value !== null && value !== "").map(([name, value]) => `${name}=${value}`).join(" ");
  const rows = trace.timeline.map((one) => [
    count(one.sequence_no), whenClock(one.at, zone), sayCode("phase", one.phase), named(sayCode("event", one.type), one.type),
    named(titles.get(one.node) ?? one.node ?? "", one.node ?? ""), h("span", { class: "mono" }, told(one.details)), count(one.duration_ms),
  ]);
  return h("details", {}, h("summary", {}, `${say("timeline")} (${rows.length})`),
    table(say("timeline"), ["#", ...columns("col_time", "col_phase", "col_event", "col_node", "col_details", "col_ms")], rows, [0, 6]));
}

/** Whether the audit is still what it was when the run ended. */
function audit(verification) {
  if (!verification) return null;
  const text = sayCode("audit", verification.verdict);
  return h("p", { class: verification.verdict === "ALTERED" ? "notice bad" : "small" }, named(text, verification.verdict));
}

function auditorPart(run, runId, zone) {
  const out = h("div", { class: "stack" });
  const reasoning = async (event) => {
    if (!event.target.open || out.hasChildNodes()) return;
    try {
      const told = await api.get(`diagnosis/${encodeURIComponent(run.session_id)}/trace/reasoning`, { run_id: runId });
      fill(out, told.available
        ? told.entries.map((one) => h("div", { class: "stack tight" }, h("p", { class: "quiet small" }, one.step, " · ", whenClock(one.at, zone)),
          [one.text, one.assistant].filter(Boolean).map((text) => h("pre", { class: "verbatim" }, text))))
        : h("p", { class: "notice" }, say("reasoning_none", { why: told.why ?? "" })));
    } catch (error) {
      fill(out, problem(error));
    }
  };
  const said = h("div", {});
  const save = async () => {
    try {
      const address = URL.createObjectURL(await api.download(`runs/${encodeURIComponent(runId)}/export`));
      const link = h("a", { download: `rootproof-${runId}.json` });
      link.setAttribute("href", address);
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    } catch (error) {
      fill(said, problem(error));
    }
  };
  return h("section", { class: "stack" },
    h("div", {}, h("button", { class: "button", type: "button", onclick: save }, say("export"))), said,
    h("details", { ontoggle: reasoning }, h("summary", {}, say("reasoning")), out));
}
