// Categories, the topics of each with the last change first, and a topic with its contents.
import { element } from "/page/elements.js";
import { ago, exactTime, plural } from "/page/format.js";
import { rowsOf } from "/page/live-list.js";
import { go } from "/page/place.js";
import { start } from "/support/application.js";
import { ChoiceField } from "/support/choice-field.js";
import { ListPart } from "/support/list-part.js";
import { ObjectPart } from "/support/object-part.js";
import { visible } from "/support/words.js";

const time = (value) => element("time", { datetime: value, title: exactTime(value) }, ago(value));
const topicFields = [{ name: "title", label: "Title" }, { name: "contents", label: "Contents", kind: "lines" }];

/** The choice of a topic's category, with the pending one chosen. */
function categoryChoice(view) {
  const choice = new ChoiceField(view, { name: "category", action: "move" });
  view.drawCategories = () => choice.show(rowsOf(view.form.lists.categories).map(({ id, values }) => [id, visible(values.name)]));
  return [element("div", { class: "field" }, element("label", { for: "category" }, "Category"), choice.input)];
}

function categories(app) {
  return new ListPart(app, {
    list: "categories",
    title: "Categories",
    label: "Categories",
    noun: "category",
    columns: "minmax(0, 1fr) auto",
    draw: ({ values }) => [visible(values.name), element("span", { class: "count" }, plural(values.topicCount, "topic"))],
    open: (row) => go({ part: "topics", category: row.id, object: null }),
    form: "category",
    fields: [{ name: "name", label: "Name" }],
    adds: "always",
    remove: "delete category",
    empty: "No categories so far. + adds one.",
  });
}

/** Topics are read in batches of 20 as they come into view: of a category with 10,000 topics the first batch costs as much. */
function topics(app) {
  let view = null;
  return new ListPart(app, {
    list: "topics",
    input: ({ category }) => ({ category }),
    batch: 20,
    label: "Topics",
    noun: "topic",
    parent: ({ category }) => ({ entity: "Category", id: category }),
    back: { part: "list", category: null, object: null },
    columns: "minmax(0, 1fr) auto",
    draw: ({ values, changedAt }) => [
      element("span", { class: "topic-cell" }, element("strong", {}, visible(values.title)), element("small", {}, visible(values.contents ?? ""))),
      time(changedAt),
    ],
    open: (row) => go({ part: "topic", topic: row.id, object: null }),
    form: "topic",
    formInput: ({ category }) => ({ category }),
    fields: topicFields,
    adds: "always",
    remove: "delete topic",
    extras: (made) => {
      view = made;
      return categoryChoice(made);
    },
    update: (state, made) => made.drawCategories(),
    formList: () => view?.drawCategories(),
    empty: "No topics so far. + adds one.",
  });
}

function topic(app) {
  const contents = element("p", { class: "contents" });
  const times = element("p", { class: "quiet" });
  return new ObjectPart(app, {
    of: "topic",
    label: "Topic",
    body: element("div", { class: "scroll topic" }, times, contents),
    back: () => ({ part: "topics" }),
    edit: ({ id }) => app.edit("topic", { object: id }, { part: "topics", topic: null }),
    remove: "delete topic",
    removal: "The history keeps it, and Undo brings it back, with new times of creation and change.",
    draw({ values, createdAt, changedAt }) {
      contents.textContent = values.contents ?? "";
      times.replaceChildren("created ", time(createdAt), ", changed ", time(changedAt));
    },
  });
}

start({ list: categories, topics, topic });
