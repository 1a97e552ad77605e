// One recipe: its large picture, which only this part reads, its ingredients in order, and what else there is.
import { dayOf } from "/page/dates.js";
import { element } from "/page/elements.js";
import { number, utcDay } from "/page/format.js";
import { showRows } from "/page/keyed-rows.js";
import { place } from "/page/place.js";
import { ObjectPart } from "/support/object-part.js";
import { photo, picture, show } from "/support/pictures.js";
import { visible } from "/support/words.js";

/** Returns how often a recipe was cooked, and when at last. */
export const cookedWords = (times, last) => `${times > 1 ? `${number(times)} times, last ` : ""}${utcDay(last)}`;

export function recipePart(app, edit) {
  const large = picture("Photo", "photo without");
  const facts = element("p", { class: "facts" });
  const overview = element("p", { class: "overview" });
  const ingredients = element("ul", { class: "ingredients", "aria-label": "Ingredients" });
  const instructions = element("ol", { class: "instructions" });
  const section = (name, list) => element("section", {}, element("h2", {}, name), list);
  const columns = element("div", { class: "columns" }, section("Ingredients", ingredients), section("Instructions", instructions));
  const body = element("div", { class: "scroll recipe" }, element("div", { class: "object-head" }, large, element("div", {}, overview, facts)), columns);

  const drawPhoto = async (id) => {
    large.photo = id;
    const data = id ? await photo(id, place().at).catch(() => null) : null;
    if (large.photo === id) show(large, data);
  };
  const row = {
    made: () => element("li", {}, element("span", { class: "amount" }), element("span", { class: "name" })),
    fill(item, { values }) {
      item.children[0].textContent = visible(values.amount ?? "");
      item.children[1].textContent = visible(values.name);
    },
  };
  return new ObjectPart(app, {
    of: "recipe",
    lists: { ingredients: (recipe) => ({ recipe }), types: () => ({}), "months of recipe": (recipe) => ({ recipe }) },
    label: "Recipe",
    body,
    back: () => ({ part: "list" }),
    edit: (recipe) => edit(app, recipe.id),
    // The day is the person's: tomorrow begins at another time elsewhere.
    tools: { "Cooked today": ({ id, values }) => app.perform("cooked", { recipe: id, day: dayOf() }, `Cooked “${visible(values.name)}” today.`, "not cooked") },
    remove: "delete recipe",
    removal: "Its ingredients and its photo go with it. The history keeps them, and Undo brings them back, with new times of creation and change.",
    changed: (name, changes, part) => name === "ingredients" && showRows(ingredients, part.rows.ingredients, row, changes),
    draw({ values, links }, part) {
      const type = part.rows.types?.find(({ id }) => id === links.type)?.values.name;
      const months = part.rows["months of recipe"] ?? [];
      const times = months.reduce((sum, { values }) => sum + values.times, 0);
      const cooked = times > 0 && `cooked ${cookedWords(times, months[0].values.last)}`;
      facts.replaceChildren(...[type && visible(type), values.minutes && `${values.minutes} minutes`, cooked].filter(Boolean).map((words) => element("span", { class: "fact" }, words)));
      overview.textContent = values.overview ?? "";
      instructions.replaceChildren(...(values.instructions ?? "").split("\n").filter(Boolean).map((step) => element("li", {}, step)));
      large.setAttribute("aria-label", `Photo of ${visible(values.name)}`);
      drawPhoto(links.photo);
    },
  });
}
