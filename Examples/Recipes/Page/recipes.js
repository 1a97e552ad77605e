// Recipes: the list by name with the index of letters and the search; the parts for one recipe are in modules of their own.
import { button, element } from "/page/elements.js";
import { go, place } from "/page/place.js";
import { start } from "/support/application.js";
import { ListPart } from "/support/list-part.js";
import { picture, show } from "/support/pictures.js";
import { monthWords, nameOf, visible } from "/support/words.js";
import { cookedWords, recipePart } from "./detail.js";
import { EditPart } from "./edit.js";
import { KitchenPart } from "./kitchen.js";

/** Opens the form of a recipe, or of a new one, on a page of its own. */
const edit = (app, recipe = null) => app.edit("recipe", { object: recipe }, { part: "edit", recipe, object: null });

class RecipeList extends ListPart {
  constructor(app) {
    super(app, {
      list: "recipes",
      // Another name of a type is another text in the rows of its recipes.
      lists: ["types"],
      search: true,
      index: true,
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
      tools: () => [button("Cooked", () => go({ part: "cooked", object: null }), { class: "link" }), element("a", { class: "kitchen-link", href: "#/kitchen" }, "Kitchen")],
    });
    this.element.classList.add("recipe-list");
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
    const type = this.rows.types?.find(({ id }) => id === links.type);
    const words = [type && nameOf(type), values.minutes && `${values.minutes} min`].filter(Boolean).join(" · ");
    return [
      element("span", { class: "recipe-cell" }, small, element("span", { class: "words" }, element("strong", {}, visible(values.name)), element("small", {}, visible(values.overview ?? "")))),
      element("small", { class: "kind" }, words),
    ];
  }
}

/** What was cooked in which month, the last month first; a recipe that was deleted is still listed. */
const cookedPart = (app) =>
  new ListPart(app, {
    list: "cooked",
    title: "Cooked",
    label: "Cooked",
    back: { part: "list", object: null },
    section: monthWords,
    columns: "minmax(0, 1fr) auto",
    draw: ({ values }) => [visible(values.name), element("small", { class: "kind" }, cookedWords(values.times, values.last))],
    open: ({ links }) => go({ part: "recipe", recipe: links.recipe, object: null }),
    empty: "Nothing was cooked so far. Each recipe has a button for it.",
  });

start({ list: (app) => new RecipeList(app), cooked: cookedPart, recipe: (app) => recipePart(app, edit), edit: (app) => new EditPart(app), kitchen: () => new KitchenPart() });
