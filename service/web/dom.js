// Builds elements. Text only ever becomes a text node: whatever evidence or a server says can do nothing here.
const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, handlers (`onclick`), dataset and children; null and false children are left out. */
export function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/** The same in SVG. */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else if (name === "href") setHref(element, String(value));
    else if (name === "src") element.setAttribute("src", String(value));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

// Only this page, http and https: anything else (javascript:, data:) stays without a target.
function setHref(element, value) {
  if (value.startsWith("#")) element.setAttribute("href", value);
  else if (/^https?:\/\//i.test(value)) {
    element.setAttribute("href", value);
    element.setAttribute("rel", "noopener noreferrer");
  }
}

/** Replaces all children. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

const ICONS = {
  sun: "M12 4V2M12 22v-2M4 12H2M22 12h-2M6.300 6.300 4.900 4.900M19.100 19.100l-1.400-1.400M6.300 17.700l-1.400 1.400M19.100 4.900l-1.400 1.400M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0z",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z",
  auto: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3v18M12 8l6.700-2M12 13l8.900-1M12 18l6.500-.5",
  close: "M6 6l12 12M18 6 6 18",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
};

/** A small line drawing that says nothing to a screen reader. */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "line", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

let next = 0;
/** An id that no other element of this page has. */
export function freshId(prefix) {
  next += 1;
  return `${prefix}-${next}`;
}

/** A labelled form field: the label and the control it names, with an optional hint. */
export function field(label, control, hint = "") {
  const id = control.id || freshId("field");
  control.id = id;
  const said = hint ? h("span", { class: "hint", id: `${id}-hint` }, hint) : null;
  if (said) control.setAttribute("aria-describedby", said.id);
  return h("div", { class: "field" }, h("label", { for: id }, label), control, said);
}
