// The points of a metric series out of the words that tell it. Pure.
const PART = /; points(?: in ([^:;]+))?: (.+)$/s;
const POINT = /(?:(\d{4}-\d{2}-\d{2})T)?(\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:\d{2})? (-?[\d.]+(?:e[+-]?\d+)?)/gi;

/** `{name, unit, points: [{at, value}]}`, `at` in ms; null where fewer than two points can be read. */
export function readSeries(text) {
  const part = PART.exec(text);
  if (!part) return null;
  const points = [];
  let [date, offset, last] = ["", "Z", -Infinity];
  for (const [, day, time, zone, figure] of part[2].matchAll(POINT)) {
    date = day ?? date;
    offset = zone ?? offset;
    const at = Date.parse(`${date}T${time}${offset}`);
    if (Number.isNaN(at) || at <= last) return null;
    last = at;
    points.push({ at, value: Number(figure) });
  }
  const sound = points.length > 1 && points.every((point) => Number.isFinite(point.value));
  return sound ? { name: nameOf(text), unit: (part[1] ?? "").trim(), points } : null;
}

/** Metric and labels: what stands before the first figures. */
function nameOf(text) {
  const end = text.indexOf("}: ");
  return end >= 0 ? text.slice(0, end + 1) : text.split(": ", 1)[0];
}
