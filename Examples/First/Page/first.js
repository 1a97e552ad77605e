// The outline: the list of roots, and of the children of an object at each of the five levels below.
import { element } from "/page/elements.js";
import { rowsOf } from "/page/live-list.js";
import { go, place } from "/page/place.js";
import { start } from "/support/application.js";
import { ChoiceField } from "/support/choice-field.js";
import { ListPart } from "/support/list-part.js";
import { visible } from "/support/words.js";

const levels = ["RootLevel", "SecondLevel", "ThirdLevel", "FourthLevel", "FifthLevel", "SixthLevel"];

/** The objects from the root to the one whose children are shown. */
const path = ({ path: words }) => (words ? words.split(",") : []);
const level = (current) => path(current).length + 1;
const parent = (current) => path(current).at(-1);

/** The choice of a child's parent, which the model requires: without one, saving is refused, and the form says so. */
function parentChoice(view) {
  const wrong = element("small", { class: "wrong", id: "parent-wrong" });
  view.parent = new ChoiceField(view, { name: "parent", action: "parent", properties: { "aria-describedby": wrong.id, required: true } });
  view.parentField = element("div", { class: "field", hidden: true }, element("label", { for: "parent" }, "Belongs to (exactly one)"), view.parent.input, wrong);
  return [view.parentField];
}

function drawParents(view) {
  const { object } = view.form.state ?? {};
  const rows = rowsOf(view.form.lists.parents);
  view.parentField.hidden = !object || !("parent" in object.links);
  if (view.parentField.hidden) return;
  view.parent.show([["", "—"], ...rows.map((row) => [row.id, visible(row.values.name)])]);
}

start({
  list: (app) => {
    let view = null;
    return new ListPart(app, {
      list: (current) => String(level(current)),
      input: (current) => (parent(current) ? { of: parent(current) } : {}),
      title: (current) => (parent(current) ? "" : "Roots"),
      parent: (current) => parent(current) && { entity: levels[level(current) - 2], id: parent(current) },
      back: (current) => parent(current) && { path: path(current).slice(0, -1).join(",") || null, object: null },
      opens: (current) => level(current) < levels.length,
      empty: "Nothing here so far. Edit shows the + that adds something.",
      open: (row) => level(place()) < levels.length && go({ path: [...path(place()), row.id].join(",") }),
      form: (current) => String(level(current)),
      noun: (current) => (parent(current) ? "child" : "root"),
      formInput: (current) => (parent(current) ? { of: parent(current) } : {}),
      fields: [{ name: "name", label: "Name" }],
      extras: (made) => {
        view = made;
        return parentChoice(made);
      },
      update: (state, made) => drawParents(made),
      formList: () => view && drawParents(view),
      remove: "delete",
    });
  },
});
