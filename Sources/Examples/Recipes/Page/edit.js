// The form of a recipe: all that is changed here is pending until Save, and can be undone step by step.
import { button, element } from "/page/elements.js";
import { go, place } from "/page/place.js";
import { FormView } from "/support/form-view.js";
import { rowsOf, showRows } from "/support/keyed-rows.js";
import { orderByDragging } from "/support/order.js";
import { picture, prepared, show } from "/support/pictures.js";

const fields = [
  { name: "name", label: "Name" }, { name: "overview", label: "Overview" }, { name: "minutes", label: "Preparation time in minutes", kind: "number" },
  { name: "instructions", label: "Instructions", kind: "lines", hint: "A line for each step." },
];

export class EditPart {
  #view = null;

  constructor(app) {
    this.app = app;
    this.element = element("section", { class: "part edit-recipe scroll", "aria-label": "Edit recipe" });
  }

  show({ form }) {
    if (!form) return go({ part: "list", recipe: null }, { replace: true });
    if (this.#view?.form.id === form) return null;
    this.hide();
    this.#view = new FormView(this.app, form, {
      title: ({ isNew, object }) => (isNew ? "New recipe" : `Edit ${object?.values.name || "recipe"}`), fields,
      extras: () => this.#extras(), update: () => this.#drawTypes(), list: (name) => this.#draw(name),
      done: (answer) => this.#leave(answer?.object ?? place().recipe),
    });
    this.element.replaceChildren(this.#view.element);
    this.#view.focus();
    return null;
  }

  hide() {
    this.#view?.form.close();
    this.#view = null;
    this.element.replaceChildren();
  }

  #leave(recipe) {
    go({ part: recipe ? "recipe" : "list", recipe: recipe ?? null, form: null }, { replace: true });
  }

  #act(action, input) {
    this.#view.flush();
    this.#view.problem.textContent = "";
    return this.#view.edit(this.#view.form.act(action, input));
  }

  #extras() {
    this.large = picture("Photo", "photo without");
    const file = element("input", { type: "file", accept: "image/png,image/jpeg", class: "hidden", tabindex: "-1", "aria-label": "Picture file", onchange: () => this.#choose(file) });
    this.ingredients = element("ol", { class: "ingredients", "aria-label": "Ingredients in order" });
    this.types = element("ul", { class: "types", role: "radiogroup", "aria-label": "Type" });
    orderByDragging(this.ingredients, (ingredient, before) => this.#act("move ingredient", { ingredient, before }));
    return [
      element("section", { class: "photo-field" }, element("h2", {}, "Photo"), this.large,
        element("div", { class: "actions" }, button("Choose a picture…", () => file.click()), button("Remove", () => this.#act("remove photo"), { class: "danger" }), file)),
      element("section", {}, element("h2", {}, "Ingredients"), this.ingredients, this.#adding("ingredient", ["amount", "name"])),
      element("section", {}, element("h2", {}, "Type"), this.types, this.#adding("type", ["name"])),
    ];
  }

  /** Fields that add an ingredient or a type, with Enter, too. */
  #adding(noun, names) {
    const add = () => {
      const values = Object.fromEntries(inputs.map((input, index) => [names[index], input.value.trim()]));
      if (!values.name) return inputs.at(-1).focus();
      for (const input of inputs) input.value = "";
      inputs[0].focus();
      return this.#act(`add ${noun}`, values);
    };
    const inputs = names.map((name) => element("input", { placeholder: name, "aria-label": `New ${noun}: ${name}`, class: name, onkeydown: (event) => {
      if (event.key === "Enter") [event.preventDefault(), add()];
    } }));
    return element("div", { class: "adding" }, inputs, button("Add", add, { "aria-label": `Add ${noun}` }));
  }

  async #choose(file) {
    try {
      await this.#act("choose photo", await prepared(file.files[0]));
    } catch (problem) {
      this.#view.problem.textContent = problem.message;
    }
    file.value = "";
  }

  #draw(name) {
    const rows = rowsOf(this.#view.form.lists[name]);
    if (name === "photo") show(this.large, rows[0]?.values.data ?? null);
    else if (name === "types") this.#drawTypes();
    else showRows(this.ingredients, rows, { made: (row) => this.#ingredient(row), fill });
  }

  #drawTypes() {
    const { lists, state } = this.#view.form;
    if (!lists.types) return;
    showRows(this.types, [{ id: "", values: { name: "None" } }, ...rowsOf(lists.types)], { made: (row) => this.#type(row), fill });
    for (const item of this.types.children) item.querySelector("[type=radio]").checked = item.dataset.id === (state?.object?.links.type ?? "");
  }

  #field({ values }, name, change) {
    return element("input", { "data-name": name, class: name, "aria-label": `${name} of ${values.name}`, onchange: change });
  }

  #ingredient(row) {
    const change = () => this.#act("change ingredient", { ingredient: row.id, amount: amount.value.trim(), name: name.value.trim() });
    const [amount, name] = [this.#field(row, "amount", change), this.#field(row, "name", change)];
    return element("li", {}, element("button", { type: "button", class: "handle plain", "aria-label": `Move ${row.values.name}`, title: "Drag, or move with the arrow keys" }, "≡"), amount, name,
      button("−", () => this.#act("delete ingredient", { ingredient: row.id }), { class: "danger", "aria-label": `Delete ${row.values.name}` }));
  }

  #type(row) {
    const radio = element("input", { type: "radio", name: "type", "aria-label": row.values.name, onchange: () => this.#act("choose type", { type: row.id || null }) });
    if (!row.id) return element("li", {}, element("label", {}, radio, "None"));
    const name = this.#field(row, "name", () => this.#act("rename type", { type: row.id, name: name.value.trim() }));
    return element("li", {}, radio, name, button("−", () => this.#act("delete type", { type: row.id }), { class: "danger", "aria-label": `Delete ${row.values.name}` }));
  }

  key(event) {
    if (event.key === "Escape") this.#view?.cancel();
    return event.key === "Escape";
  }
}

/** Writes the values of a row into its fields, but for the one that is being typed in. */
function fill(item, row, focused) {
  for (const input of item.querySelectorAll("[data-name]")) if (input !== focused) input.value = row.values[input.dataset.name] ?? "";
}
