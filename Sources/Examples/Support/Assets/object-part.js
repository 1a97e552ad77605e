// A part for one object: its name as the title, its history, and buttons to edit and delete it, live or at an earlier position.
import { button, element } from "/page/elements.js";
import { go, place } from "/page/place.js";
import { rowsOf } from "./keyed-rows.js";
import { LiveList } from "./live-list.js";
import { nameOf, wordsOf } from "./words.js";

export class ObjectPart {
  /** The rows of each list, by its name. */
  rows = {};
  #lists = [];
  #shown = null;

  /**
   * `of` is the name in the place of the object's identity, and of the list with this object alone, which takes it as an input of
   * the same name. `lists` are further ones, each a function that returns its input for the identity. `body` is the element below
   * the title; `draw(object, part)` fills it, `changed(name, difference, part)` is called for each list. `back` is the place to go
   * back to, `edit(object)` opens the form, `remove` names the action that deletes the object after the question `removal`.
   */
  constructor(app, options) {
    Object.assign(this, { app, options });
    this.heading = element("h1", { tabindex: "-1" });
    this.editButton = button("Edit", () => options.edit(this.object), { class: "primary", title: "Edit (e)" });
    this.deleteButton = button("Delete", () => this.#remove(), { class: "danger" });
    this.empty = element("div", { class: "empty", hidden: true }, "This is not there.");
    this.element = element("section", { class: "part", "aria-label": options.label }, element("div", { class: "bar" },
      button("‹", () => this.#back(), { class: "plain back", "aria-label": "Back", title: "Back (Esc)" }), this.heading,
      element("div", { class: "end actions" }, button("⟲", () => this.#history(), { class: "plain history", "aria-label": "History", title: "Who changed this, and when (i)" }),
        this.deleteButton, this.editButton)), this.empty, options.body);
  }

  get object() {
    return this.rows[this.options.of]?.[0];
  }

  async show(current) {
    const id = current[this.options.of];
    if (this.#shown !== id) {
      this.hide();
      this.#shown = id;
      this.heading.textContent = "";
      this.options.body.hidden = true;
      const inputs = { ...this.options.lists, [this.options.of]: (of) => ({ [this.options.of]: of }) };
      const requests = await Promise.all(Object.entries(inputs).map(async ([name, input]) => [name, await this.app.request(name, input(id))]));
      if (this.#shown !== id) return;
      this.#lists = requests.map(([name, request]) => new LiveList(request, {
        show: (list, difference) => this.#take(name, list, difference), head: (head) => this.app.moved(head),
        connection: (step) => this.app.connection(step), error: (problem) => this.app.say(problem.message),
      }));
      this.heading.focus({ preventScroll: true });
    }
    this.#drawButtons();
    this.settled = Promise.all(this.#lists.map((list) => list.goTo(current.at)));
    await this.settled;
  }

  hide() {
    for (const list of this.#lists) list.close();
    [this.#lists, this.#shown, this.rows] = [[], null, {}];
    this.#drawButtons();
  }

  /** Nothing can be done with an object that has not come, or that is shown at an earlier position. */
  #drawButtons() {
    this.editButton.disabled = this.deleteButton.disabled = !this.object || Boolean(place().at);
  }

  #take(name, list, difference) {
    this.rows[name] = rowsOf(list);
    if (!place().at) this.app.moved(list.position);
    this.options.changed?.(name, difference, this);
    if (!this.rows[this.options.of]) return;
    const { object } = this;
    this.#drawButtons();
    this.empty.hidden = Boolean(object);
    this.options.body.hidden = !object;
    this.heading.textContent = object ? nameOf(object) : "Not there";
    document.title = `${this.heading.textContent} · ${this.app.title}`;
    if (object) this.options.draw(object, this);
  }

  #back() {
    go({ ...this.options.back(), [this.options.of]: null, object: null });
  }

  #history() {
    go({ object: place()[this.options.of], commit: null });
  }

  async #remove() {
    const { object } = this;
    const name = this.heading.textContent;
    if (!(await this.app.ask(`Delete “${name}”?`, this.options.removal, "Delete"))) return;
    try {
      await this.app.act(this.options.remove, { object: object.id });
      this.#back();
      this.app.say(`Deleted “${name}”.`, { undo: true });
    } catch (problem) {
      this.app.say(wordsOf(problem, `“${name}”`));
    }
  }

  key(event) {
    const acts = { e: () => this.editButton.click(), Escape: () => this.#back(), i: () => this.#history() };
    acts[event.key]?.();
    return event.key in acts;
  }
}
