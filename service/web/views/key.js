// A key, asked for when the service answers 401. It lives in this tab alone.
import { hasKey, setKey } from "../api.js";
import { title } from "../bits.js";
import { field, fill, h } from "../dom.js";
import { say } from "../say.js";

/** `done` is called when there is another key to try. */
export function keyView(main, { refused, done }) {
  const key = h("input", { type: "password", name: "key", autocomplete: "off", spellcheck: "false", id: "key" });
  const said = h("p", { class: "notice bad", role: "alert", hidden: !refused }, refused ? say("key_wrong") : "");
  const onsubmit = (event) => {
    event.preventDefault();
    if (!key.value.trim()) {
      said.hidden = false;
      fill(said, say("key_empty"));
      return;
    }
    setKey(key.value.trim());
    done();
  };
  fill(main, h("div", { class: "sheet" },
    h("div", { class: "hero" }, title(say("key_title")), h("p", { class: "quiet" }, say("key_why"))),
    h("form", { class: "card stack", onsubmit, novalidate: true }, field(say("key_label"), key), said,
      h("div", { class: "row" }, h("button", { class: "button main", type: "submit" }, say("key_use")),
        hasKey() ? h("button", { class: "button plain", type: "button", onclick: () => { setKey(null); done(); } }, say("key_forget")) : null))));
  key.focus();
}
