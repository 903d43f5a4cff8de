// Asking on in the same session: with the context a fallback misses, or with any further question.
import { askAndGo } from "./asking.js";
import { field, fill, h } from "./dom.js";
import { problem } from "./bits.js";
import { say } from "./say.js";
import { zoneText } from "./times.js";

/** A form for what a fallback misses: service, window, text. `zone`: that of the sources now, in which times are typed. */
export function contextForm(run, zone) {
  const service = h("input", { type: "text", name: "service", autocomplete: "off", spellcheck: "false", maxlength: "120" });
  const start = h("input", { type: "datetime-local", name: "from", step: "1" });
  const end = h("input", { type: "datetime-local", name: "to", step: "1" });
  const text = h("textarea", { name: "context", rows: "2", maxlength: "1500" });
  const time = say("source_time", { zone: zoneText(zone) });
  return form(say("context_title"), say("context_lead"), say("context_ask"), [
    h("div", { class: "fields" },
      field(say("context_service"), service, say("context_service_hint")),
      field(say("from"), start, time), field(say("to"), end, time)),
    field(say("context_text"), text, say("context_text_hint")),
  ], () => {
    const added = [service.value.trim() ? say("context_line_service", { name: service.value.trim() }) : "", text.value.trim()].filter(Boolean);
    if (!added.length && !start.value && !end.value) throw new Error(say("context_empty"));
    return {
      query: [run.query, ...added].join("\n"), sessionId: run.session_id, followUpOf: run.query,
      options: { window_start: start.value, window_end: end.value, language: run.language },
    };
  });
}

/** A field for the next question of the session. */
export function followForm(run) {
  const text = h("input", { type: "text", name: "follow", autocomplete: "off", maxlength: "2000" });
  return form(say("follow_title"), "", say("follow_ask"), [field(say("question"), text)], () => {
    if (!text.value.trim()) throw new Error(say("ask_empty"));
    return { query: text.value.trim(), sessionId: run.session_id, followUpOf: run.query };
  });
}

function form(heading, lead, verb, fields, read) {
  const said = h("div", {});
  const submit = h("button", { class: "button main", type: "submit" }, verb);
  const onsubmit = async (event) => {
    event.preventDefault();
    fill(said);
    submit.disabled = true;
    try {
      await askAndGo(read());
    } catch (error) {
      fill(said, problem(error));
    } finally {
      submit.disabled = false;
    }
  };
  return h("section", { class: "card stack again" }, h("h2", {}, heading), lead ? h("p", { class: "quiet" }, lead) : null,
    h("form", { class: "stack", onsubmit, novalidate: true }, fields, said, h("div", {}, submit)));
}
