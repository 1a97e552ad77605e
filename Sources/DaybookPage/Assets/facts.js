// What the parts of the page know of the store in common: models, commits, names. Each is read once and kept.
import { get, objectsWith } from "./server.js";
import { digits, shortID, visible } from "./format.js";

/** Kept answers are discarded in the order of their making when there are more than this. */
const limit = 2000;

function kept(read) {
  const answers = new Map();
  return (key) => {
    const found = answers.get(key);
    if (found) return found;
    const answer = read(key).catch((error) => {
      answers.delete(key);
      throw error;
    });
    answers.set(key, answer);
    if (answers.size > limit) answers.delete(answers.keys().next().value);
    return answer;
  };
}

/** Returns a commit, which never changes. */
export const commit = kept(async (position) => {
  const { commits } = await get("/api/commits", { from: position, to: position });
  if (commits.length === 0) throw new Error(`There is no commit ${position}.`);
  return commits[0];
});

/** The positions at which the model changed, of all positions through one. */
const changes = { through: 0, positions: [] };

/** Notes at which positions through one the model changed: a model is read once for all positions that it serves. */
export function noteModels(through, positions) {
  if (through >= changes.through) Object.assign(changes, { through, positions });
}

/** Returns the model at a position, or at the head. */
export async function model(at) {
  if (!at) return new Model(await get("/api/model"));
  return pastModel(at <= changes.through ? changes.positions.findLast((position) => position <= at) ?? at : at);
}
const pastModel = kept(async (at) => new Model(await get("/api/model", { at })));

/** Returns what an object is called by the value of its name attribute. */
export const called = (id, value) => (value === null || value === undefined || value === "" ? shortID(id) : visible(digits(value)));

/** A model with its entities by name. */
export class Model {
  constructor(value) {
    this.entities = value.entities ?? [];
    this.events = value.events ?? [];
    this.byName = new Map(this.entities.map((entity) => [entity.name, entity]));
  }

  /** Returns the name of an entity, or of the first one for a name that is none. */
  nameFor(entity) {
    return this.byName.has(entity) ? entity : this.entities[0]?.name;
  }

  isDerived(entity) {
    return Boolean(this.byName.get(entity)?.derived);
  }

  /** The name of an entity, with its projection and lag if it is derived. */
  label(entity) {
    const { projection, lag } = this.byName.get(entity)?.derived ?? {};
    return projection ? `${entity} — ${projection}${lag ? `, ${lag} behind` : ""}` : entity;
  }

  /** What the labels have that changes without a model. */
  get marks() {
    return this.entities.filter(({ derived }) => derived).map(({ name }) => this.label(name)).join();
  }

  /** Whether the rows of a derived entity are behind the head. */
  get lags() {
    return this.entities.some(({ derived }) => derived?.lag);
  }

  /** Returns an entity with its ancestors, the root first. */
  lineage(entity) {
    const lineage = [];
    for (let found = this.byName.get(entity); found && !lineage.includes(found); found = this.byName.get(found.parent)) lineage.unshift(found);
    return lineage;
  }

  /** Whether objects of other entities are objects of an entity too. */
  isParent(entity) {
    return this.entities.some(({ parent }) => parent === entity);
  }

  /** Returns the attributes of an entity's objects, inherited ones first. */
  attributes(entity) {
    return this.lineage(entity).flatMap(({ attributes = [] }) => attributes);
  }

  /** Returns the type of an attribute, or null for a name that is none. */
  type(entity, name) {
    return this.attributes(entity).find((attribute) => attribute.name === name)?.type ?? null;
  }

  /** Returns the relationships of an entity's objects, inherited ones first. */
  relationships(entity) {
    return this.lineage(entity).flatMap(({ relationships = [] }) => relationships);
  }

  /** The attribute that objects are called by: the model's, or the first that reads like a name. */
  nameAttribute(entity) {
    const declared = this.lineage(entity).findLast(({ nameAttribute }) => nameAttribute)?.nameAttribute;
    if (declared) return declared;
    const strings = this.attributes(entity).filter((attribute) => attribute.type === "string");
    const likely = ["name", "title", "subject", "label"];
    return (strings.find((attribute) => likely.includes(attribute.name)) ?? strings[0])?.name ?? null;
  }

  /** Returns what an object is called. */
  nameOf(object) {
    return called(object.id, object.values?.[this.nameAttribute(object.entity)]);
  }

  /** Returns what may stand in a column: `{key, kind: "attribute" | "link" | "entity" | "time", type, to, optional}`. */
  columns(entity) {
    const attributes = this.attributes(entity).map(({ name, type, derived, optional }) => ({
      key: name,
      kind: "attribute",
      type: derived ? "integer" : type,
      optional: optional ?? derived?.min ?? derived?.max,
    }));
    const links = this.relationships(entity).filter((relationship) => !relationship.many)
      .map(({ name, to }) => ({ key: name, kind: "link", to }));
    const hasKinds = this.isParent(entity) && !attributes.some(({ key }) => key === "entity");
    const kinds = hasKinds ? [{ key: "entity", kind: "entity", type: "string" }] : [];
    const times = ["createdAt", "changedAt"].map((key) => ({ key, kind: "time", type: "date" }));
    return [...attributes, ...links, ...kinds, ...times];
  }
}

/** The names of objects at a position, asked for many at a time; at the head again after a while. */
export class Names {
  #names = new Map();
  #old;
  #abort = new AbortController();
  #wanted = new Map();
  #timer = null;
  /** How long a name at the head is taken for true, in milliseconds. */
  static freshness = 5000;

  /** `old` are those of another position, which stand for the names until they have come. */
  constructor(at, model, arrived, old) {
    this.at = at;
    this.model = model;
    this.arrived = arrived;
    this.#old = old ? new Map([...old.#old, ...old.#names].slice(-limit)) : new Map();
    old?.close();
  }

  /** Asks for no more names. */
  close() {
    clearTimeout(this.#timer);
    this.#abort.abort();
  }

  /** Returns the name of an object as far as it is known; a missing one is asked for, and `arrived` is called. */
  name(entity, id) {
    const found = this.#names.get(id);
    if (!found || (!this.at && Date.now() - found.time > Names.freshness)) this.#want(entity, id);
    return found?.name ?? this.#old.get(id)?.name ?? shortID(id);
  }

  #want(entity, id) {
    if (!this.#wanted.has(entity)) this.#wanted.set(entity, new Set());
    this.#wanted.get(entity).add(id);
    this.#timer ??= setTimeout(() => this.#ask(), 16);
  }

  async #ask() {
    this.#timer = null;
    const wanted = this.#wanted;
    this.#wanted = new Map();
    let isNew = false;
    for (const [entity, ids] of wanted) {
      try {
        for await (const object of objectsWith(entity, [...ids], this.at, this.#abort.signal)) {
          const name = this.model.nameOf(object);
          isNew ||= this.#names.get(object.id)?.name !== name;
          this.#names.set(object.id, { name, time: Date.now() });
        }
      } catch {
        // What is missing is asked for again when it is drawn.
      }
    }
    if (isNew && !this.#abort.signal.aborted) this.arrived();
  }
}
