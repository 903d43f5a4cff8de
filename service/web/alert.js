// The alert a run came from: its subject, and what else fired with it, which nobody looked into. All of it is text of the
// alerting system.
import { h } from "./dom.js";
import { section, tag } from "./bits.js";
import { say } from "./say.js";
import { when } from "./when.js";

/** A section; nothing where a person asked. */
export function alertPart(run, zone) {
  const alert = run.alert;
  if (!alert) return null;
  const risks = alert.related_risks ?? [];
  return section(say("alert_title"),
    h("div", { class: "stack tight" }, entry(alert.subject, zone), h("p", { class: "small quiet" }, say("alert_subject"))),
    risks.length ? h("h3", {}, say("alert_related", { n: risks.length + (alert.omitted ?? 0) })) : null,
    risks.length ? h("ul", { class: "facts", id: "related" }, risks.map((risk) => h("li", {}, entry(risk, zone, say("not_diagnosed"))))) : null,
    alert.omitted ? h("p", { class: "small quiet" }, say("alert_omitted", { n: alert.omitted })) : null);
}

function entry(one, zone, remark = "") {
  const labels = Object.entries(one.labels ?? {}).map(([name, value]) => `${name}=${value}`);
  return [
    h("div", { class: "row" }, h("strong", {}, one.name || "?"), remark ? tag(remark, "open") : null),
    h("div", { class: "meta" }, labels.map((label) => h("span", { class: "mono" }, label)), h("span", {}, say("alert_since"), " ", when(one.started_at, zone))),
  ];
}
