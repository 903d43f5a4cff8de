// One result exactly as it was found, with what is cited of it marked: lines, rows, passages, series or plain items.
import { h } from "./dom.js";
import { chart } from "./chart.js";
import { marked, rangesOf } from "./marks.js";
import { readSeries } from "./points.js";
import { say } from "./say.js";
import { count, inUtc, moment } from "./times.js";

const BRIEF_CHARS = 40;
/** A table of more columns becomes a list of cards where it does not fit (`.as-cards`). */
const MOST_COLUMNS = 4;

/** Nodes for the items of a record; `cites` are those of this record alone. */
export function recordBody(record, cites, zone) {
  if (!record.items.length) return h("p", { class: "notice" }, say("empty_result"));
  const shown = { record, zone, quotes: quotesByItem(cites), cited: citedIds(record, cites) };
  const draw = { query_logs: lines, query_sql: rows, query_metrics: series, lookup_knowledge: passages }[record.tool];
  return (draw ?? plain)(shown);
}

function quotesByItem(cites) {
  const quotes = new Map();
  for (const { item_id: id, quote } of cites) quotes.set(id, [...(quotes.get(id) ?? []), quote].filter(Boolean));
  return quotes;
}

function citedIds(record, cites) {
  if (cites.some((one) => one.whole)) return new Set(record.cited_item_ids ?? []);
  return new Set(cites.map((one) => one.item_id).filter(Boolean));
}

const quotesOf = (shown, item) => shown.quotes.get(item.item_id) ?? [];
const flag = () => h("span", { class: "flag" }, say("cited"));

/** Log lines in the order of time, the cited ones among their neighbours; then the patterns. */
function lines(shown) {
  const isPattern = (item) => item.item_id.startsWith("pat:");
  const events = shown.record.items.filter((item) => !isPattern(item));
  const patterns = shown.record.items.filter(isPattern);
  const cites = (items) => items.some((item) => shown.cited.has(item.item_id));
  const groups = [[say("log_lines"), events], [say("log_patterns"), patterns]].filter(([, items]) => items.length);
  groups.sort((a, b) => cites(b[1]) - cites(a[1]));
  return groups.map(([title, items]) => h("div", { class: "stack tight" },
    h("h4", { class: "label" }, title),
    h("ol", { class: "lines" }, items.map((item) => line(shown, item)))));
}

function line(shown, item) {
  const isCited = shown.cited.has(item.item_id);
  const level = String(item.fields?.level ?? "").toUpperCase();
  const tone = /ERROR|FATAL|CRIT/.test(level) ? "is-error" : /WARN/.test(level) ? "is-warn" : "";
  return h("li", { class: `${tone} ${isCited ? "is-cited" : "is-context"}`, "data-item": item.item_id },
    isCited ? [flag(), "\n"] : null,
    h("span", { class: "text" }, marked(item.text, quotesOf(shown, item))),
    item.fields && "count" in item.fields ? h("span", { class: "counts", title: timesOf(item.fields, inUtc) || null }, counts(item.fields, shown.zone)) : null);
}

function counts(fields, zone) {
  const told = [say("pattern_counts", { count: count(fields.count), before: count(fields.count_before) })];
  return [...told, timesOf(fields, (value) => moment(value, zone))].filter(Boolean).join(" · ");
}

function timesOf(fields, tell) {
  return fields.first_ts ? say("pattern_times", { first: tell(fields.first_ts), last: tell(fields.last_ts) }) : "";
}

/** Rows as a table where their fields are known, and the cited ones word for word. */
function rows(shown) {
  const items = shown.record.items;
  const columns = [...new Set(items.flatMap((item) => Object.keys(item.fields ?? {})))];
  if (!columns.length) return plain(shown);
  const cited = items.filter((item) => shown.cited.has(item.item_id));
  return [
    h("div", { class: "stack tight" }, h("h4", { class: "label" }, say("rows")),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": say("rows") },
        // Roles are said: drawn as cards, a table would lose its own.
        h("table", { role: "table", class: columns.length > MOST_COLUMNS ? "as-cards" : "" },
          h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map((name) => h("th", { scope: "col", role: "columnheader" }, name)))),
          h("tbody", { role: "rowgroup" }, items.map((item) => row(shown, item, columns)))))),
    cited.length ? h("div", { class: "stack tight" }, h("h4", { class: "label" }, say("rows_exact")),
      cited.map((item) => verbatim(shown, item))) : null,
  ];
}

function row(shown, item, columns) {
  const isCited = shown.cited.has(item.item_id);
  const cells = cellsOf(item, columns);
  const quoted = isCited ? rangesOf(item.text, quotesOf(shown, item)) : [];
  return h("tr", { role: "row", class: isCited ? "is-cited" : "", "data-item": item.item_id }, cells.map(({ text, start }, place) => {
    const isQuoted = start !== null && text && quoted.some(([from, to]) => from <= start && start + text.length <= to);
    return h("td", { role: "cell", class: text.length <= BRIEF_CHARS ? "brief" : "", "data-name": columns[place] }, isQuoted ? h("mark", {}, text) : text);
  }));
}

/** The cells of a row as its own words have them, each with its place; from the typed fields where the words differ. */
function cellsOf(item, columns) {
  const cells = [];
  let at = 0;
  for (const [place, name] of columns.entries()) {
    const start = at + name.length + 1;
    if (item.text.slice(at, start) !== `${name}=`) return columns.map((one) => ({ text: cell(item.fields[one]), start: null }));
    const next = columns[place + 1];
    const end = next === undefined ? item.text.length : item.text.indexOf(`, ${next}=`, start);
    if (end < 0) return columns.map((one) => ({ text: cell(item.fields[one]), start: null }));
    cells.push({ text: item.text.slice(start, end), start });
    at = end + 2;
  }
  return cells;
}

const cell = (value) => (value === null || value === undefined ? "NULL" : String(value));

/** Whole passages, the cited ones first with the quoted words marked. */
function passages(shown) {
  const title = (item) => String(item.fields?.breadcrumb || item.fields?.title || item.item_id);
  const one = (item) => h("div", { class: "stack tight" }, h("h4", { class: "label" }, title(item)), verbatim(shown, item));
  return citedThenOthers(shown, one);
}

/** A chart for each series whose points can be read, always with the words the chart was read from. */
function series(shown) {
  return citedThenOthers(shown, (item) => {
    const read = readSeries(item.text);
    return h("div", { class: "stack tight" },
      h("h4", { class: "label mono" }, read ? read.name : say("series")),
      read ? chart(read, shown.zone) : null,
      verbatim(shown, item));
  });
}

function plain(shown) {
  return citedThenOthers(shown, (item) => verbatim(shown, item));
}

function citedThenOthers(shown, draw) {
  const cited = shown.record.items.filter((item) => shown.cited.has(item.item_id));
  const others = shown.record.items.filter((item) => !shown.cited.has(item.item_id));
  if (!cited.length) return others.map(draw);
  return [
    ...cited.map(draw),
    others.length ? h("details", {}, h("summary", {}, say("other_items", { n: others.length })), h("div", { class: "stack" }, others.map(draw))) : null,
  ];
}

function verbatim(shown, item) {
  const isCited = shown.cited.has(item.item_id);
  return h("pre", { class: `verbatim ${isCited ? "is-cited" : ""}`, "data-item": item.item_id },
    marked(item.text, quotesOf(shown, item)));
}
