// Elements made in code. What a store holds becomes text nodes, never markup; styles come from the style sheets.

/**
 * Creates an element. `properties` are attributes; `on…` are listeners, `class` may be a list, false and null are left out.
 */
export function element(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Creates an element of a drawing. */
export function drawn(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.setAttribute("class", Array.isArray(value) ? value.filter(Boolean).join(" ") : value);
    else if (name === "value" && "value" in node) node.value = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Creates a button; the title is its name for screen readers where the label is a sign. */
export function button(label, action, properties = {}) {
  return element("button", { type: "button", onclick: action, ...properties }, label);
}

/** Creates a labelled field of a form. */
export function field(label, control, hint) {
  return element("label", { class: "field" }, element("span", {}, label), control, hint && element("small", {}, hint));
}

/** Creates a choice among `[value, label]` pairs. */
export function choice(options, value, change, properties = {}) {
  const items = options.map(([key, label]) => element("option", { value: key, selected: key === value }, label));
  return element("select", { onchange: (event) => change(event.target.value), ...properties }, items);
}

/** Creates a table; `label` is its name for screen readers, `numbers` the index of the column of numbers. */
export function table(label, heads, rows, numbers = null) {
  const cells = heads.map((head, index) => element("th", { scope: "col", class: index === numbers && "number" }, head));
  return element("table", { "aria-label": label }, element("thead", {}, element("tr", {}, cells)), element("tbody", {}, rows));
}

/** Shows a dialog under a title, and returns it. */
export function openDialog(title, properties, ...children) {
  const dialog = element("dialog", { "aria-label": title, onclose: () => dialog.remove(), ...properties }, element("h1", {}, title), children);
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Replaces the children of an element, except for null ones. The focus and what is scrolled stay.
 */
export function redraw(node, ...children) {
  const key = (item) => [item.tagName, item.getAttribute("aria-label"), item.getAttribute("href"), item.textContent].join("\n");
  const held = node.contains(document.activeElement) ? document.activeElement : null;
  const alike = (wanted) => [...node.querySelectorAll(held.tagName)].filter((item) => key(item) === wanted);
  const [wanted, place] = held ? [key(held), alike(key(held)).indexOf(held)] : [];
  node.replaceChildren(...children.filter(Boolean));
  if (held) alike(wanted)[place]?.focus({ preventScroll: true });
}

/** Says something to screen readers, politely. */
export function announce(words) {
  const region = document.getElementById("announcements");
  if (region) region.textContent = words;
}

export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const narrowScreen = matchMedia("(max-width: 719px)");
