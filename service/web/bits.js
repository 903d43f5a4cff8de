// Small parts that several views share.
import { h } from "./dom.js";
import { say, sayCode } from "./say.js";
import { moment, span, spanInUtc } from "./times.js";
import { whenSpan } from "./when.js";

const TONE = { SUCCESS: "good", FALLBACK: "open", FAILED: "bad", CANCELLED: "" };

/** How a run ended, or that it has not. */
export function outcomeBadge(run) {
  if (!run.outcome) return h("span", { class: "badge live" }, say("running"));
  return h("span", { class: `badge ${TONE[run.outcome] ?? ""}` }, sayCode("outcome", run.outcome));
}

/** A titled section; nothing where it has no content. */
export function section(title, ...content) {
  const inside = content.flat(Infinity).filter(Boolean);
  return inside.length ? h("section", { class: "section" }, h("h2", {}, title), inside) : null;
}

/** A heading that takes the focus when its view opens. */
export function title(text, props = {}) {
  return h("h1", { tabindex: "-1", ...props }, text);
}

export function tag(text, tone = "") {
  return h("span", { class: `tag ${tone}` }, text);
}

/** What kind of source a tool searches; a tool this page does not know goes by its own name. */
export function sourceOf(tool) {
  return sayCode("source", tool);
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** The filters of a search as text; one that is an instant, in the zone of the sources. */
function filtersOf(scope, zone) {
  return Object.entries(scope.filters ?? {}).map(([name, value]) => `${name}=${INSTANT.test(value) ? moment(value, zone) : value}`);
}

/** Where a record was searched: tool, source, window, filters, as short tags. */
export function scopeTags(record, zone) {
  const scope = record.scope ?? {};
  const filters = filtersOf(scope, zone);
  const window = scope.window ? whenSpan(scope.window.start, scope.window.end, zone) : null;
  return h("div", { class: "scope" }, [sourceOf(record.tool), scope.source, window, ...filters].filter(Boolean).map((one) => tag(one)));
}

/** The same in one line of text. */
export function scopeLine(record, zone) {
  const scope = record.scope ?? {};
  const filters = filtersOf(scope, zone);
  const window = scope.window ? span(scope.window.start, scope.window.end, zone) : "";
  return [sourceOf(record.tool), scope.source, window, ...filters].filter(Boolean).join(" · ");
}

/** The window of that line in UTC; null where time played no part. */
export function scopeInUtc(record) {
  const window = record.scope?.window;
  return window ? spanInUtc(window.start, window.end) || null : null;
}

/** What the service refused, as a person reads it; with a way to try again where that makes sense. */
export function problem(error, again = null) {
  return h("div", { class: "notice bad stack", role: "alert" },
    h("p", {}, error.message || say("broken")),
    again ? h("div", {}, h("button", { class: "button", type: "button", onclick: again }, say("retry"))) : null);
}

export function loading() {
  return h("p", { class: "quiet", role: "status" }, say("loading"));
}

/** A table with named columns; `numbers` are the places of columns of figures. */
export function table(caption, columns, rows, numbers = []) {
  const kind = (place) => (numbers.includes(place) ? "number" : "");
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, columns.map((name, place) => h("th", { scope: "col", class: kind(place) }, name)))),
      h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, place) => h("td", { class: kind(place) }, cell)))))));
}

/** Says something once, aloud and in a corner. */
export function toast(text) {
  const note = h("p", { class: "toast arrives" }, text);
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}
