// Rows inside a form: objects whose texts are typed in place, added at the end, deleted, and put in order.
import { button, element } from "/page/elements.js";
import { showRows } from "./keyed-rows.js";
import { orderByDragging } from "./order.js";

export class RowEditor {
  /**
   * `noun` is what a row is called: the actions of the form are `add`, `change`, `delete` and, for rows that are `ordered`, `move`
   * with it. They take the row by this name, the texts of `fields`, and `before`. `act(action, input)` sends one;
   * `leading(row)` returns what stands first in a row; a row without an identity has that alone.
   */
  constructor({ noun, fields, label, ordered = false, act, leading = () => [] }) {
    Object.assign(this, { noun, fields, ordered, act, leading });
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
      const values = Object.fromEntries(inputs.map((input, index) => [this.fields[index], input.value.trim()]));
      if (!values.name) return inputs.at(-1).focus();
      for (const input of inputs) input.value = "";
      inputs[0].focus();
      return this.act(`add ${this.noun}`, values);
    };
    const inputs = this.fields.map((name) => element("input", { placeholder: name, "aria-label": `New ${this.noun}: ${name}`, class: name, onkeydown: (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      add();
    } }));
    return element("div", { class: "adding" }, inputs, button("Add", add, { "aria-label": `Add ${this.noun}` }));
  }

  #made(row) {
    const { name } = row.values;
    if (!row.id) return element("li", {}, this.leading(row));
    const change = () => this.act(`change ${this.noun}`, { [this.noun]: row.id, ...Object.fromEntries(inputs.map((input) => [input.dataset.name, input.value.trim()])) });
    const inputs = this.fields.map((field) => element("input", { "data-name": field, class: field, "aria-label": `${field} of ${name}`, onchange: change, onkeydown: (event) => {
      if (event.key === "Enter") event.preventDefault();
      if (event.key === "Enter") change();
    } }));
    return element("li", {},
      this.ordered && element("button", { type: "button", class: "handle plain", "aria-label": `Move ${name}`, title: "Drag, or move with the arrow keys" }, "≡"),
      this.leading(row), inputs,
      button("−", () => this.act(`delete ${this.noun}`, { [this.noun]: row.id }), { class: "danger", "aria-label": `Delete ${name}` }));
  }
}

/** Writes the values of a row into its fields, but for the one that is being typed in. */
function fill(item, row, focused) {
  for (const input of item.querySelectorAll("[data-name]")) if (input !== focused) input.value = row.values[input.dataset.name] ?? "";
}
