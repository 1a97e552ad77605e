// A link in a form, chosen by name; a to-many one takes a name to add, or after a minus sign to remove.
import { element } from "./elements.js";
import { get, requestAddress } from "./server.js";

/** Names that are proposed while a link is typed. */
const mostProposals = 50;

export class LinkInput {
  #page;
  #relationship;
  #isTyped = false;

  constructor(page, relationship, object, changed) {
    this.#page = page;
    this.#relationship = relationship;
    const { name, to, many } = relationship;
    Object.assign(this, { name, many, hint: many ? `${object.links[name].length} linked` : `to ${to}`, object: object.id });
    this.attribute = page.model.nameAttribute(to);
    this.list = element("datalist", { id: `choices-${name}` });
    this.field = element("input", {
      list: this.list.id,
      autocomplete: "off",
      "aria-label": name,
      placeholder: many ? "name to add, −name to remove" : "nothing",
      oninput: () => {
        this.#isTyped = true;
        this.#propose();
        changed();
      },
    });
    this.field.addEventListener("focus", () => this.#propose(), { once: true });
    this.control = element("span", {}, this.field, this.list);
    this.base = many ? null : object.links[name];
  }

  /** The identity that the store has, as far as it is known here. */
  set base(id) {
    this.value = id ?? null;
    this.#isTyped = false;
    this.initial = this.field.value = "";
    if (this.value) this.#readName();
  }

  /** The name comes later, and must not replace what is typed meanwhile. */
  async #readName() {
    const id = this.value;
    const name = await this.words(id);
    if (this.value !== id) return;
    if (!this.#isTyped) this.field.value = name;
    // As the field holds it: it takes line breaks away.
    this.initial = this.#isTyped ? name : this.field.value;
  }

  get isChanged() {
    return this.#isTyped && this.field.value !== this.initial;
  }

  get state() {
    return this.field.value;
  }

  set state(text) {
    this.#isTyped = true;
    this.field.value = text;
  }

  /** Returns what an object is called that is or was linked. */
  async words(id) {
    if (!id) return "nothing";
    return get(`/api/objects/${id}`).then((other) => this.#page.model.nameOf(other), () => id);
  }

  async #propose() {
    const words = this.field.value.replace(/^[−-]/, "");
    const objects = await this.#find(words && this.attribute ? `${this.attribute} BEGINSWITH[c] $name` : null, words).catch(() => []);
    this.list.replaceChildren(...objects.map((other) => this.#proposal(other, objects)));
  }

  /** Proposes a name that finds its object; else the identity, beside what the object is called. */
  #proposal(other, objects) {
    const label = this.#page.model.nameOf(other);
    const isFound = other.values[this.attribute] === label && objects.every(({ id, values }) => id === other.id || values[this.attribute] !== label);
    return element("option", isFound ? { value: label } : { value: other.id, label });
  }

  async #find(where, name, limit = mostProposals) {
    const request = { entity: this.#relationship.to, where, variable: where ? `name=${name}` : null, sort: this.attribute ? [this.attribute] : [], limit };
    return (await get(requestAddress("fetch", request))).sections.flatMap((section) => section.objects);
  }

  /** Returns the identity of the object that a text names, by its name, unless several have it, or its identity. */
  async #target(words) {
    const { to } = this.#relationship;
    if (/^[0-9a-f-]{36}$/i.test(words)) return words.toLowerCase();
    const found = this.attribute ? await this.#find(`${this.attribute} == $name`, words, 2) : [];
    if (found.length === 1) return found[0].id;
    throw new Error(found.length ? `${this.name}: several ${to} are called “${words}”. Give the identity of one.` : `${this.name}: there is no ${to} called “${words}”.`);
  }

  async operations() {
    const { field: { value }, name, object } = this;
    if (!this.isChanged || (this.many && value === "")) return [];
    if (this.many) {
      const isRemoval = /^[−-]/.test(value);
      return [{ [isRemoval ? "unrelate" : "relate"]: object, relationship: name, to: await this.#target(isRemoval ? value.slice(1) : value) }];
    }
    if (value === "") return this.value ? [{ unrelate: object, relationship: name, to: this.value }] : [];
    const to = await this.#target(value);
    return to === this.value ? [] : [{ relate: object, relationship: name, to }];
  }
}
