// Compare: what changed in a request between two positions, list beside list, the old one on the left.
import { button, drawn, element } from "./elements.js";
import { commitLink } from "./events.js";
import { requestOf } from "./filter.js";
import { brief, number, plural, position } from "./format.js";
import { stringify } from "./json.js";
import { ListBar } from "./list-bar.js";
import { go, ungrouped } from "./place.js";
import { get, objectsWith, requestAddress } from "./server.js";

/** Changed rows that are drawn at once; all of them are counted, and a button draws more. */
const step = 300;
const lineHeight = 28;
const signs = { insert: "+", delete: "−", update: "~", move: "↕" };
const words = { insert: "inserted", delete: "deleted", update: "changed", move: "moved" };

export class Part {
  #turn = 0;
  #abort = null;

  constructor(page) {
    this.page = page;
    this.bar = new ListBar(page, { rows: false });
    const input = (name, label) =>
      element("input", {
        type: "number",
        min: 1,
        "aria-label": label,
        onchange: (event) => {
          const value = Math.min(page.head, Math.max(1, Number(event.target.value) || 1));
          go({ [name]: value });
        },
      });
    this.from = input("from", "From position");
    this.to = input("to", "To position");
    this.legend = element("div", { class: "legend", role: "status" });
    this.sides = element("div", { class: "sides" });
    this.more = button("", () => this.#draw(this.count + step), { hidden: true });
    this.element = element(
      "section",
      { class: "part", "aria-label": "Compare" },
      this.bar.element,
      element("div", { class: "bar between" }, "from", this.from, "to", this.to, this.legend),
      element("div", { class: "scroll" }, this.sides, this.more),
    );
  }

  async show(place) {
    const { model } = this.page;
    const entity = model.nameFor(place.entity);
    if (!entity) return;
    // Objects are compared; sort and section of groups are none of theirs.
    const shown = { ...place, ...place.group && ungrouped, entity };
    const request = requestOf(model, shown);
    const to = place.to ?? place.at ?? this.page.head;
    const from = Math.min(place.from ?? Math.max(1, to - 10), this.page.head);
    this.bar.show(shown, request, null);
    this.from.value = from;
    this.to.value = to;
    const key = stringify([request, from, to]);
    if (key === this.key) return;
    this.hide();
    const turn = this.#turn;
    this.signal = (this.#abort = new AbortController()).signal;
    try {
      // Without a limit it is the difference of all rows.
      const difference = await this.page.waiting(get(requestAddress("diff", request, { from, to }), {}, { signal: this.signal }));
      if (turn !== this.#turn) return;
      this.key = key;
      this.request = request;
      this.difference = { rows: [], ...difference };
      this.bar.clearProblem();
      this.objects = new Map([[from, new Map()], [to, new Map()]]);
      await this.#draw(step);
    } catch (problem) {
      if (turn === this.#turn) this.bar.problem(problem);
    }
  }

  hide() {
    this.#turn += 1;
    this.#abort?.abort();
    this.key = null;
  }

  /** Reads the objects of rows at a position: those that are there, in the list or out of it. */
  async #read(ids, at) {
    const found = this.objects.get(at);
    const missing = ids.filter((id) => !found.has(id));
    for await (const object of objectsWith(this.request.entity, missing, at, this.signal)) found.set(object.id, object);
    return found;
  }

  async #draw(count) {
    const turn = this.#turn;
    const { rows, from, to, reset } = this.difference;
    const shown = rows.slice(0, count);
    const ids = shown.map(({ id }) => id);
    const [old, now] = await this.page.waiting(Promise.all([this.#read(ids, from), this.#read(ids, to)]));
    if (turn !== this.#turn) return;
    this.count = count;
    const side = (path, objects, title) => this.#column(shown.filter((row) => row[path]).sort((a, b) => a[path][0] - b[path][0] || a[path][1] - b[path][1]), path, objects, title, { old, now });
    const left = side("from", old, position(from));
    const right = side("to", now, position(to));
    const height = Math.max(left.height, right.height);
    const lines = shown.flatMap(({ id, change }) => {
      const [a, b] = [left.places.get(id), right.places.get(id)];
      if (a === undefined || b === undefined) return [];
      return [drawn("path", { class: change, d: `M0 ${a} C 48 ${a}, 48 ${b}, 96 ${b}` })];
    });
    this.sides.replaceChildren(left.element, drawn("svg", { "aria-hidden": "true", height, viewBox: `0 0 96 ${height}`, preserveAspectRatio: "none" }, lines), right.element);
    this.sides.hidden = rows.length === 0;
    this.more.hidden = rows.length <= count;
    this.more.textContent = `Show more of ${number(rows.length)} changed rows`;
    this.#drawLegend(rows, shown, { old, now }, reset);
  }

  #drawLegend(rows, shown, { old, now }, reset) {
    const counts = {};
    for (const { change } of rows) counts[change] = (counts[change] ?? 0) + 1;
    const parts = Object.entries(signs).filter(([change]) => counts[change]).map(([change, sign]) =>
      element("span", { class: change }, element("span", { class: "sign" }, sign), ` ${number(counts[change])} ${words[change]}`)
    );
    // A row that came or went need not have been inserted or deleted: the filter, too, lets it in and out.
    const passed = shown.filter(({ id, change }) => (change === "delete" && now.has(id)) || (change === "insert" && old.has(id))).length;
    if (passed) parts.push(element("span", {}, `${plural(passed, "row")} only passed the filter`));
    this.legend.replaceChildren(
      ...(reset
        ? ["The model changed in between, in what this list shows: no row of one position is one of the other. Choose two positions on the same side of the change."]
        : parts.length
        ? parts
        : ["No difference."]),
    );
  }

  #column(rows, path, objects, title, both) {
    const places = new Map();
    const items = [];
    let y = 33;
    let last = [0, -1];
    const isWhole = this.difference.rows.length <= this.count;
    for (const row of rows) {
      const [section, index] = row[path];
      const between = section === last[0] ? index - last[1] - 1 : index;
      // Rows between two changed ones are counted only.
      if (between > 0 || section !== last[0]) {
        items.push(element("div", { class: "group" }, between > 0 ? `${plural(between, "row")} ${isWhole ? "unchanged" : "not shown"}` : "next section"));
        y += lineHeight;
      }
      last = row[path];
      places.set(row.id, y + lineHeight / 2);
      y += lineHeight;
      items.push(this.#item(row, path, objects.get(row.id) ?? { id: row.id, entity: this.request.entity }, both));
    }
    const column = element("div", { class: "column" }, element("h2", {}, "as of ", commitLink(this.difference[path], title)), items);
    return { element: column, places, height: y };
  }

  #item({ id, change }, path, object, { old, now }) {
    const isPassing = (change === "delete" && now.has(id)) || (change === "insert" && old.has(id));
    const word = isPassing ? { delete: "left the list", insert: "came into the list" }[change] : words[change];
    const values = old.has(id) && now.has(id) ? changedValues(old.get(id), now.get(id), path === "from" ? old.get(id) : now.get(id), this.page.model) : "";
    return element(
      "div",
      { class: ["item", change] },
      element("span", { class: "sign", "aria-hidden": "true" }, signs[change]),
      element("span", { class: "hidden" }, word),
      element("a", {
        class: "name",
        href: "#",
        onclick: (event) => {
          event.preventDefault();
          go({ object: id, commit: null });
        },
      }, this.page.model.nameOf(object)),
      element("span", { class: "quiet" }, isPassing ? `${word}; ` : "", values),
    );
  }

  focusFilter() {
    this.bar.focus();
  }
}

/** Returns the values of one of two objects in which the other differs, without names. */
function changedValues(old, now, shown, model) {
  return Object.keys(shown.values).filter((name) => name !== model.nameAttribute(shown.entity) && stringify(old.values[name]) !== stringify(now.values[name]))
    .map((name) => `${name} ${brief(shown.values[name], model.type(shown.entity, name))}`)
    .concat(Object.keys(shown.links).filter((name) => old.links[name] !== now.links[name])).join(", ");
}
