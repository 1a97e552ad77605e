// Recipes: the list by name with the index of letters and the search; the parts for one recipe are in modules of their own.
import { element } from "/page/elements.js";
import { LiveList, rowsOf } from "/page/live-list.js";
import { go, place } from "/page/place.js";
import { start } from "/support/application.js";
import { ListPart } from "/support/list-part.js";
import { picture, show } from "/support/pictures.js";
import { SectionIndex } from "/support/section-index.js";
import { nameOf, visible } from "/support/words.js";
import { recipePart } from "./detail.js";
import { EditPart } from "./edit.js";
import { KitchenPart } from "./kitchen.js";

/** Opens the form of a recipe, or of a new one, on a page of its own. */
const edit = (app, recipe = null) => app.edit("recipe", { object: recipe }, { part: "edit", recipe, object: null });

class RecipeList extends ListPart {
  constructor(app) {
    const search = element("input", { type: "search", class: "search", placeholder: "Search", "aria-label": "Search", oninput: () => go({ text: search.value || null }, { replace: true }) });
    const index = new SectionIndex();
    super(app, {
      list: "recipes",
      input: (current) => ({ text: current.text ?? "" }),
      keepsView: true,
      title: "Recipes",
      label: "Recipes",
      columns: "minmax(0, 1fr) auto",
      draw: (row) => this.#cells(row),
      open: (row) => go({ part: "recipe", recipe: row.id, object: null }),
      form: "recipe",
      noun: "recipe",
      adds: "always",
      remove: "delete recipe",
      empty: () => (place().text ? "No recipe has this in its name or overview." : "No recipes so far. + adds one."),
      tools: () => [search, element("a", { class: "kitchen-link", href: "#/kitchen" }, "Kitchen tables")],
      shown: (list, view) => index.show(list, view),
    });
    this.search = search;
    // Another name of a type is another text in the rows of its recipes.
    const show = (list) => {
      this.names = new Map(rowsOf(list).map((row) => [row.id, nameOf(row)]));
      this.refresh();
    };
    this.types = new LiveList(app, { show });
    this.element.classList.add("recipe-list", "with-index");
    this.element.append(index.element);
  }

  async show(current) {
    if (this.search.value !== (current.text ?? "")) this.search.value = current.text ?? "";
    await Promise.all([super.show(current), this.types.goTo(await this.app.request("types"), current.at)]);
  }

  hide() {
    super.hide();
    this.types.close();
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
    const words = [this.names?.get(links.type), values.minutes && `${values.minutes} min`].filter(Boolean).join(" · ");
    return [
      element("span", { class: "recipe-cell" }, small, element("span", { class: "words" }, element("strong", {}, visible(values.name)), element("small", {}, visible(values.overview ?? "")))),
      element("small", { class: "kind" }, words),
    ];
  }
}

start({ list: (app) => new RecipeList(app), recipe: (app) => recipePart(app, edit), edit: (app) => new EditPart(app), kitchen: () => new KitchenPart() });
