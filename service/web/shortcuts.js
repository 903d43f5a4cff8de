// Keyboard shortcuts: one table for what they do and what the help says. Single keys can be turned off.
import { fill, h } from "./dom.js";
import { say } from "./say.js";
import { kept } from "./store.js";

const LISTED = [
  ["a", "key_ask"], ["r", "key_runs"], ["k", "key_knowledge"], ["/", "key_focus"], ["1–9", "key_proof"], ["t", "key_trace"],
  ["Esc", "key_close"], ["d", "key_theme"], ["l", "key_language"], ["?", "key_help"],
];
const areOn = () => kept.get("shortcuts") !== "off";
const isTyping = (target) => target instanceof Element && (target.closest("input:not([type=range]):not([type=checkbox]), textarea, select") !== null);

/** `acts`: what each shortcut does on the page that is open. */
export function listenForKeys(acts) {
  const table = {
    a: () => acts.go("#/"), r: () => acts.go("#/runs"), k: () => acts.go("#/knowledge"),
    "/": acts.focusField, t: acts.openTrace, d: acts.changeTheme, l: acts.changeLanguage, "?": acts.showHelp,
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      if (acts.close()) event.preventDefault();
      return;
    }
    if (isTyping(event.target) || !areOn()) return;
    const act = /^[1-9]$/.test(event.key) ? () => acts.openProof(event.key) : table[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** The list of shortcuts, with the switch that turns single keys off. */
export function showHelp() {
  const dialog = h("dialog", { "aria-labelledby": "help-title" });
  const on = h("input", { type: "checkbox", id: "shortcuts-on", checked: areOn(), onchange: () => kept.set("shortcuts", on.checked ? null : "off") });
  fill(dialog, h("div", { class: "stack" },
    h("h2", { id: "help-title" }, say("shortcuts")),
    h("dl", { class: "keys" }, LISTED.map(([key, name]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, say(name))])),
    h("p", { class: "row" }, on, h("label", { for: "shortcuts-on" }, say("shortcuts_on"))),
    h("div", {}, h("button", { class: "button", type: "button", autofocus: true, onclick: () => dialog.close() }, say("close")))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
