// The list: a request as rows that come, go, move and flash, live or at a position of the past.
import { columnsOf, drawCell, header, template } from "./columns.js";
import { announce, element, narrowScreen } from "./elements.js";
import { Cursor, stepOf } from "./cursor.js";
import { commit } from "./facts.js";
import { follow } from "./follow.js";
import { number, person, plural, position } from "./format.js";
import { ListBar } from "./list-bar.js";
import { go } from "./place.js";
import { Rows } from "./rows.js";
import { get, requestAddress } from "./server.js";

/** How many rows around the view are held; the server gives 10,000 at most. */
const windowSize = 240;

export class Part {
  #list = null;
  #request = null;
  #at = undefined;
  #following = null;
  #offset = 0;
  #turn = 0;

  constructor(page) {
    this.page = page;
    this.bar = new ListBar(page);
    this.head = element("div", { class: "head", role: "row" });
    this.rows = new Rows({
      draw: (node, row, index) => this.#draw(node, row, index),
      mark: (node, row, index) => this.#mark(node, row, index),
      drawHeader: (node, section) => this.#drawHeader(node, section),
      need: (first, end) => this.#need(first, end),
      choose: (row, index) => this.#open(row, index),
    }, { "aria-label": "Objects", "aria-owns": "list-head", onkeydown: (event) => this.#key(event) });
    this.grid = this.rows.element;
    this.frame = element("div", { class: "list" }, element("div", { role: "rowgroup", id: "list-head" }, this.head), this.grid);
    this.cursor = new Cursor(this.rows, this.grid, "row-at-cursor");
    this.empty = element("div", { class: "empty", hidden: true });
    this.element = element("section", { class: "part", "aria-label": "List" }, this.bar.element, this.empty, this.frame);
    narrowScreen.addEventListener("change", () => this.#drawHead());
    setInterval(() => this.rows.refresh(), 60_000);
  }

  show(place) {
    const entity = this.page.model.byName.has(place.entity) ? place.entity : this.page.model.entities[0]?.name;
    this.place = { ...place, entity };
    if (!entity) return this.#drawEmpty();
    const name = this.page.model.nameAttribute(entity);
    const request = {
      entity, where: place.where, sort: place.sort ?? (name ? [name] : []), section: place.section, counts: true,
      timezone: /\.(day|week|month|year)$/.test(place.section ?? "") ? Intl.DateTimeFormat().resolvedOptions().timeZone : null,
    };
    this.columns = columnsOf(this.page.model, entity, place.columns);
    this.bar.show(this.place, request, this.columns);
    const isOther = JSON.stringify(request) !== JSON.stringify(this.#request);
    const isElsewhen = place.at !== this.#at;
    this.#request = request;
    this.#drawHead();
    this.#at = place.at;
    if (isOther) {
      this.#offset = 0;
      this.cursor.index = null;
    }
    if (isOther || isElsewhen || !this.#isRunning) this.#load(isOther);
    else this.rows.refresh();
  }

  hide() {
    this.#following?.close();
    this.#following = null;
    this.#turn += 1;
    this.#isRunning = false;
  }

  #isRunning = false;

  /** Names of linked objects, or authors, have come. */
  refresh() {
    this.rows.refresh();
  }

  /** Reads the window at the place's position, or follows it; `isOther` when nothing that is shown stays. */
  async #load(isOther = false) {
    const turn = ++this.#turn;
    this.#isRunning = true;
    this.#following?.close();
    this.#following = null;
    const request = { ...this.#request, limit: windowSize, offset: this.#offset };
    const held = isOther ? null : this.#list;
    if (!this.#at) {
      this.#follow(request, held, turn);
      return;
    }
    try {
      const isStep = held && held.offset === request.offset && held.position !== this.#at;
      const [state, difference] = await this.page.waiting(Promise.all([
        get(requestAddress("fetch", request, { at: this.#at })),
        isStep ? get(requestAddress("diff", { ...request, counts: null }, { from: held.position, to: this.#at })).catch(() => null) : null,
      ]));
      if (turn !== this.#turn) return;
      const sections = state.sections.map(({ name, objects }) => ({ name, rows: objects }));
      this.#take({ ...state, sections }, request, difference, isOther);
    } catch (problem) {
      if (turn === this.#turn) this.#fail(problem);
    }
  }

  #follow(request, held, turn) {
    let isFirst = true;
    const arrived = new Promise((resolve) => {
      this.#following = follow(request, {
        state: (list) => {
          resolve();
          if (turn !== this.#turn) return;
          const isStep = isFirst && held && held.offset === request.offset && held.position !== list.position;
          this.#take(list, request, null, !isStep && !(held && isFirst));
          isFirst = false;
          this.page.moved(list.position);
        },
        difference: (list, difference) => {
          if (turn !== this.#turn) return;
          this.#take(list, request, difference, false);
          this.page.moved(difference.to, difference);
        },
        position: (head) => this.page.moved(head),
        connection: (step) => {
          if (step.state !== "live") resolve();
          this.page.connection(step);
        },
        error: (problem) => {
          resolve();
          if (turn === this.#turn) this.#fail(problem);
        },
      });
    });
    this.page.waiting(arrived);
  }

  #take(list, request, difference, isOther) {
    const held = this.#list;
    this.#list = { ...list, offset: request.offset };
    this.bar.clearProblem();
    const rows = list.sections.flatMap((section) => section.rows);
    const counts = request.section ? list.counts ?? list.sections.map(({ name, rows }) => ({ name, count: rows.length })) : null;
    const total = list.total ?? rows.length;
    this.bar.count(total);
    this.grid.setAttribute("aria-rowcount", total + 1);
    const isSameWindow = held && held.offset === request.offset;
    const changes = isOther || !isSameWindow ? null : this.#changes(difference, held, rows);
    this.rows.show({ total, counts, rows, offset: request.offset }, changes);
    if (isOther) this.rows.scrollTo(0);
    this.#drawEmpty(total);
    if (changes?.size) announce(`${plural(changes.size, "change")} at ${position(list.position)}; ${plural(total, "row")}`);
  }

  /** Returns what happened to each row, and which commit did it. */
  #changes(difference, held, rows) {
    if (difference?.rows) {
      return new Map(difference.rows.map(({ id, change }) => {
        const causes = difference.causes?.[id];
        // The way back undoes what the earliest of the commits did first.
        const cause = causes && (difference.to < difference.from ? causes[0] : causes[causes.length - 1]);
        return [id, { change, news: cause ? (node) => this.#news(cause, node) : null }];
      }));
    }
    const old = new Set(held.sections.flatMap((section) => section.rows.map((row) => row.id)));
    const now = new Set(rows.map((row) => row.id));
    const changes = new Map();
    for (const id of now) if (!old.has(id)) changes.set(id, { change: "insert" });
    for (const id of old) if (!now.has(id)) changes.set(id, { change: "delete" });
    return changes;
  }

  #news(cause) {
    const label = element("span", { class: "news" }, position(cause));
    commit(cause).then(({ author }) => author && label.append(` ${person(author)}`)).catch(() => {});
    return label;
  }

  #fail(problem) {
    this.bar.problem(problem);
    if (!this.#list) this.#drawEmpty(0);
  }

  #need(first, end) {
    const held = this.#list;
    if (!held || end <= first) return;
    const last = Math.min(held.offset + windowSize, this.rows.layout.total);
    if (first >= held.offset && end <= last) return;
    const middle = Math.floor((first + end) / 2);
    const offset = Math.max(0, Math.floor((middle - windowSize / 2) / 20) * 20);
    if (offset === this.#offset) return;
    this.#offset = offset;
    clearTimeout(this.timer);
    // While the bar is dragged each frame is elsewhere: the first is read at once, the others when it rests.
    const wait = performance.now() - (this.asked ?? 0) < 60 ? 60 : 0;
    this.asked = performance.now();
    this.timer = setTimeout(() => this.#load(), wait);
  }

  #draw(node, row, index) {
    const columns = this.columns;
    const cells = node.cells ??= [];
    while (cells.length > columns.length) cells.pop().remove();
    while (cells.length < columns.length) {
      const cell = element("div", { role: "gridcell", class: "cell" });
      node.insertBefore(cell, cells.length ? cells[cells.length - 1].nextSibling : node.firstChild);
      cells.push(cell);
    }
    node.setAttribute("aria-rowindex", index + 2);
    columns.forEach((column, place) => {
      if (row) drawCell(cells[place], column, row, place, this.page.names);
      else Object.assign(cells[place], { className: "cell", textContent: "", title: "" });
    });
  }

  #mark(node, row, index) {
    node.setAttribute("aria-selected", Boolean(row && row.id === this.place.object));
    this.cursor.mark(node, index);
  }

  #drawHeader(node, { name, count }) {
    const label = element("span", { role: "gridcell", class: "name" }, name || "—");
    node.replaceChildren(label, element("span", { role: "gridcell", class: "count" }, number(count)));
  }

  #drawHead() {
    if (!this.columns) return;
    if (narrowScreen.matches && !this.place.columns) {
      const [first, ...others] = this.columns;
      this.columns = [first, ...others.filter((column) => column.type === "integer").slice(0, 1), ...others.filter((column) => column.kind === "time").slice(0, 1)];
    }
    this.frame.style.setProperty("--columns", template(this.columns, narrowScreen.matches));
    this.head.replaceChildren(...header(this.columns, this.#request.sort, (term) => go({ sort: [term] })));
  }

  #drawEmpty(total = 0) {
    const isEmpty = total === 0;
    this.empty.hidden = !isEmpty;
    this.frame.hidden = isEmpty;
    if (!isEmpty) return;
    const { entity, where, at } = this.place;
    if (where) {
      this.empty.replaceChildren(element("h2", {}, "Nothing matches"), `No ${entity} ${at ? "did then" : "does"} what the filter asks for.`);
    } else if (at) {
      this.empty.replaceChildren(element("h2", {}, "Nothing yet"), `There was no ${entity} at ${position(at)}. Drag the slider on to see what came.`);
    } else {
      const line = entity ? `daybook insert STORE ${entity} ${this.page.model.nameAttribute(entity) ?? "attribute"}=…` : "daybook model STORE --apply MODEL.json";
      this.empty.replaceChildren(element("h2", {}, `No ${entity ?? "entity"} so far`),
        "This list fills by itself as soon as something is written:", element("pre", {}, line));
    }
  }

  #open(row, index) {
    this.cursor.index = index;
    go({ object: row.id, commit: null });
    this.rows.refresh();
  }

  #key(event) {
    const count = stepOf(event);
    if (event.target !== this.grid || count === undefined) return;
    this.step(count);
    event.preventDefault();
  }

  /** Moves the cursor by some rows. */
  step(count) {
    this.cursor.step(count);
    this.grid.focus({ preventScroll: true });
    const { row } = this.cursor;
    if (row && this.place.object) go({ object: row.id, commit: null }, { replace: true });
  }

  /** Opens the object at the cursor. */
  enter() {
    const { row, index } = this.cursor;
    if (row) this.#open(row, index);
  }

  focusFilter() {
    this.bar.focus();
  }
}
