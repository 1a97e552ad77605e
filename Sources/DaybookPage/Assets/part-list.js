// The list: a request as rows that come, go, move and flash, live or at a position of the past.
import { columnsOf, drawCell, groupColumns, header, measureBars, valueOf, widths } from "./columns.js";
import { button, element, narrowScreen, openDialog } from "./elements.js";
import { conditionOf, joined, requestOf } from "./filter.js";
import { position } from "./format.js";
import { stringify } from "./json.js";
import { ListBar } from "./list-bar.js";
import { ListView } from "./list-view.js";
import { LiveList, rowsOf } from "./live-list.js";
import { go, ungrouped } from "./place.js";

/** How many rows are read at once; the server gives 10,000 at most. */
const batchSize = 240;

export class Part {
  streams = true;
  /** The request that the server has refused, which is not sent again. */
  #refused = null;

  constructor(page) {
    this.page = page;
    this.bar = new ListBar(page);
    this.list = new LiveList(page, { show: (...shown) => this.#show(...shown), error: (...failed) => this.#fail(...failed) }, { size: batchSize });
    // A head that gets the focus beyond the edge scrolls the rows, which move all heads with them.
    this.head = element("div", {
      class: "head",
      role: "row",
      onscroll: () => {
        this.view.grid.scrollLeft += this.head.scrollLeft;
        this.head.scrollLeft = 0;
      },
    });
    this.view = new ListView({
      label: "Objects",
      id: "row-at-cursor",
      head: this.head,
      properties: { onclick: (event) => event.altKey && this.#filterBy(event) },
      draw: (node, row) => this.#draw(node, row),
      isChosen: (row) => row.id === this.place.object,
      need: (first, end) => this.list.need(first, end),
      open: (row) => this.#open(row),
      stepped: (row) => this.place.object && !row.key && go({ object: row.id, commit: null }, { replace: true }),
      empty: () => this.#emptyWords(),
    });
    this.rows = this.view.rows;
    this.element = element("section", { class: "part", "aria-label": "List" }, this.bar.element, this.view.empty, this.view.element);
    narrowScreen.addEventListener("change", () => this.#drawHead());
    setInterval(() => this.refresh(), 60_000);
  }

  show(place) {
    const { model } = this.page;
    const entity = model.nameFor(place.entity);
    this.place = { ...place, entity };
    if (!entity) return this.view.drawEmpty(0);
    const { group, values } = place;
    this.columns = group ? groupColumns(model, entity, group, values) : columnsOf(model, entity, place.columns);
    // A value of a related object comes with what is shown, which then decides what is an update.
    const show = this.columns.some(({ kind }) => kind === "path") ? this.columns.map(({ key }) => key) : null;
    const request = { ...(show && { show }), ...requestOf(model, this.place) };
    this.bar.show(this.place, request, this.columns);
    // The list of the last filter stays, and is kept up to date, while the one that is typed is wrong.
    const isRefused = stringify(request) === this.#refused;
    const wanted = isRefused ? this.list.request : request;
    if (!isRefused) {
      this.#refused = null;
      this.bar.clearProblem();
    }
    if (!wanted) return;
    this.#drawHead(wanted);
    this.refresh();
    return this.list.goTo(wanted, place.at);
  }

  hide() {
    this.list.close();
  }

  /** Names of linked objects, or authors, have come. */
  refresh() {
    this.view.refresh();
  }

  #show(list, changes, isOther) {
    this.bar.count(list.total);
    measureBars(this.columns, rowsOf(list));
    this.view.show(list, changes, isOther, this.list.request);
    if (isOther) this.rows.scrollTo(0);
  }

  /** Says what is wrong with a request; the last one that was right is still shown. */
  #fail(problem, request) {
    this.bar.problem(problem);
    if (problem.status === 400) this.#refused = stringify(request);
    if (this.list.list) return;
    this.view.drawEmpty(0);
    if (problem.status !== 400) return;
    this.bar.count(null);
    this.page.setState("wait", "not followed");
  }

  #draw(node, row) {
    const columns = this.columns;
    const cells = node.cells ??= [];
    while (cells.length > columns.length) cells.pop().remove();
    while (cells.length < columns.length) {
      const cell = element("div", { role: "gridcell", class: "cell" });
      node.insertBefore(cell, cells.length ? cells[cells.length - 1].nextSibling : node.firstChild);
      cells.push(cell);
    }
    columns.forEach((column, place) => {
      if (row) drawCell(cells[place], column, row, place, this.page.names);
      else Object.assign(cells[place], { className: "cell", textContent: "", title: "" });
    });
  }

  #drawHead(request = this.list.request) {
    if (!this.columns) return;
    if (narrowScreen.matches && !this.place.columns && !this.place.group) {
      const [first, ...others] = this.columns;
      this.columns = [first, ...others.filter((column) => column.type === "integer").slice(0, 1), ...others.filter((column) => column.kind === "time").slice(0, 1)];
    }
    const { template, least } = widths(this.columns, narrowScreen.matches);
    this.view.element.style.setProperty("--columns", template);
    this.view.element.style.setProperty("--least", `${least}px`);
    this.head.replaceChildren(...header(this.columns, request?.sort ?? [], (term) => go({ sort: [term] })));
  }

  /** Says why there are no rows. */
  #emptyWords() {
    const { entity, where, at } = this.place;
    if (where) return [element("h2", {}, "Nothing matches"), `No ${entity} ${at ? "did then" : "does"} what the filter asks for.`];
    if (at) return [element("h2", {}, "Nothing yet"), `There was no ${entity} at ${position(at)}. Drag the slider on to see what came.`];
    const line = entity ? `daybook insert STORE ${entity} ${this.page.model.nameAttribute(entity) ?? "attribute"}=…` : "daybook model STORE --apply MODEL.json";
    const way = this.page.session.imports && element("p", {}, element("a", { href: "#/import" }, "Or import a file…"));
    return [element("h2", {}, `No ${entity ?? "entity"} so far`), "This list fills by itself as soon as something is written:", element("pre", {}, line), way || ""];
  }

  #open(row) {
    if (row.key) return this.#openGroup(row);
    go({ object: row.id, commit: null });
    this.rows.refresh();
  }

  /** Shows the objects of a group, where a filter can name its key. */
  #openGroup(row) {
    const conditions = this.columns.filter(({ kind }) => kind === "key").map((column) => this.#condition(row, column));
    if (conditions.includes(null)) return;
    const { model } = this.page;
    const { entity, where } = this.place;
    go({ ...ungrouped, where: conditions.reduce((text, condition) => joined(model, entity, text, condition), where) });
  }

  /** Moves the cursor by some rows. */
  step(count) {
    this.view.step(count);
  }

  /** An object was deleted here: the cursor is at the row that takes its place. */
  deleted(id) {
    this.view.cursor.index ??= this.rows.indexOf(id);
    this.view.focus();
  }

  /** Adds to the filter that a value is as in the cell that is clicked. */
  #filterBy({ target }) {
    const column = this.columns.find(({ key }) => key === target.closest(".cell")?.dataset.column);
    const { row } = target.closest(".row") ?? {};
    const condition = row && column && this.#condition(row, column);
    if (condition) this.bar.add(condition);
  }

  /** Returns the condition that a value is as in a row, or null for a value that no filter can name. */
  #condition(row, column) {
    const { key, kind, type, isExact } = column;
    if (kind === "value" || (kind === "key" && !isExact)) return null;
    return conditionOf(...(kind === "link" ? [`${key}.id`, "uuid"] : [key, type]), valueOf(row, column));
  }

  /** Asks which value of the row at the cursor is added to the filter. */
  chooseValue() {
    const { row } = this.view.cursor;
    if (!row) return;
    const choices = this.columns.flatMap((column, index) => {
      const condition = this.#condition(row, column);
      const cell = element("span");
      drawCell(cell, column, row, index, this.page.names);
      return condition
        ? [element(
          "li",
          {},
          button(`${column.key}: ${cell.textContent || "nothing"}`, () => {
            dialog.close();
            this.bar.add(condition);
          }, { class: "link" }),
        )]
        : [];
    });
    const dialog = openDialog("Only rows with", { class: "values-of-row" }, element("ul", {}, choices));
  }

  /** Opens the object at the cursor. */
  enter() {
    this.view.enter();
  }

  focusFilter() {
    this.bar.focus();
  }
}
