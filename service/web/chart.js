// One metric series as a small line chart. What it shows is said in its label too.
import { h, svg } from "./dom.js";
import { say } from "./say.js";
import { clock, inUtc, moment } from "./times.js";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [600, 190, 64, 16, 16, 26];

const figure = (value) => (Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-3) ? value.toExponential(2) : Number(value.toPrecision(4)).toString());

/** A figure element for a series of `points.js`. */
export function chart(series, zone) {
  const { points, unit } = series;
  const values = points.map((point) => point.value);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high - low || Math.abs(high) || 1;
  const [from, to] = [points[0].at, points.at(-1).at];
  const x = (at) => LEFT + ((at - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - ((value - low) / room) * (HEIGHT - TOP - BOTTOM);
  const spots = points.map((point) => `${x(point.at).toFixed(1)},${y(point.value).toFixed(1)}`);
  const base = HEIGHT - BOTTOM;
  const label = say("chart_label", {
    name: series.name, low: figure(low), high: figure(high), unit, start: moment(from, zone), end: moment(to, zone),
  });
  const peak = points[values.indexOf(high)];
  return h("figure", { class: "chart" },
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      [low, low + room / 2, high].map((value) => [
        svg("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
        svg("text", { x: LEFT - 8, y: y(value) + 4, "text-anchor": "end" }, figure(value)),
      ]),
      svg("polygon", { class: "area", points: `${x(from)},${base} ${spots.join(" ")} ${x(to)},${base}` }),
      svg("polyline", { class: "curve", points: spots.join(" ") }),
      svg("circle", { class: "dot", cx: x(peak.at), cy: y(high), r: 3.5 }),
      svg("text", { x: LEFT, y: HEIGHT - 8 }, svg("title", {}, inUtc(from)), clock(from, zone)),
      svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 8, "text-anchor": "end" }, svg("title", {}, inUtc(to)), clock(to, zone)),
      unit ? svg("text", { x: LEFT + 6, y: TOP + 2 }, unit) : null,
    ));
}
