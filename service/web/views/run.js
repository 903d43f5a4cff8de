// One run: watched while it goes on, read when it has ended.
import * as api from "../api.js";
import { about } from "../about.js";
import { alertPart } from "../alert.js";
import { contextForm, followForm } from "../again.js";
import { loading, problem, section, title, toast } from "../bits.js";
import { fill, h } from "../dom.js";
import { answer, failure, fallback } from "../fallback.js";
import { feedback } from "../feedback.js";
import { report } from "../report.js";
import { Published } from "../result.js";
import { say, sayCode } from "../say.js";
import { Timeline } from "../timeline.js";
import { UTC } from "../times.js";

const PAUSES_MS = [500, 1000, 2000, 4000, 8000];

/** Shows the run of this id into `main`; `view.signal` ends everything when another page is opened. */
export async function runView(main, { params: [runId], signal, caller, about: service, settled }) {
  fill(main, h("div", { class: "sheet" }, loading()));
  const path = `runs/${encodeURIComponent(runId)}`;
  let run = await api.get(path, {}, signal);
  const zone = run.time_zone ?? UTC;
  const timeline = new Timeline(zone);
  signal.addEventListener("abort", () => timeline.end());
  if (run.run_state === "RUNNING") {
    showLive(main, run, timeline);
    settled();
    await watch(runId, timeline, signal);
    run = await api.get(path, {}, signal);
    toast(say("finished", { outcome: sayCode("outcome", run.outcome) }));
  }
  timeline.end();
  showResult(main, run, { timeline, zone, typed: service.time_zone, auditor: caller.roles.includes("auditor"), signal });
  settled();
}

function showLive(main, run, timeline) {
  const path = `runs/${encodeURIComponent(run.run_id)}`;
  const said = h("div", {});
  const act = (verb, name) => async (event) => {
    event.currentTarget.disabled = true;
    try {
      await api.post(`${path}/${verb}`);
      fill(said, h("p", { class: "quiet", role: "status" }, say(name)));
    } catch (error) {
      if (error.code !== "RUN_ENDED") fill(said, problem(error));
    }
  };
  fill(main, h("div", { class: "sheet" },
    h("div", { class: "stack" }, h("div", {}, h("span", { class: "badge live" }, say("running"))), title(run.query)),
    h("section", { class: "section" }, h("h2", { class: "unseen" }, say("live_steps")), timeline.element),
    h("div", { class: "row" },
      h("button", { class: "button", type: "button", id: "cancel", onclick: act("cancel", "cancelling") }, say("cancel")),
      h("button", { class: "button plain", type: "button", onclick: act("detach", "detached") }, say("detach"))),
    said));
}

/** Follows the run until its `done`, through lost connections, each time from the last event that was seen. */
async function watch(runId, timeline, signal) {
  let after = 0;
  for (let failed = 0; ; failed += 1) {
    try {
      for await (const event of api.follow(runId, after, signal, () => timeline.found())) {
        if (event.id) after = Number(event.id);
        failed = 0;
        timeline.add(event);
        if (event.type === "done") return;
      }
    } catch (error) {
      if (error.name === "AbortError" || (error.status >= 400 && error.status < 500 && error.status !== 429)) throw error;
    }
    signal.throwIfAborted();
    timeline.lost();
    await pause(PAUSES_MS[Math.min(failed, PAUSES_MS.length - 1)], signal);
  }
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

/** `typed`: the zone of the sources now, in which a time that is typed is taken. */
function showResult(main, run, { timeline, zone, typed, auditor, signal }) {
  const page = { run, published: new Published(run), zone, auditor };
  const draw = run.report ? report : run.fallback ? fallback : run.answer ? answer : failure;
  const asksContext = run.fallback || (!run.report && !run.answer);
  fill(main, h("article", { class: "sheet arrives", "data-outcome": run.outcome },
    h("div", { class: "row spread" },
      h("p", { class: "quiet asked" }, run.query),
      h("a", { class: "small", href: `#/runs/${encodeURIComponent(run.run_id)}/trace`, id: "to-trace" }, say("show_trace"))),
    draw(page),
    alertPart(run, zone),
    asksContext ? contextForm(run, typed) : null,
    feedback(run),
    asksContext ? null : followForm(run),
    went(run, timeline, signal),
    section(say("about"), about(run, zone))));
}

/** The steps of the run, folded; read from its kept events where it was not watched. */
function went(run, timeline, signal) {
  const load = async (event) => {
    if (!event.target.open || !timeline.isEmpty) return;
    try {
      for await (const one of api.follow(run.run_id, 0, signal)) {
        timeline.add(one);
        if (one.type === "done") return;
      }
    } catch (error) {
      if (error.name !== "AbortError") timeline.element.append(problem(error));
    }
  };
  return h("details", { ontoggle: load }, h("summary", {}, say("how_it_went")), timeline.element);
}
