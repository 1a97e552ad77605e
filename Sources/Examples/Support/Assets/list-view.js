// Rows on the screen, with the keys of a grid: only the rows in view are elements, and motion shows what happened to them.
import { Cursor, stepOf } from "/page/cursor.js";
import { announce, element } from "/page/elements.js";
import { commit } from "/page/facts.js";
import { number, person, plural, position } from "/page/format.js";
import { Rows } from "/page/rows.js";
import { visible } from "./words.js";

/**
 * `label` names the list; `draw(row)` returns the cells of a row, elements or texts; `columns` is their grid template;
 * `open(row)` is what Enter and a click do, `pick(row)` the space bar, `remove(row)` the Delete key, `history(row)` the key i;
 * `need(first, end)` is told which rows are in view; `section(name)` is the title of a section; `isSectioned` says whether there are any; `isChosen(row)` marks rows.
 */
export class ListView {
  #version = 0;

  constructor(options) {
    this.options = options;
    this.rows = new Rows({
      draw: (node, row, index) => this.#draw(node, row, index),
      mark: (node, row, index) => this.#mark(node, row, index),
      drawHeader: (node, section) => this.#drawHeader(node, section),
      need: (first, end) => this.options.need?.(first, end),
      choose: (row, index) => {
        this.cursor.index = index;
        this.rows.refresh();
        this.options.open?.(row);
      },
    }, { "aria-label": options.label, "aria-rowcount": 0, onkeydown: (event) => this.#key(event) });
    this.grid = this.rows.element;
    this.element = element("div", { class: "list" }, this.grid);
    this.cursor = new Cursor(this.rows, this.grid, `row-at-cursor-${options.label.replace(/\W+/g, "-")}`);
    this.element.style.setProperty("--columns", options.columns ?? "minmax(0, 1fr)");
  }

  /** Shows a list; `difference` is what led to it from the one before, null for another list. */
  show(list, difference) {
    this.list = list;
    const rows = list.sections.flatMap((section) => section.rows);
    const counts = this.options.isSectioned ? list.sections.map(({ name, rows: own }) => ({ name, count: own.length })) : null;
    const changes = difference && new Map((difference.rows ?? []).map(({ id, change }) => [id, { change, news: news(difference, id) }]));
    if (!changes) this.cursor.index = null;
    const [kept, place] = [this.cursor.row?.id, this.cursor.index];
    // A list in batches has only the rows around the view, from an offset on.
    const total = list.offset === undefined ? rows.length : list.total;
    this.grid.setAttribute("aria-rowcount", total);
    this.rows.show({ total, counts, rows, offset: list.offset ?? 0 }, changes);
    // Where the row has gone, the cursor is at the one that took its place: the next key is about the list, not about its start.
    if (kept) this.cursor.index = this.rows.indexOf(kept) ?? (total > 0 ? Math.min(place, total - 1) : null);
    this.rows.refresh();
    if (changes?.size) announce(`${plural(changes.size, "change")}; ${plural(total, "row")}`);
  }

  /** Draws all rows in view again: they look different, though the list is the same. */
  refresh() {
    this.#version += 1;
    this.rows.refresh();
  }

  #draw(node, row, index) {
    node.setAttribute("aria-rowindex", index + 1);
    if (node.drawn === row && node.version === this.#version) return;
    Object.assign(node, { drawn: row, version: this.#version });
    const cells = row ? this.options.draw(row) : [""];
    node.replaceChildren(...cells.map((cell, place) => element("div", { role: "gridcell", class: place === 0 ? "cell name" : "cell" }, cell)));
  }

  #mark(node, row, index) {
    node.setAttribute("aria-selected", Boolean(row && (this.options.isChosen?.(row) ?? index === this.cursor.index)));
    this.cursor.mark(node, index);
    if (row) node.dataset.id = row.id;
  }

  #drawHeader(node, { name, count }) {
    node.replaceChildren(element("span", { role: "gridcell", class: "name" }, visible(this.options.section?.(name) ?? name)), element("span", { role: "gridcell", class: "count" }, number(count)));
  }

  #key(event) {
    if (event.target !== this.grid || event.ctrlKey || event.metaKey || event.altKey) return;
    const count = stepOf(event) ?? { j: 1, k: -1 }[event.key];
    const { row } = this.cursor;
    const { open, pick, remove, history } = this.options;
    const acts = { Enter: open, " ": pick, Delete: remove, i: history };
    if (count !== undefined) this.step(count);
    else if (row && acts[event.key]) acts[event.key](row);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the cursor by some rows. */
  step(count) {
    this.cursor.step(count);
  }

  focus() {
    this.grid.focus({ preventScroll: true });
  }
}

/** Returns what names the commit and author that changed a row, or null where the difference does not say. */
function news(difference, id) {
  const causes = difference.causes?.[id];
  if (!causes?.length) return null;
  const cause = difference.to < difference.from ? causes[0] : causes[causes.length - 1];
  return () => {
    const label = element("span", { class: "news" }, position(cause));
    commit(cause).then(({ author }) => author && label.append(` ${person(author)}`)).catch(() => {});
    return label;
  };
}
