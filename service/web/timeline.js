// The live timeline: sentences of what has happened, and below them the one thing that goes on.
import { fill, h } from "./dom.js";
import { Narrator } from "./narrate.js";
import { say } from "./say.js";

export class Timeline {
  #narrator;
  #list = h("ol", { class: "timeline", "aria-live": "polite", "aria-relevant": "additions" });
  #text = h("span", { role: "status" }, say("waiting"));
  #seconds = h("span", { class: "quiet small", "aria-hidden": "true" });
  #began = Date.now();
  #before = null;
  #timer = null;
  #now = h("p", { class: "now" }, h("span", { class: "pulse", "aria-hidden": "true" }), this.#text, this.#seconds);

  /** `zone`: that of the run's sources. */
  constructor(zone) {
    this.#narrator = new Narrator(zone);
    this.element = h("div", { class: "stack" }, this.#list, this.#now);
    this.#timer = setInterval(() => this.#tick(), 1000);
  }

  /** Tells one public event. */
  add(event) {
    const told = event.type === "metadata" ? { kind: "begin", text: say("started") } : this.#narrator.tell(event);
    if (!told) return;
    if (told.ongoing) {
      this.now(told.text);
    } else {
      this.#list.append(h("li", { class: `${told.kind} arrives`, title: told.utc || null }, told.text));
    }
  }

  /** Says what goes on. */
  now(text) {
    if (this.#text.textContent === text) return;
    fill(this.#text, text);
    this.#began = Date.now();
    this.#tick();
  }

  /** The connection is lost; what went on goes on without being seen. */
  lost() {
    this.#before ??= this.#text.textContent;
    this.now(say("reconnecting"));
  }

  /** It is there again, and nothing else happened yet. */
  found() {
    if (this.#before !== null) this.now(this.#before);
    this.#before = null;
  }

  get isEmpty() {
    return !this.#list.hasChildNodes();
  }

  /** Nothing goes on any more; the list stays. */
  end() {
    clearInterval(this.#timer);
    this.#now.remove();
    this.#list.removeAttribute("aria-live");
  }

  #tick() {
    const seconds = Math.floor((Date.now() - this.#began) / 1000);
    fill(this.#seconds, seconds >= 2 ? say("elapsed", { n: seconds }) : "");
  }
}
