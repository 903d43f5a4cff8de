// Sentences of a report, set for reading: quoted words, code and bold get their own type; no word changes.
import { h } from "./dom.js";

const PIECES = /“([^”]+)”|`([^`\n]+)`|\*\*([^*\n]+)\*\*/g;
const SENTENCE_END = /[。！？](?=.)|[.!?](?=\s+[^a-z\s])|\n/;
const REASON = /, because |; because |，因为|，原因是/;
const LEAD_CHARS = 170;

/** The rest after its lead: the comma that joins the two is read, but not set at the head of a line. */
export function afterLead(rest) {
  const joint = /^[,;，] ?/.exec(rest)?.[0] ?? "";
  return [joint ? h("span", { class: "unseen" }, joint) : null, prose(rest.slice(joint.length))];
}

/** The text as nodes. */
export function prose(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(PIECES)) {
    nodes.push(text.slice(at, match.index), piece(match));
    at = match.index + match[0].length;
  }
  return [...nodes, text.slice(at)];
}

function piece([, said, code, bold]) {
  if (said !== undefined) return ["“", h("span", { class: "said" }, said), "”"];
  if (code !== undefined) return h("code", {}, code);
  return h("strong", {}, bold);
}

/** The cause itself and the rest: up to its reason if that is short, else the first sentence. Nothing is lost. Pure. */
export function leadAndRest(text) {
  const bare = text.trim();
  const reason = REASON.exec(bare);
  if (reason && reason.index <= LEAD_CHARS) return [bare.slice(0, reason.index), bare.slice(reason.index)];
  const end = SENTENCE_END.exec(bare);
  return end ? [bare.slice(0, end.index + end[0].length).trim(), bare.slice(end.index + end[0].length).trim()] : [bare, ""];
}
