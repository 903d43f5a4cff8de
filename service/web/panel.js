// The side panel with exact evidence. On a narrow screen it covers the page, and only it can be reached.
import * as api from "./api.js";
import { fill, h, icon } from "./dom.js";
import { scopeTags } from "./bits.js";
import { prose } from "./prose.js";
import { recordBody } from "./records.js";
import { byCall } from "./result.js";
import { say } from "./say.js";

const kept = new Map();
let opener = null;
let turn = 0;
const covers = matchMedia("(max-width: 60rem)");

const place = () => document.getElementById("panel");

export function isPanelOpen() {
  return !place().hidden;
}

/** Closes it and gives the focus back to what opened it. */
export function closePanel({ refocus = true } = {}) {
  if (!isPanelOpen()) return;
  turn += 1;
  place().hidden = true;
  place().replaceChildren();
  document.getElementById("stage").classList.remove("has-panel");
  setBehind(false);
  opener?.setAttribute("aria-expanded", "false");
  opener?.closest(".proof")?.classList.remove("is-open");
  if (refocus) opener?.focus();
  opener = null;
}

/** Shows what proves a sentence. `cites`: `{tool_call_id, item_id, quote}`; `from`: the control that asked for it. */
export async function openPanel({ heading, sentence, cites, runId, published, zone, auditor, from }) {
  closePanel({ refocus: false });
  const mine = (turn += 1);
  opener = from;
  from?.setAttribute("aria-expanded", "true");
  from?.closest(".proof")?.classList.add("is-open");
  const bodies = byCall(cites).map(([callId, own]) => ({ callId, own, box: h("section", { class: "record" }) }));
  const title = h("h2", { tabindex: "-1", id: "panel-title" }, heading);
  fill(place(),
    h("div", { class: "panel-head" }, title,
      h("button", { class: "icon", type: "button", "aria-label": say("close_evidence"), title: say("close_evidence"), onclick: () => closePanel() }, icon("close"))),
    h("div", { class: "panel-body" },
      sentence ? h("p", { class: "claim" }, prose(sentence)) : null,
      bodies.map((one) => one.box)));
  place().setAttribute("aria-labelledby", "panel-title");
  place().hidden = false;
  place().scrollTop = 0;
  document.getElementById("stage").classList.add("has-panel");
  setBehind(covers.matches);
  title.focus({ preventScroll: true });
  await Promise.all(bodies.map(async ({ callId, own, box }) => {
    const drawn = await drawRecord({ runId, callId, own, published, zone, auditor });
    if (mine === turn) fill(box, drawn);
  }));
  if (mine === turn) reveal(place().querySelector(".lines .is-cited"));
}

/** Brings the first cited line into sight where it is far below; a line that is there already stays. */
function reveal(line) {
  if (line && line.offsetTop > place().clientHeight * 0.7) place().scrollTop = line.offsetTop - place().clientHeight * 0.3;
}

async function drawRecord({ runId, callId, own, published, zone, auditor }) {
  const { record, note } = await read(runId, callId, published);
  if (!record) return h("p", { class: "notice bad" }, note);
  const query = record.scope?.query;
  return [
    scopeTags(record, zone),
    note ? h("p", { class: "notice open" }, note) : null,
    record.coverage === "PARTIAL" ? h("p", { class: "hint" }, say("coverage_partial")) : null,
    query ? h("details", {}, h("summary", {}, say(record.tool === "query_sql" ? "statement" : "search_text")), h("pre", { class: "verbatim query", tabindex: "0" }, query)) : null,
    recordBody(record, own, zone),
    auditor ? rawPart(runId, callId) : null,
  ];
}

/** The whole result while it is kept; else what was published of it, and why it is not more. */
async function read(runId, callId, published) {
  const name = `${runId}/${callId}`;
  const known = published?.record(callId) ?? null;
  try {
    if (!kept.has(name)) kept.set(name, await api.get(`runs/${encodeURIComponent(runId)}/evidence/${encodeURIComponent(callId)}`));
    const record = kept.get(name);
    return { record, note: record.expired ? say("evidence_expired") : "" };
  } catch (error) {
    return { record: known, note: say("evidence_short", { why: `${error.message} ` }) };
  }
}

function rawPart(runId, callId) {
  const out = h("div", {});
  const show = async (event) => {
    if (!event.target.open || out.hasChildNodes()) return;
    try {
      const reply = await api.get(`runs/${encodeURIComponent(runId)}/evidence/${encodeURIComponent(callId)}/raw`);
      fill(out, h("pre", { class: "verbatim query", tabindex: "0" }, reply.raw));
    } catch (error) {
      fill(out, h("p", { class: "notice bad" }, error.message));
    }
  };
  return h("details", { ontoggle: show }, h("summary", {}, say("raw")), out);
}

function setBehind(inert) {
  for (const id of ["main", "top", "skip"]) document.getElementById(id).inert = inert;
}

covers.addEventListener("change", () => isPanelOpen() && setBehind(covers.matches));
