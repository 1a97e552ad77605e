// The model: a drawing of it at any position, the positions at which it changed, and what each change was.
import { element } from "./elements.js";
import { commitLink, timeOf } from "./events.js";
import { Model } from "./facts.js";
import { person, plural, position } from "./format.js";
import { stringify } from "./json.js";
import { drawModel } from "./model-drawing.js";
import { rulesOf } from "./model-rules.js";
import { go } from "./place.js";
import { get } from "./server.js";

export class Part {
  #turn = 0;

  constructor(page) {
    this.page = page;
    this.drawing = element("div", { class: "drawing", tabindex: "0", role: "group", "aria-label": "Drawing of the model" });
    this.versions = element("div", { class: "blocks" });
    this.element = element("section", { class: "part", "aria-label": "Model" }, element("div", { class: "scroll blocks" }, element("div", { class: "wide" }, this.drawing), this.versions));
  }

  async show({ at }) {
    const turn = ++this.#turn;
    try {
      const { commits } = await this.page.waiting(get("/api/commits", { kind: "model", limit: 1000 }));
      if (turn !== this.#turn) return;
      const models = await Promise.all(commits.map(async (line) => ({ line, model: new Model(line.model?.entities ? line.model : await get("/api/model", { at: line.position })) })));
      if (turn === this.#turn) this.#draw(models, at);
    } catch (problem) {
      if (turn === this.#turn) this.page.fail(problem);
    }
  }

  hide() {
    this.#turn += 1;
  }

  moved() {
    clearTimeout(this.timer);
    if (!this.page.at) this.timer = setTimeout(() => this.show({}), 500);
  }

  #draw(models, at) {
    const { model } = this.page;
    const changes = models.map(({ line, model: now }, index) => ({
      line,
      words: index === 0 ? [`${plural(now.entities.length, "entity", "entities")}, the first model`] : modelDifference(models[index - 1].model, now),
    }));
    const latest = [...changes].reverse().find(({ line }) => line.position <= (at ?? Infinity));
    // Only a model that is not the first has changed entities to point out.
    const fresh = new Set(latest && latest !== changes[0] ? latest.words.map((words) => words.split(/[ .:]/)[1]) : []);
    this.drawing.replaceChildren(model.entities.length ? drawModel(model, fresh) : element("p", { class: "empty" }, "This model has no entities."));
    const items = changes.reverse().map(({ line, words }) =>
      element(
        "li",
        {},
        commitLink(line.position),
        element(
          "div",
          {},
          words.map((word) => element("div", {}, element("span", { class: `sign ${classOf(word)}` }, word.slice(0, 1)), word.slice(1))),
          element(
            "small",
            {},
            person(line.author),
            line.author && ", ",
            timeOf(line),
            "  ",
            line.position !== at && element("button", { type: "button", class: "link", onclick: () => go({ at: line.position }) }, `see it at ${position(line.position)}`),
          ),
        ),
      )
    );
    const events = model.events.map(({ name, about, attributes = [] }) =>
      element("li", {}, element("strong", {}, name), ` about ${about}: ${attributes.map((attribute) => attribute.name).join(", ") || "no attributes"}`)
    );
    const rules = model.entities.map((entity) => ({ name: entity.name, lines: rulesOf(entity) })).filter(({ lines }) => lines.length > 0).map(({ name, lines }) =>
      element("li", {}, element("strong", {}, name), ...lines.map((line) => element("div", { class: "quiet" }, line)))
    );
    this.versions.replaceChildren(...[
      element("section", {}, element("h2", {}, "Changes of the model"), element("ol", { class: "history" }, items)),
      rules.length > 0 && element("section", {}, element("h2", {}, "Rules, constraints and indexes"), element("ul", { class: "form" }, rules)),
      events.length > 0 && element("section", {}, element("h2", {}, "Named events"), element("ul", {}, events)),
    ].filter(Boolean));
  }
}

const classOf = (word) => ({ "+": "insert", "−": "delete", "~": "update" })[word.slice(0, 1)] ?? "quiet";

/** Returns what one model has that another has not, in words that begin with a sign. */
export function modelDifference(old, now) {
  const words = [];
  for (const entity of now.entities.filter(({ derived }) => !derived)) {
    const before = old.byName.get(entity.name) ?? old.byName.get(entity.renamedFrom);
    if (!before) words.push(`+ ${entity.name}`);
    else {words.push(
        ...memberDifference(entity.name, before.attributes, entity.attributes),
        ...memberDifference(entity.name, before.relationships, entity.relationships),
        ...rulesDifference(before, entity),
      );}
  }
  const names = new Set(now.entities.flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
  for (const { name } of old.entities) if (!names.has(name)) words.push(`− ${name}`);
  return words.length ? words : ["~ nothing that is drawn"];
}

function memberDifference(entity, old = [], now = []) {
  const before = new Map(old.map((member) => [member.name, member]));
  const words = now.flatMap((member) => {
    const same = before.get(member.name) ?? before.get(member.renamedFrom);
    if (!same) return [`+ ${entity}.${member.name}`];
    return stringify(same) === stringify({ ...member, renamedFrom: undefined }) ? [] : [`~ ${entity}.${member.name}`];
  });
  const names = new Set(now.flatMap(({ name, renamedFrom }) => [name, renamedFrom]));
  return [...words, ...old.filter(({ name }) => !names.has(name)).map(({ name }) => `− ${entity}.${name}`)];
}

function rulesDifference(old, now) {
  const rules = ({ unique, indexes, nameAttribute, rule }) => stringify([unique, indexes, nameAttribute, rule]);
  const place = ({ parent, abstract }) => stringify([parent, abstract]);
  return [
    ...(place(old) === place(now) ? [] : [`~ ${now.name}: parent`]),
    ...(rules(old) === rules(now) ? [] : [`~ ${now.name}: rules, constraints or indexes`]),
  ];
}
