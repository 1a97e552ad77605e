// A list on the screen, with the keys of a grid: only the rows in view are elements.
import { Cursor, stepOf } from "./cursor.js";
import { announce, element } from "./elements.js";
import { commit } from "./facts.js";
import { number, person, plural, position, visible } from "./format.js";
import { rowsOf } from "./live-list.js";
import { Rows } from "./rows.js";

export class ListView {
  #version = 0;

  /**
   * `label` names the list, and `id` the row at the cursor; `draw(node, row)` fills the element of a row, `open(row, event)` is
   * what a click does, `need(first, end)` is told which rows are in view.
   *
   * If it likes: `empty()` returns what stands in place of no rows; `head`, an element above the rows; `section(name)` returns the title of a section; `isChosen(row, index)` marks
   * rows; `acts` are functions of the row at the cursor by their keys, beside which `j` and `k` move the cursor; `stepped(row)` is
   * called when a key has moved it; `properties` are those of the grid.
   */
  constructor(options) {
    this.options = options;
    const { label, id, head, properties } = options;
    this.rows = new Rows({
      draw: (node, row, index) => {
        node.setAttribute("aria-rowindex", index + this.#firstIndex);
        // A row that is the same but for the cursor keeps its elements.
        if (node.drawn === row && node.version === this.#version) return;
        Object.assign(node, { drawn: row, version: this.#version });
        options.draw(node, row);
      },
      mark: (node, row, index) => this.#mark(node, row, index),
      drawHeader: (node, section) => this.#drawHeader(node, section),
      need: options.need,
      news,
      choose: (row, index, event) => {
        if (event.altKey) return;
        this.cursor.index = index;
        this.rows.refresh();
        options.open(row);
      },
      slid: (left) => head?.style.setProperty("--slid", `${left}px`),
    }, { "aria-label": label, "aria-owns": head && "list-head", "aria-rowcount": 0, ...properties, onkeydown: (event) => this.#key(event) });
    this.grid = this.rows.element;
    this.element = element("div", { class: "list" }, head && element("div", { role: "rowgroup", id: "list-head" }, head), this.grid);
    this.empty = element("div", { class: "empty", hidden: true });
    this.cursor = new Cursor(this.rows, this.grid, id);
  }

  /** The heads of the columns are the first row. */
  get #firstIndex() {
    return this.options.head ? 2 : 1;
  }

  /** Shows a list of a request, as `LiveList` does. */
  show(list, changes, isOther, { section }) {
    const rows = rowsOf(list);
    const counts = section ? list.counts ?? list.sections.map(({ name, rows: own }) => ({ name, count: own.length })) : null;
    const total = list.total ?? rows.length;
    this.grid.setAttribute("aria-rowcount", total + this.#firstIndex - 1);
    if (isOther) this.cursor.index = null;
    this.drawEmpty(total);
    this.rows.show({ total, counts, rows, offset: list.offset }, changes);
    // Where the row has gone, the next key is about the row that took its place.
    const { index } = this.cursor;
    this.cursor.follow();
    if (this.cursor.index !== index) this.rows.refresh();
    if (changes?.size) announce(`${plural(changes.size, "change")} at ${position(list.position)}; ${plural(total, "row")}`);
  }

  /** Draws all rows in view again: they look different, though the list is the same. */
  refresh() {
    this.#version += 1;
    this.rows.refresh();
  }

  /** Shows the list, or what stands in place of no rows. */
  drawEmpty(total) {
    if (!this.options.empty) return;
    this.empty.hidden = total > 0;
    this.element.hidden = total === 0;
    if (total === 0) this.empty.replaceChildren(...[this.options.empty()].flat());
  }

  #mark(node, row, index) {
    node.setAttribute("aria-selected", Boolean(row && this.options.isChosen(row, index)));
    this.cursor.mark(node, index);
    if (row) node.dataset.id = row.id;
  }

  #drawHeader(node, { name, count }) {
    const title = visible(this.options.section?.(name) ?? name) || "—";
    node.replaceChildren(element("span", { role: "gridcell", class: "name" }, title), element("span", { role: "gridcell", class: "count" }, number(count)));
  }

  #key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const { acts } = this.options;
    const { row } = this.cursor;
    const count = stepOf(event) ?? (acts && { j: 1, k: -1 }[event.key]);
    if (count !== undefined) this.step(count);
    else if (row && acts?.[event.key]) acts[event.key](row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the cursor by some rows. */
  step(count) {
    this.cursor.step(count);
    this.focus();
    if (this.cursor.row) this.options.stepped?.(this.cursor.row);
  }

  /** Opens the row at the cursor. */
  enter() {
    if (this.cursor.row) this.options.open(this.cursor.row);
  }

  focus() {
    this.grid.focus({ preventScroll: true });
  }
}

/** Draws a row as cells, which are elements or texts. */
export function showCells(node, cells) {
  node.replaceChildren(...cells.map((cell, place) => element("div", { role: "gridcell", class: place === 0 ? "cell name" : "cell" }, cell)));
}

/** Returns what names the commit and author that changed a row, or that the time did. */
function news(cause) {
  if (cause === "time") return element("span", { class: "news" }, cause);
  const label = element("span", { class: "news" }, position(cause));
  commit(cause).then(({ author }) => author && label.append(` ${person(author)}`)).catch(() => {});
  return label;
}
