// The first page: one question, and what it will be asked of.
import * as api from "../api.js";
import { askAndGo } from "../asking.js";
import { outcomeBadge, problem, section, sourceOf, tag, title } from "../bits.js";
import { field, fill, h } from "../dom.js";
import { say } from "../say.js";
import { ago, localOffset, withOffset } from "../times.js";

export async function askView(main, { about, signal, settled }) {
  const recent = h("div", {});
  fill(main, h("div", { class: "sheet" },
    h("div", { class: "hero" }, title(say("ask_title")), h("p", { class: "quiet" }, say("ask_lead"))),
    askForm(), recent, sources(about)));
  settled();
  const { runs } = await api.get("runs", { limit: 5 }, signal);
  fill(recent, section(say("recent"), runs.length ? h("ul", { class: "list" }, runs.map(runEntry)) : null));
}

function askForm() {
  const question = h("textarea", { id: "question", name: "query", rows: "3", maxlength: "4000", placeholder: say("ask_placeholder"), "aria-describedby": "ask-keys" });
  const since = h("input", { type: "text", name: "since", autocomplete: "off", spellcheck: "false", maxlength: "40" });
  const start = h("input", { type: "datetime-local", name: "from", step: "1" });
  const end = h("input", { type: "datetime-local", name: "to", step: "1" });
  const language = h("select", { name: "language" },
    h("option", { value: "" }, say("as_question")), h("option", { value: "en" }, "English"), h("option", { value: "zh" }, "中文"));
  const said = h("div", {});
  const submit = h("button", { class: "button main", type: "submit" }, say("ask"));
  const time = say("local_time", { offset: localOffset() });

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
      since: since.value.trim(), window_start: withOffset(start.value), window_end: withOffset(end.value), language: language.value,
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
    section(say("examples"), h("div", { class: "examples" }, ["example_1", "example_2", "example_3"].map((name) =>
      h("button", { type: "button", onclick: () => { question.value = say(name); question.focus(); } }, say(name))))));
  question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  return form;
}

function sources(about) {
  const known = about.sources.length
    ? h("div", { class: "row" }, about.sources.map((one) => tag(`${sourceOf(one.tool)} · ${one.name}`)))
    : h("p", { class: "quiet" }, say("no_sources"));
  return section(say("sources"), known,
    (about.notices ?? []).map((notice) => h("p", { class: "hint" }, notice)),
    h("p", { class: "hint" }, `${say("model")}: ${about.model} · Rootproof ${about.version}`));
}

/** One run in a list. */
export function runEntry(run) {
  return h("li", {},
    h("a", { class: "title", href: `#/runs/${encodeURIComponent(run.run_id)}` }, run.query),
    h("div", { class: "meta" }, outcomeBadge(run), h("time", { datetime: run.opened_at }, ago(run.opened_at)),
      h("a", { href: `#/sessions/${encodeURIComponent(run.session_id)}` }, run.session_id),
      h("a", { href: `#/runs/${encodeURIComponent(run.run_id)}/trace` }, say("trace_title"))));
}
