// A part with one live list: its title, Edit mode with + and delete, a form in a dialog, and the history of each row.
import { button, element } from "/page/elements.js";
import { go, place } from "/page/place.js";
import { BatchedList } from "./batched-list.js";
import { FormView } from "./form-view.js";
import { ListView } from "./list-view.js";
import { LiveList } from "./live-list.js";
import { nameOf, wordsOf } from "./words.js";

export class ListPart {
  #views = new Map();
  #shown = null;
  #dialog = null;
  #isEditing = false;

  /**
   * Options, each a value or a function of the place: `list` names the list and `input` says what it is of; `title`;
   * `parent` is `{entity, id}` of the object whose name is the title instead; `back` the place to go back to.
   *
   * `name` is the attribute that rows are called by, "name" by default; `draw(row, part)` returns the cells of a row, `columns`
   * their grid; `batch` is the number of rows of a batch, where only those in view are read; `keepsView` says that another `input`
   * changes the rows of one list, as a search does; `shown(list, view)` is called whenever the list is shown; `section(name)` and `isSectioned` as in `ListView`; `open(row)` opens a row; `empty` is said of an empty list.
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
    this.bar = element("div", { class: "bar" }, this.backButton, this.heading, element("div", { class: "end actions" }, options.tools?.(this) ?? [], this.editButton, this.addButton));
    this.empty = element("div", { class: "empty", hidden: true });
    this.holder = element("div", { class: "holder" });
    this.element = element("section", { class: "part", "aria-label": "List" }, this.bar, this.empty, this.holder);
  }

  /** Returns an option for the present place. */
  value(name) {
    const option = this.options[name];
    return typeof option === "function" ? option(place()) : option;
  }

  async show(current) {
    this.backButton.hidden = !this.value("back");
    this.#drawTools();
    const key = JSON.stringify([this.value("list"), this.value("input") ?? {}]);
    if (this.#shown?.key !== key) await this.#open(key, current);
    else await this.#move(current.at);
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
    this.#shown?.list?.close();
    this.#shown?.parent?.close();
    this.#shown = null;
  }

  /** Shows another list: the element of each stays, so that the way back finds it where it was. */
  async #open(key, current) {
    const held = this.options.keepsView ? this.#shown?.list?.list : null;
    const { batch } = this.options;
    this.#close();
    const viewKey = this.options.keepsView ? this.value("list") : key;
    const shown = { key, view: this.#views.get(viewKey) ?? this.#view(viewKey) };
    this.#shown = shown;
    this.heading.textContent = this.value("title") ?? "";
    const request = await this.app.request(this.value("list"), this.value("input"));
    if (this.#shown !== shown) return;
    this.holder.replaceChildren(shown.view.element);
    shown.list = batch ? new BatchedList(request, this.#handlers(shown), batch) : new LiveList(request, this.#handlers(shown), held);
    const parent = this.value("parent");
    if (parent) shown.parent = new LiveList({ entity: parent.entity, where: `id IN {"${parent.id}"}`, sort: [] }, { show: (list) => this.#drawParent(list) });
    await this.#move(current.at);
    if (this.#shown === shown && !document.querySelector("dialog[open]") && !this.bar.querySelector("input:focus")) shown.view.focus();
  }

  #move(at) {
    const { list, parent } = this.#shown;
    return Promise.all([list?.goTo(at), parent?.goTo(at)]);
  }

  get settled() {
    return this.#shown?.list?.settled;
  }

  #handlers(shown) {
    return {
      show: (list, difference) => {
        this.empty.hidden = list.sections.some(({ rows }) => rows.length > 0);
        this.empty.textContent = place().at ? "Nothing was here then." : this.value("empty") ?? "Nothing here so far.";
        this.holder.hidden = !this.empty.hidden;
        shown.view.show(list, difference);
        this.options.shown?.(list, shown.view);
        if (!place().at) this.app.moved(list.position);
      },
      head: (head) => this.app.moved(head),
      connection: (step) => this.app.connection(step),
      error: (problem) => this.app.say(problem.message),
    };
  }

  #drawParent(list) {
    const [row] = list.sections.flatMap(({ rows }) => rows);
    this.heading.textContent = row ? nameOf(row) : "Not there";
    document.title = `${this.heading.textContent} · ${this.app.title}`;
  }

  #view(key) {
    const { options } = this;
    const view = new ListView({
      label: options.label ?? "Rows", columns: `${options.columns ?? "minmax(0, 1fr)"} auto`, isSectioned: options.isSectioned, section: options.section,
      need: (first, end) => this.#shown?.view === view && this.#shown.list?.need?.(first, end),
      draw: (row) => [...options.draw?.(row, this) ?? [nameOf(row)], this.#buttons(row)],
      open: (row) => this.openRow(row), remove: (row) => this.#canWrite && this.remove(row), history: (row) => go({ object: row.id, commit: null }),
    });
    this.#views.set(key, view);
    return view;
  }

  #buttons(row) {
    const name = nameOf(row);
    const act = (action) => (event) => {
      event.stopPropagation();
      action();
    };
    return element("span", { class: "row-buttons" },
      this.#isEditing && this.options.remove && button("−", act(() => this.remove(row)), { class: "danger remove", "aria-label": `Delete ${name}`, title: "Delete" }),
      button("⟲", act(() => go({ object: row.id, commit: null })), { class: "plain history", "aria-label": `History of ${name}`, title: "Who changed this, and when (i)" }),
      !this.#isEditing && this.options.open && (this.value("opens") ?? true) && element("span", { class: "chevron", "aria-hidden": "true" }, "›"));
  }

  /** Draws all rows again: they look different, though the list is the same. */
  refresh() {
    this.#shown?.view.refresh();
  }

  get #canWrite() {
    return !place().at;
  }

  #edit(isEditing) {
    this.#isEditing = isEditing;
    this.#drawTools();
    this.#shown?.view.refresh();
  }

  #drawTools() {
    if (!this.#canWrite && this.#isEditing) {
      this.#isEditing = false;
      this.#shown?.view.refresh();
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
    if (this.#canWrite) await this.app.edit(this.value("form"), { object: row.id }, {}, `“${nameOf(row)}”`);
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
      title: ({ isNew }) => `${isNew ? "New" : "Change"} ${this.value("noun")}`, fields: this.options.fields, extras: this.options.extras,
      update: this.options.update, list: (...list) => this.options.formList?.(...list), done: close,
    });
    const dialog = element("dialog", { class: "sheet", "aria-labelledby": view.heading.id, oncancel: (event) => {
      event.preventDefault();
      view.leave();
    } }, view.element);
    this.#dialog = Object.assign(dialog, { view, formID: id });
    this.app.main.append(dialog);
    dialog.showModal();
    view.focus();
  }

  /** Deletes a row; asks before more than this one goes. */
  async remove(row) {
    const action = this.options.remove;
    const input = { object: row.id };
    try {
      const { deleted } = await this.app.preview(action, input);
      const others = deleted.reduce((sum, { count }) => sum + count, 0) - 1;
      if (others > 0 && !(await this.app.ask(`Delete “${nameOf(row)}” and ${others} below it?`, deletedWords(deleted), "Delete"))) return;
      await this.app.act(action, input);
      this.app.say(`Deleted “${nameOf(row)}”.`, { undo: true });
    } catch (problem) {
      this.app.say(wordsOf(problem, `“${nameOf(row)}”`));
    }
  }

  /** The keys of the list, also where the focus is elsewhere. */
  key(event) {
    const { adds, form } = this.options;
    if (event.key === "a" && form && (this.#isEditing || adds === "always")) this.add();
    else if (event.key === "e" && this.options.remove) this.#edit(!this.#isEditing && this.#canWrite);
    else if (event.key === "Escape" && this.value("back")) go(this.value("back"));
    else if (event.key === "ArrowDown" || event.key === "j") {
      this.#shown?.view.focus();
      this.#shown?.view.step(1);
    } else return false;
    return true;
  }
}

const deletedWords = (deleted) => `They go in this order, deepest first: ${deleted.map(({ entity, count }) => `${count} ${entity}`).join(", ")}. The history keeps them, and Undo brings them back, with new times of creation and change.`;
