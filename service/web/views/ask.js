// The first page: one question, and what it will be asked of.
import * as api from "../api.js";
import { askAndGo } from "../asking.js";
import { outcomeBadge, problem, section, sourceOf, tag, title } from "../bits.js";
import { field, fill, h } from "../dom.js";
import { prose } from "../prose.js";
import { say } from "../say.js";
import { zoneText } from "../times.js";
import { when, whenAgo } from "../when.js";

export async function askView(main, { about, signal, settled }) {
  const [recent, form] = [h("div", {}), askForm(about)];
  fill(main, h("div", { class: "sheet" },
    h("div", { class: "hero" }, title(say("ask_title")), h("p", { class: "quiet" }, say("ask_lead"))),
    form.element, recent, sources(about)));
  settled();
  const { runs } = await api.get("runs", { limit: 5 }, signal);
  if (!runs.length && about.demo) form.suggest(about.demo.question);
  fill(recent, section(say("recent"), runs.length ? h("ul", { class: "list" }, runs.map(runEntry)) : null));
}

/** `element`, and `suggest`: writes a question into the field as long as nothing stands there. */
function askForm(about) {
  const question = h("textarea", { id: "question", name: "query", rows: "3", maxlength: "4000", placeholder: say("ask_placeholder"), "aria-describedby": "ask-keys" });
  const since = h("input", { type: "text", name: "since", autocomplete: "off", spellcheck: "false", maxlength: "40" });
  const start = h("input", { type: "datetime-local", name: "from", step: "1" });
  const end = h("input", { type: "datetime-local", name: "to", step: "1" });
  const language = h("select", { name: "language" },
    h("option", { value: "" }, say("as_question")), h("option", { value: "en" }, "English"), h("option", { value: "zh" }, "中文"));
  const said = h("div", {});
  const submit = h("button", { class: "button main", type: "submit" }, say("ask"));
  const time = say("source_time", { zone: zoneText(about.time_zone) });

  async function onsubmit(event) {
    event.preventDefault();
    fill(said);
    fill(submit, say("asking"));
    submit.disabled = true;
    try {
      await askAndGo(order());
    } catch (error) {
      fill(said, problem(error));
      question.focus();
    } finally {
      submit.disabled = false;
      fill(submit, say("ask"));
    }
  }

  function order() {
    const query = question.value.trim();
    if (!query) throw new Error(say("ask_empty"));
    if (since.value.trim() && (start.value || end.value)) throw new Error(say("since_or_window"));
    return { query, options: {
      since: since.value.trim(), window_start: start.value, window_end: end.value, language: language.value,
    } };
  }

  const form = h("form", { class: "stack", onsubmit, novalidate: true },
    h("div", { class: "ask-box" },
      h("label", { class: "unseen", for: "question" }, say("question")), question,
      h("div", { class: "bar" }, h("span", { class: "hint", id: "ask-keys" }, say("ask_keys")), submit)),
    said,
    h("details", {}, h("summary", {}, say("options")),
      h("div", { class: "fields" },
        field(say("since"), since, say("since_hint")), field(say("from"), start, time), field(say("to"), end, time),
        field(say("answer_language"), language))),
    examples(about, (text) => { question.value = text; question.focus(); }));
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  return { element: form, suggest: (text) => { question.value ||= text; } };
}

/** Questions to choose from; first the one that the data of a demonstration answer. */
function examples(about, choose) {
  const button = (text) => h("button", { type: "button", onclick: () => choose(text) }, text);
  const others = (about.demo ? ["example_3"] : ["example_1", "example_2", "example_3"]).map((name) => button(say(name)));
  if (!about.demo) return section(say("examples"), h("div", { class: "examples" }, others));
  return section(say("demo_title", { title: about.demo.title }),
    h("p", { class: "quiet" }, say("demo_lead")),
    h("div", { class: "examples" }, h("div", { id: "demo-question" }, button(about.demo.question)), others));
}

function sources(about) {
  const known = about.sources.length
    ? h("div", { class: "row" }, about.sources.map((one) => tag(`${sourceOf(one.tool)} · ${one.name}`)))
    : h("div", { class: "notice open stack", id: "no-sources" }, h("p", {}, say("no_sources")), h("p", {}, prose(say("no_sources_way"))));
  return section(say("sources"), known,
    about.now ? h("p", { class: "hint" }, say("sources_now"), " ", when(about.now, about.time_zone)) : null,
    (about.notices ?? []).map((notice) => h("p", { class: "hint" }, notice)),
    h("p", { class: "hint" }, say("model_line", { name: about.model, version: about.version })));
}

/** One run in a list. */
export function runEntry(run) {
  return h("li", {},
    h("a", { class: "title", href: `#/runs/${encodeURIComponent(run.run_id)}` }, run.query),
    h("div", { class: "meta" }, outcomeBadge(run), whenAgo(run.opened_at),
      h("a", { href: `#/sessions/${encodeURIComponent(run.session_id)}` }, run.session_id),
      h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}/trace` }, say("trace_title"))));
}
