// What a run was asked, over what, and what it took.
import { h } from "./dom.js";
import { say, sayCode } from "./say.js";
import { count, moment, span } from "./times.js";

/** A list of facts about a run. */
export function about(run) {
  const usage = run.usage ?? {};
  const spent = say("spent_value", {
    model_calls: count(usage.model_calls), tool_calls: count(usage.tool_calls), tokens: count(usage.total_tokens),
    seconds: typeof usage.wall_ms === "number" ? (usage.wall_ms / 1000).toFixed(1) : "–",
  });
  const facts = [
    [say("question"), run.query],
    [say("asked_at"), run.opened_at ? moment(run.opened_at) : null],
    [say("window"), run.window ? `${span(run.window.start, run.window.end, run.window.time_zone)} (${run.window.time_zone})` : null],
    [say("model"), run.model],
    [say("stopped"), run.stop_reason ? sayCode("stop", run.stop_reason) : null],
    [say("spent"), spent],
    ...(run.notices ?? []).map((notice) => [say("note"), notice]),
    [say("code"), run.fallback_type ?? run.failure_code],
    [say("session"), run.session_id ? h("a", { href: `#/sessions/${encodeURIComponent(run.session_id)}` }, run.session_id) : null],
    [say("run"), h("span", { class: "mono" }, run.run_id)],
    [say("earlier_run"), run.parent_run_id ? h("a", { href: `#/runs/${encodeURIComponent(run.parent_run_id)}`, class: "mono" }, run.parent_run_id) : null],
  ].filter(([, value]) => value);
  return h("dl", { class: "about" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}
