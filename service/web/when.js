// Times as elements: read in the zone of the sources, and in UTC by whoever points at them.
import { h } from "./dom.js";
import { ago, clock, inUtc, moment, span, spanInUtc } from "./times.js";

function instant(value, text) {
  return h("time", { datetime: value, title: inUtc(value) }, text);
}

export const when = (value, zone) => instant(value, moment(value, zone));
export const whenClock = (value, zone) => instant(value, clock(value, zone));
export const whenAgo = (value) => instant(value, ago(value));

/** A span of time; nothing if an end of it is missing. */
export function whenSpan(start, end, zone) {
  const text = span(start, end, zone);
  return text ? h("span", { title: spanInUtc(start, end) }, text) : null;
}
