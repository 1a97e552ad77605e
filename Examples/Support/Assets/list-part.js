// A part with one live list: its title, Edit mode with + and delete, a form in a dialog, and the history of each row.
import { button, element } from "/page/elements.js";
import { ListView, showCells } from "/page/list-view.js";
import { LiveList, rowsOf } from "/page/live-list.js";
import { go, place } from "/page/place.js";
import { FormView } from "./form-view.js";
import { SectionIndex } from "./section-index.js";
import { nameOf } from "./words.js";

export class ListPart {
  streams = true;
  /** The rows of the lists beside the own one, by their names. */
  rows = {};
  #views = new Map();
  #beside = new Map();
  #shown = null;
  #dialog = null;
  #isEditing = false;

  /**
   * Options, each a value or a function of the place: `list` names the list and `input` says what it is of; `title`;
   * `parent` is `{entity, id}` of the object whose name is the title instead; `back` the place to go back to.
   *
   * `name(row)` is what a row is called, its name or title by default; `draw(row, part)` returns the cells of a row, `columns`
   * their grid; `batch` is the number of rows of a batch, where only those in view are read; `search` adds a field whose text
   * is in the place and in the `input`, and changes the rows of one list; `index` adds the names of sections at the side; `shown(list, view)` is called whenever the list is shown; `section(name)` as in `ListView`; `open(row)` opens a row; `empty` is said of an empty list.
   *
   * `lists` are the names of further lists whose rows are drawn with the own ones, such as the names that links lead to: they are in
   * `part.rows`, at the same position.
   *
   * `form` names the form that adds and changes rows, `fields` and `extras` are its fields as in `FormView`, `formInput` what a
   * new object gets; `noun` is what it is called; `adds: "always"` shows + outside of Edit mode, too. `remove` names the action
   * that deletes a row. `tools(part)` returns more for the bar.
   */
  constructor(app, options) {
    Object.assign(this, { app, options });
    this.heading = element("h1", { tabindex: "-1" });
    this.backButton = button("‹", () => go(this.value("back")), { class: "plain back", "aria-label": "Back", title: "Back (Esc)" });
    this.editButton = button("Edit", () => this.#edit(!this.#isEditing), { "aria-pressed": "false" });
    this.addButton = button("+", () => this.add(), { title: "Add (a)", class: "primary" });
    const search = () => go({ text: this.search.value || null }, { replace: true });
    this.search = options.search && element("input", { type: "search", class: "search", placeholder: "Search", "aria-label": "Search", oninput: search });
    const tools = [this.search, options.tools?.(this), this.editButton, this.addButton];
    this.bar = element("div", { class: "bar" }, this.backButton, this.heading, element("div", { class: "end actions" }, tools));
    this.holder = element("div", { class: "holder" });
    this.index = options.index && new SectionIndex();
    this.element = element("section", { class: ["part", options.index && "with-index"], "aria-label": "List" }, this.bar, this.holder, this.index?.element);
    for (const name of options.lists ?? []) this.#beside.set(name, this.#listBeside(name));
  }

  /** Returns an option for the present place. */
  value(name) {
    const option = this.options[name];
    return typeof option === "function" ? option(place()) : option;
  }

  /** What the list is of. */
  get #input() {
    return { ...(this.search && { text: place().text ?? "" }), ...this.value("input") };
  }

  async show(current) {
    this.backButton.hidden = !this.value("back");
    if (this.search && this.search.value !== (current.text ?? "")) this.search.value = current.text ?? "";
    this.#drawTools();
    const key = JSON.stringify([this.value("list"), this.#input]);
    const shown = this.#shown?.key === key ? this.#move(current.at) : this.#open(key, current);
    await Promise.all([shown, ...[...this.#beside].map((beside) => this.#moveBeside(...beside, key, current.at))]);
    // The part may have been left meanwhile, or be on its way to another position.
    if (this.#shown?.key !== key) return;
    const { at, form } = place();
    // The past is not edited: the form is offered as one that was left.
    this.#showForm(at ? null : form);
  }

  hide() {
    this.#close();
    this.#showForm(null);
  }

  #close() {
    this.#shown?.list.close();
    this.#shown?.parent?.close();
    for (const list of this.#beside.values()) list.close();
    this.#shown = null;
  }

  /** Shows another list: the element of each stays, so that the way back finds it where it was. */
  async #open(key, { at }) {
    const former = this.search ? this.#shown : null;
    if (!former) this.#close();
    const viewKey = this.search ? this.value("list") : key;
    const view = this.#views.get(viewKey) ?? this.#view(viewKey);
    const shown = { key, view, list: former?.list ?? this.#list(view) };
    this.#shown = shown;
    this.heading.textContent = this.value("title") ?? "";
    const request = await this.app.request(this.value("list"), this.#input);
    if (this.#shown !== shown) return;
    this.holder.replaceChildren(view.empty, view.element);
    shown.request = request;
    const parent = this.value("parent");
    if (parent) {
      shown.parent = new LiveList(this.app, { show: (list) => this.#drawParent(list) });
      shown.parentRequest = { entity: parent.entity, where: `id IN {"${parent.id}"}`, sort: [] };
    }
    await this.#move(at);
    if (this.#shown === shown && !document.querySelector("dialog[open]") && !this.bar.querySelector("input:focus")) view.focus();
  }

  #move(at) {
    const { list, request, parent, parentRequest } = this.#shown;
    return Promise.all([request && list.goTo(request, at), parent?.goTo(parentRequest, at)]);
  }

  #listBeside(name) {
    const show = (list) => {
      this.rows[name] = rowsOf(list);
      this.refresh();
    };
    return new LiveList(this.app, { show, error: (problem) => this.app.say(problem.message) });
  }

  async #moveBeside(name, list, key, at) {
    const request = await this.app.request(name);
    if (this.#shown?.key === key) await list.goTo(request, at);
  }

  #list(view) {
    const list = new LiveList(this.app, {
      show: (rows, changes, isOther) => {
        view.show(rows, changes, isOther, list.request);
        this.index?.show(rows, view);
        this.options.shown?.(rows, view);
      },
      error: (problem) => this.app.say(problem.message),
    }, { size: this.options.batch, keepsRows: this.options.search });
    return list;
  }

  #drawParent(list) {
    const [row] = rowsOf(list);
    this.heading.textContent = row ? nameOf(row) : "Not there";
    document.title = `${this.heading.textContent} · ${this.app.title}`;
  }

  #view(key) {
    const { label = "Rows", columns = "minmax(0, 1fr)", section, draw, open } = this.options;
    const view = new ListView({
      label,
      id: `row-at-cursor-${label.replace(/\W+/g, "-")}`,
      section,
      need: (first, end) => this.#shown?.view === view && this.#shown.list.need(first, end),
      draw: (node, row) => showCells(node, row ? [...draw?.(row, this) ?? [this.nameOf(row)], this.#buttons(row)] : [""]),
      isChosen: (row, index) => index === view.cursor.index,
      open: (row) => this.openRow(row),
      empty: () => (place().at ? "Nothing was here then." : this.value("empty") ?? "Nothing here so far."),
      acts: { Enter: (row) => this.openRow(row), Delete: (row) => this.#canWrite && this.remove(row), i: (row) => go({ object: row.id, commit: null }) },
    });
    view.element.style.setProperty("--columns", `${columns} auto`);
    this.#views.set(key, view);
    return view;
  }

  #buttons(row) {
    const name = this.nameOf(row);
    const act = (action) => (event) => {
      event.stopPropagation();
      action();
    };
    return element(
      "span",
      { class: "row-buttons" },
      this.#isEditing && this.options.remove && button("−", act(() => this.remove(row)), { class: "danger remove", "aria-label": `Delete ${name}`, title: "Delete" }),
      button("⟲", act(() => go({ object: row.id, commit: null })), { class: "plain history", "aria-label": `History of ${name}`, title: "Who changed this, and when (i)" }),
      !this.#isEditing && this.options.open && (this.value("opens") ?? true) && element("span", { class: "chevron", "aria-hidden": "true" }, "›"),
    );
  }

  /** Returns what a row is called. */
  nameOf(row) {
    return this.options.name?.(row) ?? nameOf(row);
  }

  /** Draws all rows and the titles of sections again: they look different, though the list is the same. */
  refresh() {
    this.#shown?.view.refresh();
    this.#shown?.view.rows.render();
  }

  get #canWrite() {
    return !place().at;
  }

  #edit(isEditing) {
    this.#isEditing = isEditing;
    this.#drawTools();
    this.refresh();
  }

  #drawTools() {
    if (!this.#canWrite && this.#isEditing) {
      this.#isEditing = false;
      this.refresh();
    }
    const { form, remove, adds } = this.options;
    this.editButton.hidden = !remove;
    this.editButton.disabled = !this.#canWrite;
    this.editButton.setAttribute("aria-pressed", this.#isEditing);
    this.editButton.textContent = this.#isEditing ? "Done" : "Edit";
    this.addButton.hidden = !form || !(this.#isEditing || adds === "always");
    this.addButton.disabled = !this.#canWrite;
    this.addButton.setAttribute("aria-label", `Add ${this.value("noun")}`);
  }

  /** Opens a row; in Edit mode its form. */
  openRow(row) {
    if (this.#isEditing && this.options.form) this.change(row);
    else this.options.open?.(row, this);
  }

  async add() {
    if (this.#canWrite) await this.app.edit(this.value("form"), { input: this.value("formInput") ?? {} });
  }

  async change(row) {
    if (this.#canWrite) await this.app.edit(this.value("form"), { object: row.id }, {}, `“${this.nameOf(row)}”`);
  }

  #showForm(id) {
    if (this.#dialog?.formID === (id ?? undefined)) return;
    if (this.#dialog) {
      this.#dialog.remove();
      this.#dialog.view.close();
      this.#dialog = null;
      this.#shown?.view.focus();
    }
    if (!id) return;
    const close = () => go({ form: null }, { replace: true });
    const view = new FormView(this.app, id, {
      title: ({ isNew }) => `${isNew ? "New" : "Change"} ${this.value("noun")}`,
      fields: this.options.fields,
      extras: this.options.extras,
      update: this.options.update,
      list: (...list) => this.options.formList?.(...list),
      done: close,
    });
    const dialog = element("dialog", {
      class: "sheet",
      "aria-labelledby": view.heading.id,
      oncancel: (event) => {
        event.preventDefault();
        view.leave();
      },
    }, view.element);
    this.#dialog = Object.assign(dialog, { view, formID: id });
    this.app.main.append(dialog);
    dialog.showModal();
    view.focus();
  }

  /** Deletes a row; asks before more than this one goes. */
  remove(row) {
    const name = `“${this.nameOf(row)}”`;
    return this.app.remove(this.options.remove, row.id, name, async (preview) => {
      const { deleted } = await preview();
      const others = deleted.reduce((sum, { count }) => sum + count, 0) - 1;
      return others > 0 && [`Delete ${name} and ${others} below it?`, deletedWords(deleted)];
    });
  }

  /** The keys of the list, also where the focus is elsewhere. */
  key(event) {
    const { adds, form } = this.options;
    if (event.key === "a" && form && (this.#isEditing || adds === "always")) this.add();
    else if (event.key === "e" && this.options.remove) this.#edit(!this.#isEditing && this.#canWrite);
    else if (event.key === "Escape" && this.value("back")) go(this.value("back"));
    else if (event.key === "ArrowDown" || event.key === "j") {
      this.#shown?.view.step(1);
    } else return false;
    return true;
  }
}

const deletedWords = (deleted) =>
  `They go in this order, deepest first: ${
    deleted.map(({ entity, count }) => `${count} ${entity}`).join(", ")
  }. The history keeps them, and Undo brings them back, with new times of creation and change.`;
