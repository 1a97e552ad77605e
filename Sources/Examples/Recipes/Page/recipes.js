// Recipes: the list by name with the index of letters and the search; the parts for one recipe are in modules of their own.
import { element } from "/page/elements.js";
import { go, place } from "/page/place.js";
import { start } from "/support/application.js";
import { openForm } from "/support/form.js";
import { ListPart } from "/support/list-part.js";
import { LiveList } from "/support/live-list.js";
import { picture, show } from "/support/pictures.js";
import { recipePart } from "./detail.js";
import { EditPart } from "./edit.js";
import { KitchenPart } from "./kitchen.js";

/** Opens the form of a recipe, or of a new one, on a page of its own. */
async function edit(app, recipe = null) {
  try {
    const { id } = await openForm("recipe", { object: recipe });
    go({ part: "edit", form: id, recipe, object: null });
  } catch (problem) {
    app.say(problem.message);
  }
}

class RecipeList extends ListPart {
  #types = null;
  #names = new Map();

  constructor(app) {
    const search = element("input", { type: "search", class: "search", placeholder: "Search", "aria-label": "Search", oninput: () => go({ text: search.value || null }, { replace: true }) });
    super(app, {
      list: "recipes", input: (current) => ({ text: current.text ?? "" }), keepsView: true, title: "Recipes", label: "Recipes",
      isSectioned: true, columns: "minmax(0, 1fr) auto", draw: (row) => this.#cells(row), open: (row) => go({ part: "recipe", recipe: row.id, object: null }),
      form: "recipe", noun: "recipe", adds: "always", remove: "delete recipe",
      empty: () => (place().text ? "No recipe has this in its name or overview." : "No recipes so far. + adds one."),
      tools: () => [search, element("a", { class: "kitchen-link", href: "#/kitchen" }, "Kitchen tables")],
      shown: (list, view) => this.#drawLetters(list, view),
    });
    this.search = search;
    this.letters = element("nav", { class: "letters", "aria-label": "Letters" });
    this.element.classList.add("recipe-list");
    this.element.append(this.letters);
  }

  async show(current) {
    if (this.search.value !== (current.text ?? "")) this.search.value = current.text ?? "";
    this.#types ??= new LiveList(await this.app.request("types"), { show: (list) => this.#take(list) });
    await Promise.all([super.show(current), this.#types.goTo(current.at)]);
  }

  hide() {
    super.hide();
    this.#types?.close();
    this.#types = null;
  }

  /** Another name of a type is another text in the rows of its recipes. */
  #take(list) {
    this.#names = new Map(list.sections.flatMap(({ rows }) => rows).map((row) => [row.id, row.values.name]));
    this.refresh();
  }

  add() {
    return place().at ? null : edit(this.app);
  }

  change(row) {
    return edit(this.app, row.id);
  }

  #cells({ values, links }) {
    const small = picture("", "thumbnail");
    show(small, values.thumbnail);
    const words = [this.#names.get(links.type), values.minutes && `${values.minutes} min`].filter(Boolean).join(" · ");
    return [
      element("span", { class: "recipe-cell" }, small, element("span", { class: "words" }, element("strong", {}, values.name), element("small", {}, values.overview ?? ""))),
      element("small", { class: "kind" }, words),
    ];
  }

  #drawLetters(list, view) {
    const reveal = (index) => () => {
      const before = list.sections.slice(0, index).reduce((sum, { rows }) => sum + rows.length, 0);
      view.rows.scrollTo(view.rows.layout.headerTop(index));
      view.step(-Infinity);
      view.step(before);
      view.focus();
    };
    this.letters.replaceChildren(...list.sections.map(({ name }, index) => element("button", { type: "button", onclick: reveal(index), "aria-label": `To ${name}` }, name)));
  }
}

start({
  list: (app) => new RecipeList(app), recipe: (app) => recipePart(app, edit), edit: (app) => new EditPart(app), kitchen: () => new KitchenPart(),
});
