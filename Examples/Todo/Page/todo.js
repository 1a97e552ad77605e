// The tasks: the list by category, a task with its pick lists, and the categories.
import { button, element } from "/page/elements.js";
import { atEachNewDay, dayOf } from "/page/dates.js";
import { isBlank, plural, utcDay } from "/page/format.js";
import { ListView, showCells } from "/page/list-view.js";
import { rowsOf } from "/page/live-list.js";
import { go, place } from "/page/place.js";
import { start } from "/support/application.js";
import { FormPart } from "/support/form-part.js";
import { ListPart } from "/support/list-part.js";
import { nameOf, visible, weekWords } from "/support/words.js";

const fields = [{ name: "title", label: "Title" }, { name: "due", label: "Due", kind: "date" }];
/** The pick lists; `picked(links, input)` returns the links after a pick, as the form's action makes them. */
const picks = {
  categories: {
    label: "Category",
    title: "Pick a category",
    action: "pick category",
    input: (row) => ({ category: row.id }),
    add: "add category",
    noun: "category",
    isPicked: (row, { links }) => links.category === row.id,
    chosen: ({ links }) => [links.category],
    picked: (links, { category }) => ({ ...links, category: links.category === category ? null : category }),
  },
  tags: {
    label: "Tags",
    title: "Pick tags",
    action: "tick tag",
    input: (row) => ({ tag: row.id }),
    add: "add tag",
    noun: "tag",
    isPicked: (row, { links }) => links.tags.includes(row.id),
    chosen: ({ links }) => links.tags,
    picked: (links, { tag }) => ({ ...links, tags: links.tags.includes(tag) ? links.tags.filter((id) => id !== tag) : [...links.tags, tag] }),
  },
};

/**
 * A due date is a day, stored as its beginning in UTC: so it is the same day wherever it is read, and days are in their order in every
 * list. It is late when the person's day is after it.
 */
function dueDate({ due }) {
  const day = due?.slice(0, 10);
  return due && element("time", { datetime: day, class: day < dayOf() ? "due late" : "due" }, utcDay(day));
}

/** One task: everything in it, also what is picked, is pending until Save or Cancel leads back to the list. */
class TaskPart extends FormPart {
  #pick = null;
  options = {
    title: ({ object }) => object?.values.title || "Task",
    fields,
    extras: (view) => this.#extras(view),
    update: () => this.#draw(),
    list: (name, list, changes) => {
      this.lists[name].show(list, changes, !changes, {});
      this.#draw();
    },
  };

  left() {
    return { part: "list", pick: null };
  }

  show(current) {
    super.show(current);
    const { form, at, pick = null } = current;
    if (form && !at && pick !== this.#pick) this.#turn(pick);
  }

  hide() {
    super.hide();
    this.#pick = null;
  }

  #extras(form) {
    this.rows = {};
    this.lists = {};
    this.panels = {};
    return Object.entries(picks).flatMap(([name, { label }]) => {
      this.rows[name] = button("", () => go({ pick: name }), { class: "pick-row", "data-pick": name });
      this.panels[name] = this.#panel(name, form);
      return [element("div", { class: "field" }, element("span", { id: `label-${name}` }, label), this.rows[name]), this.panels[name]];
    });
  }

  /** A pick list, whose order is held while it is open: counts change in place, and no row moves. */
  #panel(name, form) {
    const { title, action, input, add, noun, isPicked } = picks[name];
    const pick = (row) => {
      form.edit(form.form.act(action, input(row)));
      this.#draw();
    };
    const view = new ListView({
      label: title,
      id: `${name}-at-cursor`,
      open: pick,
      acts: { Enter: pick, " ": pick },
      need() {},
      isChosen: (row) => Boolean(this.object && isPicked(row, this.object)),
      draw: (node, row) =>
        showCells(node, [
          element("span", { class: "check", "aria-label": this.object && isPicked(row, this.object) ? "picked" : "not picked", role: "img" }, this.object && isPicked(row, this.object) ? "✓" : ""),
          visible(row.values.name),
          element("span", { class: "count" }, plural(row.values.taskCount, "task")),
        ]),
    });
    view.element.style.setProperty("--columns", "24px minmax(0, 1fr) auto");
    this.lists[name] = view;
    const field = form.keepText(`new ${noun}`, element("input", { "aria-label": `New ${noun}`, placeholder: `New ${noun}`, autocomplete: "off" }));
    const insert = () => {
      if (field.value === "" || isBlank(field.value)) {
        if (field.value) form.fail(`The name of a ${noun} needs a character that can be seen.`);
        return field.focus();
      }
      const edit = form.form.act(add, { name: field.value });
      field.value = "";
      form.edit(edit);
      field.focus();
    };
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      insert();
    });
    const back = button("‹", () => go({ pick: null }), { class: "plain back", "aria-label": "Back to the task", title: "Back (Esc)" });
    return element(
      "div",
      { class: "pick-panel", hidden: true, "data-panel": name },
      element("div", { class: "pick-bar" }, back, element("h2", {}, title)),
      element("div", { class: "pick-add" }, field, button("Add", insert)),
      view.element,
    );
  }

  /** The object with the picks that no state of the form includes yet. */
  get object() {
    const { log, state } = this.view?.form ?? {};
    if (!state?.object) return null;
    const links = Object.values(picks).reduce((before, { action, picked }) => log.pending(action).reduce(picked, before), state.object.links);
    return { ...state.object, links };
  }

  #draw() {
    const { object } = this;
    if (!object) return;
    for (const [name, { chosen, title }] of Object.entries(picks)) {
      const names = new Map(rowsOf(this.view.form.lists[name]).map((row) => [row.id, visible(row.values.name)]));
      const words = chosen(object).filter(Boolean).map((id) => names.get(id) ?? "…").join(", ");
      this.rows[name].replaceChildren(element("span", {}, words || "none"), element("span", { class: "chevron", "aria-hidden": "true" }, "›"));
      this.rows[name].setAttribute("aria-label", `${title}: ${words || "none"}`);
      this.lists[name].refresh();
    }
  }

  /** Opens a pick list, or leaves it: only now its rows go to their places. */
  #turn(pick) {
    this.view.flush();
    for (const name of [this.#pick, pick]) if (name) this.view.edit(this.view.form.hold(name, name === pick));
    const left = this.#pick;
    this.#pick = pick;
    this.view.element.classList.toggle("picking", Boolean(pick));
    for (const [name, panel] of Object.entries(this.panels)) panel.hidden = name !== pick;
    if (pick) this.lists[pick].focus();
    else this.rows[left]?.focus();
  }

  key(event) {
    if (event.key !== "Escape" || !this.#pick) return super.key(event);
    go({ pick: null });
    return true;
  }
}

function tasks(app) {
  const part = new ListPart(app, {
    list: "tasks",
    title: "Tasks",
    label: "Tasks",
    noun: "task",
    section: (name) => name || "No Category",
    columns: "minmax(0, 1fr) auto",
    draw: (row) => [visible(row.values.title), dueDate(row.values) ?? ""],
    open: (row) => (place().at ? go({ object: row.id }) : app.edit("task", { object: row.id }, { part: "task", object: null }, `“${visible(row.values.title)}”`)),
    form: "task",
    fields,
    adds: "always",
    remove: "delete task",
    empty: "Nothing to do.",
    tools: () => [button("Weeks", () => go({ part: "weeks", object: null })), button("Categories", () => go({ part: "categories", object: null }))],
  });
  // What is due today is late tomorrow, also on a page that stays open.
  atEachNewDay(() => part.refresh());
  return part;
}

/** How many tasks of each category are due in each week; the title of a week has their sum, of another projection. */
function weeks(app) {
  const nameOfCategory = (id) => (id ? nameOf(part.rows.categories?.find((row) => row.id === id) ?? { values: { name: "…" } }) : "No Category");
  const part = new ListPart(app, {
    list: "week tasks",
    lists: ["categories", "weeks"],
    title: "Weeks",
    label: "Weeks",
    back: { part: "list", object: null },
    section(name) {
      const { values, links } = part.rows.weeks?.find(({ values }) => (values.week ?? "") === name) ?? {};
      return [name ? weekWords(name) : "No Due Date", values && plural(values.tasks, "task"), links?.busiest && `most in ${nameOfCategory(links.busiest)}`].filter(Boolean).join(" · ");
    },
    columns: "minmax(0, 1fr) auto",
    name: ({ links }) => nameOfCategory(links.category),
    draw: (row) => [part.nameOf(row), element("span", { class: "count" }, plural(row.values.tasks, "task"))],
    empty: "Nothing to do.",
  });
  return part;
}

start({
  list: tasks,
  weeks,
  task: (app) => new TaskPart(app, "Task", "task"),
  categories: (app) =>
    new ListPart(app, {
      list: "categories",
      title: "Categories",
      label: "Categories",
      noun: "category",
      back: { part: "list", object: null },
      columns: "minmax(0, 1fr) auto",
      draw: (row) => [visible(row.values.name), element("span", { class: "count" }, plural(row.values.taskCount, "task"))],
      form: "category",
      fields: [{ name: "name", label: "Name" }],
      adds: "always",
      remove: "delete category",
      empty: "No categories so far.",
    }),
});
