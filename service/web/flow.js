// The graph of the application with the path one run took through it, step by step.
import { fill, h, svg } from "./dom.js";
import { layered, NODE_HEIGHT, NODE_WIDTH } from "./layers.js";
import { say, sayCode } from "./say.js";
import { whenClock } from "./when.js";

const [START, END] = ["START", "END"];
/** Where every run closes: the one node that leads to END. */
const LAST = "close_run";
const PLAY_MS = 650;
const LINE_CHARS = 17;
const RADIUS = 8;
/** Ways back leave and arrive beside the middle, so that they never cover a way forward. */
const BACK_SHIFT = 22;
const SIDE = NODE_WIDTH / 2;
const HALF_HEIGHT = NODE_HEIGHT / 2;
const isTerminal = (name) => name === START || name === END;

/** `graph`: nodes and edges as the service gives them; `path`: the nodes this run took, in order. */
export function flow(graph, path, zone, signal) {
  const known = new Set([START, ...graph.nodes.map((one) => one.name), END]);
  const titles = new Map(graph.nodes.map((one) => [one.name, one.title || one.name]));
  const steps = path.filter((one) => known.has(one.name));
  const picture = drawing(graph, known, titles, steps);
  const said = h("p", { class: "small", role: "status", "aria-live": "polite" });
  const slider = h("input", { type: "range", min: "1", max: String(Math.max(steps.length, 1)), step: "1", "aria-label": say("path_label") });
  const list = h("ol", { class: "path", tabindex: "-1" });
  const buttons = steps.map((one, index) => h("button", { type: "button", onclick: () => go(index) },
    h("span", { class: "quiet" }, index + 1), h("span", {}, titles.get(one.name)), h("span", { class: "quiet mono" }, whenClock(one.at, zone))));
  fill(list, buttons.map((button) => h("li", {}, button)));
  let [now, timer] = [0, null];

  function go(index) {
    now = Math.max(0, Math.min(steps.length - 1, index));
    slider.value = String(now + 1);
    slider.setAttribute("aria-valuetext", titles.get(steps[now].name));
    buttons.forEach((button, place) => (place === now ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current")));
    const row = buttons[now];
    list.scrollTop = Math.max(0, row.offsetTop - list.offsetTop - list.clientHeight / 2);
    picture.show(now);
    fill(said, say("step_of", { n: now + 1, all: steps.length, name: titles.get(steps[now].name) }), exitText());
  }

  function exitText() {
    const [from, to] = [steps[now - 1]?.name, steps[now].name];
    if (!from) return "";
    const why = graph.edges.filter((edge) => edge.from === from && edge.to === to && edge.condition).map((edge) => sayCode("exit", edge.condition));
    const values = { from: titles.get(from), to: titles.get(to), why: [...new Set(why)].join(say("comma")) };
    return ` · ${say(why.length ? "step_exit_why" : "step_exit", values)}`;
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    fill(play, say("play"));
  }

  const play = h("button", { class: "button", type: "button", onclick: () => {
    if (timer) return stop();
    if (now === steps.length - 1) go(0);
    fill(play, say("pause"));
    timer = setInterval(() => (now < steps.length - 1 ? go(now + 1) : stop()), PLAY_MS);
    return null;
  } }, say("play"));
  signal.addEventListener("abort", () => clearInterval(timer));
  slider.addEventListener("input", () => { stop(); go(Number(slider.value) - 1); });
  if (!steps.length) return h("div", { class: "graph" }, picture.element);
  queueMicrotask(() => go(steps.length - 1));
  return h("div", { class: "flow" },
    h("div", { class: "graph" }, picture.element),
    h("div", { class: "stack" },
      h("div", { class: "row" },
        h("button", { class: "button", type: "button", onclick: () => { stop(); go(now - 1); } }, say("previous")),
        play,
        h("button", { class: "button", type: "button", onclick: () => { stop(); go(now + 1); } }, say("next"))),
      slider, said, list));
}

function drawing(graph, known, titles, steps) {
  const names = [...known].filter((name) => graph.edges.some((edge) => edge.from === name || edge.to === name));
  const pairs = new Map();
  for (const edge of graph.edges) {
    if (!known.has(edge.from) || !known.has(edge.to)) continue;
    const name = `${edge.from}>${edge.to}`;
    pairs.set(name, { from: edge.from, to: edge.to, why: [...(pairs.get(name)?.why ?? []), edge.condition].filter(Boolean) });
  }
  const layout = layered(names, [...pairs.values()]);
  const edges = new Map(layout.edges.map((edge) => [`${edge.from}>${edge.to}`, drawEdge(edge, wayText(edge, pairs.get(`${edge.from}>${edge.to}`).why, titles))]));
  const nodes = new Map(layout.nodes.map((node) => [node.name, drawNode(node, titles.get(node.name))]));
  const taken = [...new Set(steps.map((one) => titles.get(one.name)))].join(say("comma"));
  const element = svg("svg", { viewBox: `0 0 ${layout.width} ${layout.height}`, role: "img", "aria-label": say("graph_label", { names: taken || "–" }) },
    [...edges.values()].map((one) => one.element), [...nodes.values()].map((one) => one.element));
  return { element, show: (now) => light(steps, now, nodes, edges) };
}

function light(steps, now, nodes, edges) {
  const times = new Map();
  for (const { name } of steps.slice(0, now + 1)) times.set(name, (times.get(name) ?? 0) + 1);
  const visited = new Set(steps.slice(0, now + 1).map((one) => one.name));
  visited.add(START);
  if (steps[now].name === LAST) visited.add(END);
  const walked = new Set(steps.slice(1, now + 1).map((one, index) => `${steps[index].name}>${one.name}`));
  walked.add(`${START}>${steps[0].name}`);
  if (visited.has(END)) walked.add(`${LAST}>${END}`);
  const last = now > 0 ? `${steps[now - 1].name}>${steps[now].name}` : `${START}>${steps[0].name}`;
  for (const [name, one] of nodes) {
    one.element.setAttribute("class", `node ${name === steps[now].name ? "is" : visited.has(name) ? "was" : ""}`);
    fill(one.times, (times.get(name) ?? 0) > 1 ? `×${times.get(name)}` : "");
  }
  for (const [name, one] of edges) {
    const tone = name === last ? "is" : walked.has(name) ? "was" : "";
    one.line.setAttribute("class", `edge ${tone}`);
    one.tip.setAttribute("class", `tip ${tone}`);
    if (tone === "is") one.element.parentNode.insertBefore(one.element, one.element.parentNode.querySelector(".node"));
  }
}

function drawNode({ name, x, y, width, height }, title) {
  const isEnd = isTerminal(name);
  const times = svg("text", { class: "times", x: x + width / 2 - 5, y: y - height / 2 - 5 });
  const shape = isEnd
    ? svg("circle", { cx: x, cy: y, r: RADIUS })
    : svg("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: RADIUS });
  const lines = isEnd ? [] : wrapped(title);
  const text = lines.map((line, place) => svg("text", { x, y: y + (place - (lines.length - 1) / 2) * 14 }, line));
  return { times, element: svg("g", { class: "node", "data-node": name }, shape, text, times) };
}

/** A title in one line, or in two of about the same length. */
function wrapped(title) {
  if (title.length <= LINE_CHARS) return [title];
  const words = title.split(" ");
  if (words.length === 1) return [title];
  const fits = (cut) => Math.abs(words.slice(0, cut).join(" ").length - words.slice(cut).join(" ").length);
  const best = words.slice(1).map((_, place) => place + 1).sort((a, b) => fits(a) - fits(b))[0];
  return [words.slice(0, best).join(" "), words.slice(best).join(" ")];
}

/** What a pointer at a way is told: where it leads, and when it is taken. */
function wayText(edge, why, titles) {
  const name = (node) => titles.get(node) ?? node;
  const values = { from: name(edge.from), to: name(edge.to), why: why.map((one) => sayCode("exit", one)).join(say("comma")) };
  return say(why.length ? "step_exit_why" : "step_exit", values);
}

function drawEdge(edge, text) {
  const points = trimmed(edge);
  const line = svg("path", { class: "edge", d: edge.from === edge.to ? loop(edge.points[0]) : curve(points) });
  const tip = svg("path", { class: "tip", d: edge.from === edge.to ? loopTip(edge.points[0]) : arrow(points) });
  return { line, tip, element: svg("g", { "data-edge": `${edge.from}>${edge.to}` }, svg("title", {}, text), line, tip) };
}

/** The way points with both ends on the borders of their nodes. */
function trimmed({ points, from, to }) {
  if (points.length < 2) return points;
  const isDown = points[0].y < points.at(-1).y;
  const half = (name) => (isTerminal(name) ? RADIUS : HALF_HEIGHT);
  const aside = isDown ? 0 : BACK_SHIFT;
  const start = { x: points[0].x + aside, y: points[0].y + (isDown ? 1 : -1) * half(from) };
  const end = { x: points.at(-1).x + aside, y: points.at(-1).y - (isDown ? 1 : -1) * (half(to) + 6) };
  return [start, ...points.slice(1, -1), end];
}

function curve(points) {
  let told = `M${points[0].x} ${points[0].y}`;
  for (let index = 1; index < points.length; index += 1) {
    const [a, b] = [points[index - 1], points[index]];
    const middle = (a.y + b.y) / 2;
    told += ` C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}`;
  }
  return told;
}

function arrow(points) {
  const [before, end] = [points.at(-2), points.at(-1)];
  const way = end.y > before.y ? 1 : -1;
  return `M${end.x - 4.5} ${end.y} L${end.x + 4.5} ${end.y} L${end.x} ${end.y + way * 7} Z`;
}

const loop = ({ x, y }) => `M${x + SIDE} ${y - 9} C${x + SIDE + 24} ${y - 22} ${x + SIDE + 24} ${y + 22} ${x + SIDE + 6} ${y + 10}`;
const loopTip = ({ x, y }) => `M${x + SIDE + 7} ${y + 5} L${x + SIDE + 7} ${y + 14} L${x + SIDE} ${y + 9} Z`;
