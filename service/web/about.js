// What a run was asked, over what, and what it took.
import { h } from "./dom.js";
import { say, sayCode } from "./say.js";
import { count, UTC, zoneText } from "./times.js";
import { when, whenSpan } from "./when.js";

/** A list of facts about a run. */
export function about(run, zone) {
  const usage = run.usage ?? {};
  const spent = say("spent_value", {
    model_calls: count(usage.model_calls), tool_calls: count(usage.tool_calls), tokens: count(usage.total_tokens),
    seconds: typeof usage.wall_ms === "number" ? (usage.wall_ms / 1000).toFixed(1) : "–",
  });
  const facts = [
    [say("question"), run.query],
    [say("asked_at"), run.opened_at ? when(run.opened_at, zone) : null],
    [say("window"), run.window ? whenSpan(run.window.start, run.window.end, zone) : null],
    [say("time_zone"), zone === UTC ? UTC : say("zone_of_sources", { zone: zoneText(zone, run.window?.end ?? run.opened_at) })],
    [say("model"), run.model],
    [say("stopped"), run.stop_reason ? sayCode("stop", run.stop_reason) : null],
    [say("spent"), spent],
    ...(run.notices ?? []).map((notice) => [say("note"), notice]),
    [say("code"), code(run)],
    [say("session"), run.session_id ? h("a", { href: `#/sessions/${encodeURIComponent(run.session_id)}` }, run.session_id) : null],
    [say("run"), h("span", { class: "mono" }, run.run_id)],
    [say(run.fork_checkpoint ? "fork_of" : "earlier_run"), run.parent_run_id ? parent(run) : null],
  ].filter(([, value]) => value);
  return h("dl", { class: "about" }, facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

/** Why there is no report, in words and as the code that a search of the log needs. */
function code(run) {
  if (run.fallback_type) return [sayCode("fallback", run.fallback_type), " ", h("span", { class: "mono quiet" }, run.fallback_type)];
  return run.failure_code ? h("span", { class: "mono" }, run.failure_code) : null;
}

function parent(run) {
  const link = h("a", { href: `#/runs/${encodeURIComponent(run.parent_run_id)}`, class: "mono" }, run.parent_run_id);
  if (!run.fork_checkpoint) return link;
  return [link, " ", h("span", { class: "quiet" }, say("fork_at")), " ", h("span", { class: "mono" }, run.fork_checkpoint)];
}
