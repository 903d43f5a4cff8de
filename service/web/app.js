// The frame: top bar, routes, theme, language, shortcuts. Every view gets `main` and what it needs, and nothing global.
import * as api from "./api.js";
import { problem, title } from "./bits.js";
import { fill, h, icon } from "./dom.js";
import { closePanel, isPanelOpen } from "./panel.js";
import { currentLanguage, say, setLanguage } from "./say.js";
import { listenForKeys, showHelp } from "./shortcuts.js";
import { kept } from "./store.js";
import { askView } from "./views/ask.js";
import { keyView } from "./views/key.js";
import { knowledgeView } from "./views/knowledge.js";
import { runView } from "./views/run.js";
import { runsView, sessionsView, sessionView } from "./views/runs.js";
import { traceView } from "./views/trace.js";

const ROUTES = [
  [/^\/?$/, askView, "nav_ask"],
  [/^\/runs$/, runsView, "nav_runs"],
  [/^\/sessions$/, sessionsView, "nav_runs"],
  [/^\/sessions\/([^/]+)$/, sessionView, "nav_runs"],
  [/^\/runs\/([^/]+)$/, runView, "nav_runs"],
  [/^\/runs\/([^/]+)\/trace$/, traceView, "nav_runs"],
  [/^\/knowledge$/, knowledgeView, "nav_knowledge"],
];
const THEMES = ["auto", "light", "dark"];
const THEME_ICON = { auto: "auto", light: "sun", dark: "moon" };
const NOBODY = { name: "", roles: [] };

const main = document.getElementById("main");
let leaving = new AbortController();
let about = null;
let isFirst = true;

const pathNow = () => (location.hash.startsWith("#/") ? location.hash.slice(1).split("?")[0] : "/");
const theme = () => (THEMES.includes(kept.get("theme")) ? kept.get("theme") : "auto");

function changeTheme() {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  kept.set("theme", next === "auto" ? null : next);
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  drawTop();
}

function changeLanguage() {
  setLanguage(currentLanguage() === "en" ? "zh" : "en");
  show();
}

function drawTop() {
  document.documentElement.lang = currentLanguage() === "zh" ? "zh-CN" : "en";
  document.getElementById("skip").textContent = say("skip");
  const current = ROUTES.find(([pattern]) => pattern.test(pathNow()))?.[2];
  const link = (href, name) => h("a", { href, "aria-current": name === current ? "page" : null }, say(name));
  const focused = document.activeElement?.id;
  fill(document.getElementById("top"),
    h("a", { class: "brand", href: "#/" }, h("img", { src: "static/mark.svg", alt: "", width: "26", height: "26" }), "Rootproof"),
    h("nav", { class: "nav", "aria-label": say("nav") }, link("#/", "nav_ask"), link("#/runs", "nav_runs"), link("#/knowledge", "nav_knowledge")),
    h("div", { class: "tools" },
      api.hasKey() && about ? h("span", { class: "small quiet" }, say("signed_as", { name: about.caller.name })) : null,
      tool("language", say("other_language"), say("other_language"), changeLanguage, { lang: currentLanguage() === "en" ? "zh-CN" : "en" }),
      tool("theme", icon(THEME_ICON[theme()]), say("theme", { name: say(`theme_${theme()}`) }), changeTheme),
      tool("help", "?", say("shortcuts"), showHelp)));
  if (focused) document.getElementById(focused)?.focus();
}

function tool(id, content, label, onclick, more = {}) {
  return h("button", { class: "icon", type: "button", id, "aria-label": label, title: label, onclick, ...more }, content);
}

/** Draws the page that the address names; whatever the page before was doing ends. */
async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  closePanel({ refocus: false });
  drawTop();
  const route = ROUTES.find(([pattern]) => pattern.test(pathNow()));
  if (!route) return drawn(() => fill(main, h("div", { class: "sheet" }, title(say("not_found")))));
  const [pattern, view] = route;
  const params = pattern.exec(pathNow()).slice(1).map(decode);
  const move = !isFirst;
  isFirst = false;
  let hasSettled = false;
  const settled = () => {
    if (!signal.aborted) arrive(move && !hasSettled);
    hasSettled = true;
  };
  try {
    about ??= await api.get("about", {}, signal);
    drawTop();
    await view(main, { params, signal, settled, about, caller: about.caller ?? NOBODY });
  } catch (error) {
    if (!signal.aborted) failed(error);
  }
  return null;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function failed(error) {
  if (error.status === 401) {
    const refused = api.hasKey();
    drawn(() => keyView(main, { refused, done: () => { about = null; show(); } }));
    return;
  }
  if (!error.code) console.error(error);
  const told = error.status === 404 ? { message: say("no_run") } : error.code ? error : { message: say("broken") };
  drawn(() => fill(main, h("div", { class: "sheet" }, title(say("broken")), problem(told, show))));
}

function drawn(draw) {
  draw();
  arrive(false);
}

/** Names the page, and gives a reader of the page its heading. */
function arrive(takesFocus) {
  const heading = main.querySelector("h1");
  document.title = heading ? `${heading.textContent} · Rootproof` : "Rootproof";
  if (!takesFocus) return;
  scrollTo({ top: 0, behavior: "instant" });
  heading?.focus({ preventScroll: true });
}

function skip(event) {
  event.preventDefault();
  main.focus();
  main.scrollIntoView();
}

document.getElementById("skip").addEventListener("click", skip);
addEventListener("hashchange", show);
listenForKeys({
  go: (hash) => { location.hash = hash; },
  focusField: () => main.querySelector("textarea, input[type=search], input[type=text]")?.focus(),
  openProof: (number) => main.querySelector(`#proof-${number} .cite`)?.click(),
  openTrace: () => main.querySelector("#to-trace")?.click(),
  close: () => (isPanelOpen() ? (closePanel(), true) : false),
  changeTheme, changeLanguage, showHelp,
});
show();
