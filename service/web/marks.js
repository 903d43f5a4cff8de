// Where the words that were quoted stand in a text, and the text with them marked. The first part is pure.
import { h } from "./dom.js";

/** Sorted, disjoint [start, end) of every quote in the text; white space in a quote fits any white space. Pure. */
export function rangesOf(text, quotes) {
  const found = quotes.map((quote) => find(text, quote)).filter(Boolean).sort((a, b) => a[0] - b[0]);
  const merged = [];
  for (const [start, end] of found) {
    const last = merged.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function find(text, quote) {
  if (!quote || !quote.trim()) return null;
  const exact = text.indexOf(quote);
  if (exact >= 0) return [exact, exact + quote.length];
  const words = quote.trim().split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const loose = new RegExp(words.join("\\s+")).exec(text);
  return loose ? [loose.index, loose.index + loose[0].length] : null;
}

/** The text as nodes, quoted words inside `<mark>`. Without a quote that is found: the bare text. */
export function marked(text, quotes) {
  const nodes = [];
  let at = 0;
  for (const [start, end] of rangesOf(text, quotes)) {
    nodes.push(text.slice(at, start), h("mark", {}, text.slice(start, end)));
    at = end;
  }
  return [...nodes, text.slice(at)];
}
