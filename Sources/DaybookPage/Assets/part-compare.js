// Compare: the same request at two positions, list beside list, with what happened to each row in between.
import { drawn, element } from "./elements.js";
import { ListBar } from "./list-bar.js";
import { commitLink } from "./events.js";
import { plural, position } from "./format.js";
import { go } from "./place.js";
import { get, requestAddress } from "./server.js";

/** Rows of each side; a longer list is compared in its first ones. */
const mostRows = 500;
const lineHeight = 28;
const signs = { insert: "+", delete: "−", update: "~", move: "↕" };
const words = { insert: "inserted", delete: "deleted", update: "changed", move: "moved" };

export class Part {
  #turn = 0;

  constructor(page) {
    this.page = page;
    this.bar = new ListBar(page, { rows: false });
    const input = (name, label) => element("input", { type: "number", min: 1, "aria-label": label, onchange: (event) => {
      const value = Math.min(page.head, Math.max(1, Number(event.target.value) || 1));
      go({ [name]: value });
    } });
    this.from = input("from", "From position");
    this.to = input("to", "To position");
    this.legend = element("div", { class: "legend", role: "status" });
    this.sides = element("div", { class: "sides" });
    this.element = element("section", { class: "part", "aria-label": "Compare" }, this.bar.element,
      element("div", { class: "bar between" }, "from", this.from, "to", this.to, this.legend), element("div", { class: "scroll" }, this.sides));
  }

  async show(place) {
    const { model } = this.page;
    const entity = model.byName.has(place.entity) ? place.entity : model.entities[0]?.name;
    if (!entity) return;
    const name = model.nameAttribute(entity);
    const request = { entity, where: place.where, sort: place.sort ?? (name ? [name] : []), section: place.section, limit: mostRows };
    const to = place.to ?? place.at ?? this.page.head;
    const from = Math.min(place.from ?? Math.max(1, to - 10), this.page.head);
    this.bar.show({ ...place, entity }, request, null);
    this.from.value = from;
    this.to.value = to;
    const key = JSON.stringify([request, from, to]);
    if (key === this.key) return;
    const turn = ++this.#turn;
    const state = (at) => get(requestAddress("fetch", request, { at }));
    try {
      const [old, now, difference] = await this.page.waiting(Promise.all([state(from), state(to), get(requestAddress("diff", request, { from, to }))]));
      if (turn !== this.#turn) return;
      this.key = key;
      this.bar.clearProblem();
      this.#draw(old, now, difference);
    } catch (problem) {
      if (turn === this.#turn) this.bar.problem(problem);
    }
  }

  hide() {
    this.#turn += 1;
  }

  #draw(old, now, difference) {
    const changes = new Map((difference.rows ?? []).map((row) => [row.id, row]));
    const left = this.#column(old, changes, new Set(["delete", "update", "move"]), position(old.position), Boolean(this.bar.element));
    const right = this.#column(now, changes, new Set(["insert", "update", "move"]), position(now.position));
    const height = Math.max(left.height, right.height);
    const lines = [...changes.values()].flatMap(({ id, change }) => {
      const [a, b] = [left.places.get(id), right.places.get(id)];
      if (a === undefined || b === undefined) return [];
      return [drawn("path", { class: change, d: `M0 ${a} C 48 ${a}, 48 ${b}, 96 ${b}` })];
    });
    const drawing = drawn("svg", { "aria-hidden": "true", height, viewBox: `0 0 96 ${height}`, preserveAspectRatio: "none" }, lines);
    this.sides.replaceChildren(left.element, drawing, right.element);
    const counts = {};
    for (const { change } of changes.values()) counts[change] = (counts[change] ?? 0) + 1;
    const parts = Object.entries(signs).filter(([change]) => counts[change]).map(([change, sign]) =>
      element("span", { class: change }, element("span", { class: "sign" }, sign), ` ${counts[change]} ${words[change]}`));
    this.legend.replaceChildren(...(difference.reset ? ["The model changed in between; the lists are shown without their differences."]
      : parts.length ? parts : ["No difference."]));
    if (Math.max(old.total ?? 0, now.total ?? 0) > mostRows) this.legend.append(` Only the first ${plural(mostRows, "row")} of each are compared.`);
  }

  #column(state, changes, kinds, title) {
    const places = new Map();
    const items = [];
    let y = 33;
    const isSectioned = state.sections.length > 1 || state.sections[0]?.name;
    for (const { name, objects } of state.sections) {
      if (isSectioned) {
        items.push(element("div", { class: "group" }, name || "—"));
        y += lineHeight;
      }
      for (const object of objects) {
        const row = changes.get(object.id);
        const change = row && kinds.has(row.change) ? row.change : null;
        places.set(object.id, y + lineHeight / 2);
        y += lineHeight;
        items.push(element("div", { class: ["item", change] }, element("span", { class: "sign" }, change ? signs[change] : ""),
          change && element("span", { class: "hidden" }, words[change]),
          element("a", { class: "name", href: "#", onclick: (event) => {
            event.preventDefault();
            go({ object: object.id, commit: null });
          } }, this.page.model.nameOf(object))));
      }
    }
    const column = element("div", { class: "column" }, element("h2", {}, "as of ", commitLink(state.position, title)), items);
    return { element: column, places, height: y };
  }

  focusFilter() {
    this.bar.focus();
  }
}
