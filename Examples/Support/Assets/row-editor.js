// Rows inside a form: objects whose texts are typed in place, added at the end, deleted, and put in order.
import { button, element } from "/page/elements.js";
import { isBlank } from "/page/format.js";
import { showRows } from "/page/keyed-rows.js";
import { orderByDragging } from "./order.js";
import { TypedField } from "./typed-field.js";
import { visible } from "./words.js";

export class RowEditor {
  /**
   * `noun` is what a row is called: the actions of the form are `add`, `change`, `delete` and, for rows that are `ordered`, `move`
   * with it. They take the row by this name, the texts of `fields`, and `before`; a change takes the text that was typed alone.
   * `act(action, input, key)` sends one and returns it; `view` is the form. `leading(row)` returns what stands first in a row; a
   * row without an identity has that alone.
   */
  constructor({ noun, fields, label, ordered = false, act, view, leading = () => [] }) {
    Object.assign(this, { noun, fields, ordered, act, view, leading });
    view.onFlush(() => {
      for (const item of this.rows.children) for (const field of Object.values(item.fields ?? {})) field.flush();
    });
    this.rows = element(ordered ? "ol" : "ul", { class: `edit-rows ${noun}-rows`, "aria-label": label });
    if (ordered) orderByDragging(this.rows, (id, before) => act(`move ${noun}`, { [noun]: id, before }));
    this.element = element("div", {}, this.rows, this.#adding());
  }

  show(rows) {
    showRows(this.rows, rows, { made: (row) => this.#made(row), fill });
  }

  /** Fields that add a row, with Enter, too. */
  #adding() {
    const add = () => {
      const values = Object.fromEntries(inputs.map((input, index) => [this.fields[index], input.value]));
      if (values.name === "" || isBlank(values.name)) {
        if (values.name) this.view.fail(`The name of a ${this.noun} needs a character that can be seen.`);
        return inputs.at(-1).focus();
      }
      for (const input of inputs) input.value = "";
      inputs[0].focus();
      return this.act(`add ${this.noun}`, values);
    };
    const inputs = this.fields.map((name) =>
      this.view.keepText(
        `new ${this.noun} ${name}`,
        element("input", {
          placeholder: name,
          "aria-label": `New ${this.noun}: ${name}`,
          class: name,
          onkeydown: (event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            add();
          },
        }),
      )
    );
    return element("div", { class: "adding" }, inputs, button("Add", add, { "aria-label": `Add ${this.noun}` }));
  }

  #made(row) {
    const name = visible(row.values.name);
    if (!row.id) return element("li", {}, this.leading(row));
    const fields = Object.fromEntries(this.fields.map((field) => [field, this.#field(field, row.id, name)]));
    return Object.assign(
      element(
        "li",
        {},
        this.ordered && element("button", { type: "button", class: "handle plain", "aria-label": `Move ${name}`, title: "Drag, or move with the arrow keys" }, "≡"),
        this.leading(row),
        Object.values(fields).map(({ input }) => input),
        button("−", () => this.act(`delete ${this.noun}`, { [this.noun]: row.id }), { class: "danger", "aria-label": `Delete ${name}` }),
      ),
      { fields },
    );
  }

  #field(name, id, row) {
    const field = new TypedField("text", {
      "data-name": name,
      class: name,
      "aria-label": `${name} of ${row}`,
      onkeydown: (event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        field.flush();
      },
    }, {
      send: (value) => this.act(`change ${this.noun}`, { [this.noun]: id, [name]: value }, `${this.noun} ${id} ${name}`),
      includes: (edit) => this.view.form.log.includes(edit),
    });
    return field;
  }
}

/** Shows the values of a row in its fields, but for what is being typed. */
function fill(item, row) {
  for (const [name, field] of Object.entries(item.fields ?? {})) field.show(row.values[name]);
}
