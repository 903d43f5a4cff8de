// The documents a diagnosis can quote: search, add, list, delete; and the cases an operator decides.
import * as api from "../api.js";
import { loading, problem, section, tag, title, toast } from "../bits.js";
import { field, fill, h } from "../dom.js";
import { say, sayCode } from "../say.js";
import { count } from "../times.js";
import { whenAgo } from "../when.js";

const POLL_MS = 700;
const BEING_READ = ["PENDING", "PROCESSING"];
const STATE_TONE = { READY: "good", FAILED: "bad", PENDING: "", PROCESSING: "open" };
const TYPES = ".md,.markdown,.html,.htm,.txt,.pdf,.docx";

export async function knowledgeView(main, { signal, caller, settled }) {
  const isOperator = caller.roles.includes("operator");
  const documents = h("div", {}, loading());
  const show = () => showDocuments(documents, isOperator, signal);
  const cases = h("div", {});
  fill(main, h("div", { class: "sheet" },
    h("div", { class: "stack tight" }, title(say("knowledge_title")), h("p", { class: "quiet" }, say("knowledge_lead"))),
    section(say("search_title"), searchPart(signal)),
    isOperator ? section(say("upload_title"), uploadPart(show, signal)) : null,
    section(say("documents"), documents), cases));
  settled();
  await show();
  if (isOperator) await showCases(cases, show, signal);
}

function searchPart(signal) {
  const text = h("input", { type: "search", name: "q", maxlength: "400", autocomplete: "off", id: "search-text" });
  const out = h("div", { class: "stack", "aria-live": "polite", id: "hits" });
  const onsubmit = async (event) => {
    event.preventDefault();
    if (!text.value.trim()) return;
    fill(out, loading());
    try {
      fill(out, hits(await api.get("knowledge/search", { q: text.value.trim() }, signal)));
    } catch (error) {
      if (error.name !== "AbortError") fill(out, problem(error));
    }
  };
  return [h("form", { class: "stack", role: "search", onsubmit }, field(say("search_label"), text),
    h("div", {}, h("button", { class: "button main", type: "submit" }, say("search")))), out];
}

function hits(reply) {
  const dropped = Array.isArray(reply.dropped) ? reply.dropped.length : reply.dropped;
  const tries = (reply.attempts ?? []).map((one) => say("attempt", { source: one.source ?? "", n: count(one.candidates), name: sayCode("attempt", one.name) }));
  return [
    reply.hits.length ? h("ol", { class: "list" }, reply.hits.map(hit)) : h("p", { class: "notice" }, say("no_hits")),
    tries.length ? h("p", { class: "hint" }, say("attempts", { text: tries.join(say("comma")) })) : null,
    dropped ? h("p", { class: "hint" }, say("dropped", { n: dropped })) : null,
  ];
}

function hit(one) {
  const lists = (one.found_by ?? []).map((name) => sayCode("list", name)).join(say("comma"));
  return h("li", {},
    h("h3", {}, one.title),
    h("div", { class: "meta" }, one.section && one.section !== one.title ? h("span", {}, one.section) : null, h("span", { class: "mono" }, one.path)),
    h("pre", { class: "verbatim" }, one.text),
    h("div", { class: "meta" }, tag(sayCode("level", one.level), one.level === "PRECISE" ? "good" : "open"),
      typeof one.quality === "number" ? h("span", {}, say("quality", { n: one.quality.toFixed(2) })) : null,
      lists ? h("span", {}, say("found_by", { lists })) : null));
}

function uploadPart(show, signal) {
  const file = h("input", { type: "file", name: "file", accept: TYPES, id: "file" });
  const category = h("input", { type: "text", name: "category", maxlength: "60", autocomplete: "off" });
  const states = h("ul", { class: "stack tight", "aria-live": "polite", id: "uploads" });
  const submit = h("button", { class: "button main", type: "submit" }, say("add"));
  const send = async (one) => {
    const line = h("li", { class: "row" });
    states.prepend(line);
    const tell = (text, tone = "", more = "") => fill(line, h("span", { class: `badge ${tone}` }, text), more ? h("span", { class: "small" }, more) : null);
    tell(say("uploading", { name: one.name }), "live");
    const form = new FormData();
    form.append("file", one, one.name);
    if (category.value.trim()) form.append("category", category.value.trim());
    try {
      await follow(await api.upload("documents", form), one.name, tell, signal);
      await show();
    } catch (error) {
      if (error.name !== "AbortError") tell(sayCode("task", "FAILED"), "bad", `${one.name}: ${error.message}`);
    }
  };
  const zone = h("form", { class: "drop", onsubmit: async (event) => {
    event.preventDefault();
    if (!file.files.length) {
      fill(states, h("li", {}, h("p", { class: "notice bad", role: "alert" }, say("file_empty"))));
      return;
    }
    submit.disabled = true;
    await send(file.files[0]);
    submit.disabled = false;
    file.value = "";
  } },
    h("p", { class: "quiet" }, say("drop_here")),
    h("div", { class: "fields" }, field(say("choose_file"), file, say("upload_hint")), field(say("category"), category, say("category_hint"))),
    submit);
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("is-over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    zone.classList.remove("is-over");
    for (const one of event.dataTransfer.files) send(one);
  });
  return [zone, states];
}

/** Tells the states of an upload until it is ready or has failed. */
async function follow(task, name, tell, signal) {
  if (task.state === "READY") return tell(say("upload_there", { name }), "good");
  for (;;) {
    const now = await api.get(`tasks/${encodeURIComponent(task.task_id)}`, {}, signal);
    tell(say("task_state", { name, state: sayCode("task", now.state) }), STATE_TONE[now.state], now.problem ?? "");
    if (now.state === "READY" || now.state === "FAILED") return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    signal.throwIfAborted();
  }
}

/** The documents, drawn again while one of them is still being read. */
async function showDocuments(place, isOperator, signal, known = "") {
  const { documents } = await api.get("documents", {}, signal);
  const again = () => showDocuments(place, isOperator, signal);
  const now = JSON.stringify(documents);
  if (now !== known) {
    fill(place, documents.length
      ? h("ul", { class: "list", id: "documents" }, documents.map((one) => documentEntry(one, isOperator, again)))
      : h("p", { class: "quiet" }, say("no_documents")));
  }
  if (documents.some((one) => BEING_READ.includes(one.state))) {
    const timer = setTimeout(() => showDocuments(place, isOperator, signal, now).catch(() => {}), POLL_MS);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  }
}

function documentEntry(one, isOperator, again) {
  return h("li", {},
    h("div", { class: "row spread" }, h("h3", {}, one.title || one.name), isOperator ? deleteButton(one, again) : null),
    h("div", { class: "meta" }, h("span", { class: `badge ${STATE_TONE[one.state] ?? ""}` }, sayCode("task", one.state)),
      h("span", {}, one.name), one.category ? h("span", {}, one.category) : null,
      h("span", {}, say("chunks", { n: one.chunks })), whenAgo(one.updated_at)),
    one.problem ? h("p", { class: "notice bad" }, one.problem) : null);
}

function deleteButton(one, again) {
  const confirm = () => {
    const dialog = h("dialog", { "aria-labelledby": "sure" });
    const close = () => dialog.close();
    const go = async () => {
      try {
        await api.remove(`documents/${encodeURIComponent(one.doc_id)}`);
        toast(say("deleted", { name: one.name }));
        await again();
      } catch (error) {
        toast(error.message);
      }
      close();
    };
    fill(dialog, h("div", { class: "stack" }, h("p", { id: "sure" }, say("delete_sure", { name: one.name })),
      h("div", { class: "row" }, h("button", { class: "button", type: "button", autofocus: true, onclick: close }, say("keep")),
        h("button", { class: "button danger", type: "button", onclick: go }, say("delete")))));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };
  return h("button", { class: "button danger", type: "button", "aria-label": say("delete_named", { name: one.name }), onclick: confirm }, say("delete"));
}

async function showCases(place, refresh, signal) {
  const { cases } = await api.get("cases", { state: "PENDING", limit: 50 }, signal);
  const decide = (one, verb) => async () => {
    try {
      const decided = await api.post(`cases/${encodeURIComponent(one.case_id)}/${verb}`);
      toast(say("decided", { state: sayCode("case", decided.state) }));
    } catch (error) {
      toast(error.message);
    }
    await Promise.all([showCases(place, refresh, signal), refresh()]);
  };
  fill(place, section(say("cases"), cases.length ? [
    h("p", { class: "hint" }, say("cases_lead")),
    h("ul", { class: "list", id: "cases" }, cases.map((one) => h("li", {},
      h("h3", {}, one.title),
      h("details", {}, h("summary", {}, say("case_text")), h("pre", { class: "verbatim" }, one.text)),
      h("div", { class: "row" },
        h("button", { class: "button", type: "button", onclick: decide(one, "approve") }, say("approve")),
        h("button", { class: "button", type: "button", onclick: decide(one, "decline") }, say("decline")),
        h("a", { href: `#/runs/${encodeURIComponent(one.run_id)}`, class: "small" }, say("show_result")))))),
  ] : null));
}
