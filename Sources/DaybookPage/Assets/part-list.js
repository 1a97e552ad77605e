// The list: a request as rows that come, go, move and flash, live or at a position of the past.
import { columnsOf, drawCell, header, widths } from "./columns.js";
import { announce, button, element, narrowScreen } from "./elements.js";
import { Cursor, stepOf } from "./cursor.js";
import { commit } from "./facts.js";
import { conditionOf, filterOf } from "./filter.js";
import { follow } from "./follow.js";
import { number, person, plural, position, visible } from "./format.js";
import { stringify } from "./json.js";
import { ListBar } from "./list-bar.js";
import { go } from "./place.js";
import { Rows } from "./rows.js";
import { get, requestAddress } from "./server.js";

/** How many rows around the view are held; the server gives 10,000 at most. */
const windowSize = 240;
/** A step over more positions than this is shown without saying which commit did what. */
const longestStep = 200;

export class Part {
  #list = null;
  /** The request that is shown or on its way, and the last one that was answered. */
  #request = null;
  #answered = null;
  /** The request that the server has refused, which is not sent again. */
  #refused = null;
  #at = undefined;
  #following = null;
  #coming = null;
  #offset = 0;
  #turn = 0;
  #abort = null;

  constructor(page) {
    this.page = page;
    this.bar = new ListBar(page);
    // A head that gets the focus beyond the edge scrolls the rows, which move all heads with them.
    this.head = element("div", { class: "head", role: "row", onscroll: () => {
      this.grid.scrollLeft += this.head.scrollLeft;
      this.head.scrollLeft = 0;
    } });
    this.rows = new Rows({
      draw: (node, row, index) => this.#draw(node, row, index),
      mark: (node, row, index) => this.#mark(node, row, index),
      drawHeader: (node, section) => this.#drawHeader(node, section),
      need: (first, end) => this.#need(first, end),
      choose: (row, index, event) => this.#open(row, index, event),
      slid: (left) => this.head.style.setProperty("--slid", `${left}px`),
    }, { "aria-label": "Objects", "aria-owns": "list-head", onkeydown: (event) => this.#key(event), onclick: (event) => event.altKey && this.#filterBy(event) });
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
      entity, ...filterOf(this.page.model, entity, place.where), sort: place.sort ?? (name ? [name] : []), section: place.section, counts: true,
      timezone: /\.(day|week|month|year)$/.test(place.section ?? "") ? Intl.DateTimeFormat().resolvedOptions().timeZone : null,
    };
    this.columns = columnsOf(this.page.model, entity, place.columns);
    this.bar.show(this.place, request, this.columns);
    // The list of the last filter stays, and is kept up to date, while the one that is typed is wrong.
    const isRefused = stringify(request) === this.#refused;
    const wanted = isRefused ? this.#answered : request;
    if (!isRefused) {
      this.#refused = null;
      this.bar.clearProblem();
    }
    if (!wanted) return;
    const isOther = stringify(wanted) !== stringify(this.#request);
    const isElsewhen = place.at !== this.#at;
    this.#request = wanted;
    this.#drawHead();
    this.#at = place.at;
    if (isOther) {
      this.#offset = 0;
      this.cursor.index = null;
    }
    if (isOther || isElsewhen || !this.#isRunning) return this.#load(isOther);
    this.rows.refresh();
  }

  hide() {
    this.#end();
    this.#isRunning = false;
  }

  #isRunning = false;

  /** Ends what is under way. */
  #end() {
    this.#turn += 1;
    this.#abort?.abort();
    for (const following of [this.#coming, this.#following]) following?.close();
    this.#coming = this.#following = null;
  }

  /** Names of linked objects, or authors, have come. */
  refresh() {
    this.rows.refresh();
  }

  /** Reads the window at the place's position, or follows it; `isOther` when nothing that is shown stays. */
  async #load(isOther = false) {
    this.#isRunning = true;
    const request = { ...this.#request, limit: windowSize, offset: this.#offset };
    const held = isOther ? null : this.#list;
    const at = this.#at;
    if (!at) return this.#follow(request, held);
    this.#end();
    const turn = this.#turn;
    const { signal } = (this.#abort = new AbortController());
    try {
      const isStep = held && held.offset === request.offset && held.position !== at && Math.abs(held.position - at) <= longestStep && !this.page.timeline.isDragging;
      const [state, difference] = await this.page.waiting(Promise.all([
        get(requestAddress("fetch", request, { at }), {}, { signal }),
        isStep ? get(requestAddress("diff", { ...request, counts: null }, { from: held.position, to: at }), {}, { signal }).catch(() => null) : null,
      ]));
      if (turn !== this.#turn) return;
      const sections = state.sections.map(({ name, objects }) => ({ name, rows: objects }));
      this.#take({ ...state, sections }, request, difference, isOther);
    } catch (problem) {
      if (turn === this.#turn) return this.#fail(problem, request);
    }
  }

  /** Follows a request; the one that was followed before stays until the first answer has come. */
  #follow(request, held) {
    const turn = ++this.#turn;
    this.#abort?.abort();
    this.#coming?.close();
    let isFirst = true;
    const following = follow(request, {
      state: (list) => {
        if (isFirst && turn !== this.#turn) return;
        this.#take(list, request, null, !(isFirst && held));
        if (isFirst) {
          this.#following?.close();
          this.#following = following;
          this.#coming = null;
        }
        isFirst = false;
        this.page.moved(list.position);
      },
      difference: (list, difference) => {
        this.#take(list, request, difference, false);
        this.page.moved(difference.to, difference);
      },
      position: (head) => this.page.moved(head),
      connection: (step) => this.page.connection(step),
      error: (problem) => {
        if (turn !== this.#turn) return;
        this.#coming = null;
        this.#fail(problem, request);
      },
    });
    this.#coming = following;
    return this.page.waiting(following.arrived);
  }

  #take(list, request, difference, isOther) {
    const held = this.#list;
    const { limit, offset, ...answered } = request;
    this.#answered = answered;
    this.#list = { ...list, offset };
    const rows = list.sections.flatMap((section) => section.rows);
    const counts = request.section ? list.counts ?? list.sections.map(({ name, rows }) => ({ name, count: rows.length })) : null;
    const total = list.total ?? rows.length;
    this.bar.count(total);
    this.grid.setAttribute("aria-rowcount", total + 1);
    const isSameWindow = held && held.offset === offset;
    const changes = isOther || !isSameWindow || this.page.timeline.isDragging ? null : this.#changes(difference, held, rows);
    this.#drawEmpty(total);
    this.rows.show({ total, counts, rows, offset }, changes);
    const { index } = this.cursor;
    this.cursor.follow();
    if (this.cursor.index !== index) this.rows.refresh();
    if (isOther) this.rows.scrollTo(0);
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
    const old = new Map(held.sections.flatMap((section) => section.rows.map((row) => [row.id, row])));
    const now = new Map(rows.map((row) => [row.id, row]));
    const changes = new Map();
    for (const [id, row] of now) {
      if (!old.has(id)) changes.set(id, { change: "insert" });
      else if (stringify(old.get(id)) !== stringify(row)) changes.set(id, { change: "update" });
    }
    for (const id of old.keys()) if (!now.has(id)) changes.set(id, { change: "delete" });
    return changes;
  }

  #news(cause) {
    const label = element("span", { class: "news" }, position(cause));
    commit(cause).then(({ author }) => author && label.append(` ${person(author)}`)).catch(() => {});
    return label;
  }

  /** Says what is wrong with a request; the last one that was right is shown again, at the position of the place. */
  #fail(problem, { limit, offset, ...request }) {
    this.bar.problem(problem);
    if (problem.status !== 400) {
      if (!this.#list) this.#drawEmpty(0);
      return;
    }
    this.#refused = stringify(request);
    const answered = this.#answered?.entity === request.entity ? this.#answered : null;
    this.#request = this.#answered = answered;
    this.#offset = this.#list?.offset ?? 0;
    if (!answered) {
      this.#end();
      this.#list = null;
      this.bar.count(null);
      this.page.setState("wait", "not followed");
      this.#drawEmpty(0);
    } else if (this.#at ? this.#list.position !== this.#at : !this.#following) {
      return this.#load();
    }
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
    const label = element("span", { role: "gridcell", class: "name" }, visible(name) || "—");
    node.replaceChildren(label, element("span", { role: "gridcell", class: "count" }, number(count)));
  }

  #drawHead() {
    if (!this.columns) return;
    if (narrowScreen.matches && !this.place.columns) {
      const [first, ...others] = this.columns;
      this.columns = [first, ...others.filter((column) => column.type === "integer").slice(0, 1), ...others.filter((column) => column.kind === "time").slice(0, 1)];
    }
    const { template, least } = widths(this.columns, narrowScreen.matches);
    this.frame.style.setProperty("--columns", template);
    this.frame.style.setProperty("--least", `${least}px`);
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

  #open(row, index, event) {
    if (event?.altKey) return;
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

  /** An object was deleted here: the cursor is at the row that takes its place. */
  deleted(id) {
    if (this.cursor.index === null) this.cursor.index = this.rows.indexOf(id);
    this.grid.focus({ preventScroll: true });
  }

  /** Adds to the filter that a value is as in the cell that is clicked. */
  #filterBy({ target }) {
    const column = this.columns.find(({ key }) => key === target.closest(".cell")?.dataset.column);
    const { row } = target.closest(".row") ?? {};
    const condition = row && column && this.#condition(row, column);
    if (condition) this.bar.add(condition);
  }

  /** Returns the condition that a value is as in a row, or null for a value that no filter can name. */
  #condition(row, { key, kind, type }) {
    return kind === "link" ? conditionOf(`${key}.id`, "uuid", row.links[key]) : conditionOf(key, type, row.values[key] ?? row[key]);
  }

  /** Asks which value of the row at the cursor is added to the filter. */
  chooseValue() {
    const { row } = this.cursor;
    if (!row) return;
    const choices = this.columns.flatMap((column, index) => {
      const condition = this.#condition(row, column);
      const cell = element("span");
      drawCell(cell, column, row, index, this.page.names);
      return condition ? [element("li", {}, button(`${column.key}: ${cell.textContent || "nothing"}`, () => {
        dialog.close();
        this.bar.add(condition);
      }, { class: "link" }))] : [];
    });
    const dialog = element("dialog", { "aria-label": "Only rows with", class: "values-of-row", onclose: () => dialog.remove() }, element("h1", {}, "Only rows with"), element("ul", {}, choices));
    document.body.append(dialog);
    dialog.showModal();
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
