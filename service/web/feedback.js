// A person's judgement of one run.
import * as api from "./api.js";
import { field, fill, h } from "./dom.js";
import { problem } from "./bits.js";
import { say } from "./say.js";

/** Two buttons, and a field for what was really the cause. */
export function feedback(run) {
  const said = h("div", { role: "status", "aria-live": "polite" });
  const more = h("div", { hidden: true });
  const buttons = {};
  const send = async (verdict, correction = "") => {
    try {
      const body = { session_id: run.session_id, run_id: run.run_id, verdict, ...(correction ? { correction } : {}) };
      const reply = await api.post("feedback", body);
      for (const [name, button] of Object.entries(buttons)) button.setAttribute("aria-pressed", String(name === verdict));
      fill(said, h("p", {}, say(reply.case_id ? "thanks_case" : "thanks")));
      more.hidden = true;
    } catch (error) {
      fill(said, problem(error));
    }
  };
  const text = h("textarea", { rows: "3", maxlength: "4000", name: "correction" });
  fill(more, h("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); send("not_useful", text.value.trim()); } },
    field(say("correction"), text, say("correction_hint")),
    h("div", {}, h("button", { class: "button", type: "submit" }, say("send")))));
  buttons.useful = h("button", { class: "button", type: "button", "aria-pressed": "false", onclick: () => send("useful") }, say("useful"));
  buttons.not_useful = h("button", { class: "button", type: "button", "aria-pressed": "false",
    onclick: () => { more.hidden = false; buttons.not_useful.setAttribute("aria-pressed", "true"); buttons.useful.setAttribute("aria-pressed", "false"); text.focus(); } }, say("not_useful"));
  return h("section", { class: "stack judge" }, h("h2", {}, say("judge_title")), h("div", { class: "row" }, buttons.useful, buttons.not_useful), more, said);
}
