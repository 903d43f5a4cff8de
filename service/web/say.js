// The language of the page, and every sentence in it.
import { kept } from "./store.js";
import { CODES, TEXTS } from "./texts.js";

const chosen = kept.get("language");
let language = chosen === "en" || chosen === "zh" ? chosen : firstOf(navigator.languages ?? [navigator.language]);

function firstOf(tags) {
  const known = tags.map((tag) => String(tag).slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "zh");
  return known ?? "en";
}

export function currentLanguage() {
  return language;
}

/** Speaks this language from now on, also after a reload. */
export function setLanguage(name) {
  language = name;
  kept.set("language", name);
}

/** The text of that name with its values filled in; an unknown name is a mistake of ours and is thrown. */
export function say(name, values = {}) {
  const text = TEXTS[name];
  if (!text) throw new Error(`no text ${name}`);
  return text[language].replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** Plain words for a code of one vocabulary, or the code itself where this page does not know it. */
export function sayCode(vocabulary, code) {
  return CODES[vocabulary]?.[code]?.[language] ?? String(code ?? "");
}

export function knowsCode(vocabulary, code) {
  return Object.hasOwn(CODES[vocabulary] ?? {}, code);
}
