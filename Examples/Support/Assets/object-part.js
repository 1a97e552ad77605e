// A part for one object: its name as the title, its history, and buttons to edit and delete it, live or at an earlier position.
import { button, element } from "/page/elements.js";
import { LiveList, rowsOf } from "/page/live-list.js";
import { go, place } from "/page/place.js";
import { nameOf } from "./words.js";

export class ObjectPart {
  streams = true;
  /** The rows of each list, by its name. */
  rows = {};
  #lists = [];
  #shown = null;

  /**
   * `of` is the name in the place of the object's identity, and of the list with this object alone, which takes it as an input of
   * the same name. `lists` are further ones, each a function that returns its input for the identity. `body` is the element below
   * the title; `draw(object, part)` fills it, `changed(name, changes, part)` is called for each list. `back` is the place to go
   * back to, `edit(object)` opens the form, `remove` names the action that deletes the object after the question `removal`;
   * `tools` are further buttons, `{label: (object) => …}`.
   */
  constructor(app, options) {
    Object.assign(this, { app, options });
    this.heading = element("h1", { tabindex: "-1" });
    this.editButton = button("Edit", () => options.edit(this.object), { class: "primary", title: "Edit (e)" });
    this.tools = Object.entries(options.tools ?? {}).map(([label, act]) => button(label, () => act(this.object)));
    this.deleteButton = button("Delete", () => this.#remove(), { class: "danger" });
    this.empty = element("div", { class: "empty", hidden: true }, "This is not there.");
    this.element = element(
      "section",
      { class: "part", "aria-label": options.label },
      element(
        "div",
        { class: "bar" },
        button("‹", () => this.#back(), { class: "plain back", "aria-label": "Back", title: "Back (Esc)" }),
        this.heading,
        element(
          "div",
          { class: "end actions" },
          button("⟲", () => this.#history(), { class: "plain history", "aria-label": "History", title: "Who changed this, and when (i)" }),
          this.tools,
          this.deleteButton,
          this.editButton,
        ),
      ),
      this.empty,
      options.body,
    );
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
      this.#lists = requests.map(([name, request]) => {
        const list = new LiveList(this.app, { show: (rows, changes) => this.#take(name, rows, changes), error: (problem) => this.app.say(problem.message) });
        return { goTo: (at) => list.goTo(request, at), close: () => list.close() };
      });
      this.heading.focus({ preventScroll: true });
    }
    this.#drawButtons();
    await Promise.all(this.#lists.map((list) => list.goTo(current.at)));
  }

  hide() {
    for (const list of this.#lists) list.close();
    [this.#lists, this.#shown, this.rows] = [[], null, {}];
    this.#drawButtons();
  }

  /** Nothing can be done with an object that has not come, or that is shown at an earlier position. */
  #drawButtons() {
    for (const each of [...this.tools, this.deleteButton, this.editButton]) each.disabled = !this.object || Boolean(place().at);
  }

  #take(name, list, changes) {
    this.rows[name] = rowsOf(list);
    this.options.changed?.(name, changes, this);
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
    const name = `“${this.heading.textContent}”`;
    if (await this.app.remove(this.options.remove, this.object.id, name, () => [`Delete ${name}?`, this.options.removal])) this.#back();
  }

  key(event) {
    const acts = { e: () => this.editButton.click(), Escape: () => this.#back(), i: () => this.#history() };
    acts[event.key]?.();
    return event.key in acts;
  }
}
