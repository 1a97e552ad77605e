// The form of a recipe: all that is changed here is pending until Save, and can be undone step by step.
import { button, element } from "/page/elements.js";
import { rowsOf } from "/page/live-list.js";
import { place } from "/page/place.js";
import { FormPart } from "/support/form-part.js";
import { picture, prepared, show } from "/support/pictures.js";
import { RowEditor } from "/support/row-editor.js";
import { visible } from "/support/words.js";

const fields = [
  { name: "name", label: "Name" },
  { name: "overview", label: "Overview" },
  { name: "minutes", label: "Preparation time in minutes", kind: "number" },
  { name: "instructions", label: "Instructions", kind: "lines", hint: "A line for each step." },
];

export class EditPart extends FormPart {
  options = {
    title: ({ isNew, object }) => (isNew ? "New recipe" : `Edit ${visible(object?.values.name || "recipe")}`),
    fields,
    extras: (view) => this.#extras(view),
    update: () => this.#drawTypes(),
    list: (name) => this.#draw(name),
  };

  left(answer) {
    const recipe = answer?.object ?? place().recipe ?? null;
    return { part: recipe ? "recipe" : "list", recipe };
  }

  #extras(view) {
    const act = (action, input, key) => this.act(action, input, key);
    const file = element("input", { type: "file", accept: "image/png,image/jpeg", class: "hidden", tabindex: "-1", "aria-label": "Picture file", onchange: () => this.#choose(file) });
    this.large = picture("Photo", "photo without");
    this.ingredients = new RowEditor({ noun: "ingredient", fields: ["amount", "name"], label: "Ingredients in order", ordered: true, act, view });
    this.types = new RowEditor({ noun: "type", fields: ["name"], label: "Types", act, view, leading: (row) => this.#choice(row) });
    const actions = element("div", { class: "actions" }, button("Choose a picture…", () => file.click()), button("Remove", () => act("remove photo"), { class: "danger" }), file);
    return [
      element("section", {}, element("h2", {}, "Photo"), this.large, actions),
      element("section", {}, element("h2", {}, "Ingredients"), this.ingredients.element),
      element("section", {}, element("h2", { id: "types-title" }, "Type"), this.types.element),
    ];
  }

  async #choose(file) {
    try {
      this.act("choose photo", await prepared(file.files[0]));
    } catch (problem) {
      this.view.fail(problem.message);
    }
    file.value = "";
  }

  #draw(name) {
    const rows = rowsOf(this.view.form.lists[name]);
    if (name === "photo") show(this.large, rows[0]?.values.data ?? null, `/forms/${this.view.id}`);
    else if (name === "types") this.#drawTypes();
    else this.ingredients.show(rows);
  }

  #drawTypes() {
    const { lists, log, state } = this.view?.form ?? {};
    if (!lists?.types) return;
    this.types.show([{ id: "", values: { name: "None" } }, ...rowsOf(lists.types)]);
    // No state that is older than the last pick takes it away.
    const picked = log.pending("choose type").at(-1) ?? state?.object?.links;
    for (const radio of this.types.rows.querySelectorAll("[type=radio]")) radio.checked = radio.value === (picked?.type ?? "");
  }

  #choice({ id, values: { name } }) {
    const labels = { "aria-label": visible(name), "aria-labelledby": `types-title type-${id}` };
    const radio = element("input", { type: "radio", name: "type", value: id, id: `type-${id}`, ...labels, onchange: () => this.act("choose type", { type: id || null }) });
    return id ? radio : element("label", {}, radio, "None");
  }
}
