// Changing an object, where the server writes: values, name and links, each save one commit. What is typed is kept as a draft.
import { announce, button, element, field, openDialog } from "./elements.js";
import { complain } from "./events.js";
import { draftOf, keepDraft } from "./drafts.js";
import { stringify } from "./json.js";
import { LinkInput } from "./link-input.js";
import { getAt, post, uuid } from "./server.js";
import { ValueInput } from "./value-input.js";

/** A save that met changes of others in other values is tried again this often. */
const mostTries = 3;

/** Writes operations as one commit, and returns the answer. */
export async function write(page, line, key) {
  const answer = await post("/api/commits", line, key);
  page.moved(answer.position);
  announce(`Saved as commit ${answer.position}.`);
  return answer;
}

/**
 * The form of an object. It stays as it is whatever happens around it: each change is kept as a draft, from which the form is
 * filled again after a reload, and what others change meanwhile is shown beside what is typed.
 */
export class EditForm {
  #key = null;
  #body = null;
  #conflicts = new Map();

  /** `since` is the position at which `object` was read; `done` is called when the form is saved or discarded. */
  constructor(page, object, since, done) {
    Object.assign(this, { page, id: object.id, since, done });
    const { model } = page;
    const draft = draftOf(object.id);
    const base = draft ? { ...object, values: { ...object.values, ...draft.base.values }, links: { ...object.links, ...draft.base.links } } : object;
    const changed = () => this.#keep();
    this.name = model.nameOf(base);
    this.entity = object.entity;
    this.inputs = [
      ...model.attributes(object.entity).filter(({ derived, type }) => !derived && type !== "data" && type !== "codable")
        .map((attribute) => new ValueInput(attribute, base.values[attribute.name], changed)),
      ...model.relationships(object.entity).filter(({ name }) => name in (object.links ?? {})).map((relationship) => new LinkInput(page, relationship, base, changed)),
    ];
    this.message = element("input", { placeholder: "why (optional)", "aria-label": "message", oninput: changed });
    this.problem = element("p", { class: "wrong", role: "alert", hidden: true });
    this.notice = element("p", { class: "quiet", role: "status" });
    this.element = element(
      "form",
      {
        class: "form edit",
        onsubmit: (event) => {
          event.preventDefault();
          this.#save();
        },
        onkeydown: (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#save();
        },
      },
      this.notice,
      this.inputs.map((input) => {
        input.note = element("div", { class: "conflict", role: "alert", hidden: true });
        input.field.id = `edit-${input.name}`;
        return element("div", { class: "field" }, element("label", { for: input.field.id }, input.name), input.control, element("small", {}, input.hint), input.note);
      }),
      field("message", this.message),
      this.problem,
      element("div", { class: "actions" }, element("button", { class: "primary", type: "submit" }, "Save"), button("Cancel", () => this.#discard())),
    );
    if (draft) this.#fill(draft, object);
  }

  get isChanged() {
    return this.message.value !== "" || this.inputs.some((input) => input.isChanged);
  }

  /** Puts the focus into the first field. */
  focus() {
    this.inputs[0]?.field.focus();
  }

  #fill({ typed, message, key, body }, object) {
    for (const input of this.inputs) if (input.name in typed) input.state = typed[input.name];
    this.message.value = message;
    [this.#key, this.#body] = [key, body];
    this.notice.textContent = "What was typed here is not saved yet.";
    this.meet(object, this.since);
  }

  #keep() {
    const changed = this.inputs.filter((input) => input.isChanged);
    const base = { values: {}, links: {} };
    for (const input of this.inputs) base[input instanceof LinkInput ? "links" : "values"][input.name] = input.value;
    for (const { name, many } of this.inputs) if (many) delete base.links[name];
    const draft = {
      name: this.name,
      entity: this.entity,
      base,
      message: this.message.value,
      key: this.#key,
      body: this.#body,
      typed: Object.fromEntries(changed.map((input) => [input.name, input.state])),
    };
    if (!keepDraft(this.id, this.isChanged ? draft : null)) this.notice.textContent = "The browser has no room to keep what is typed here: save it before this page is left.";
  }

  #discard() {
    keepDraft(this.id, null);
    this.done();
  }

  /** Takes in the object as others have left it. */
  meet(object, position) {
    if (position < this.since) return;
    this.since = position;
    for (const input of this.inputs) {
      if (input.many) continue;
      const theirs = (input instanceof LinkInput ? object.links[input.name] : object.values[input.name]) ?? null;
      if (stringify(theirs) === stringify(input.value ?? null)) continue;
      if (input.isChanged) this.#show(input, theirs);
      else input.base = theirs;
    }
    this.#keep();
  }

  async #show(input, theirs) {
    if (stringify(this.#conflicts.get(input)?.theirs) === stringify(theirs)) return;
    const [base, mine] = [input.value, input.state];
    this.#conflicts.set(input, { theirs });
    const [before, now] = await Promise.all([input.words(base), input.words(theirs)]);
    if (this.#conflicts.get(input)?.theirs !== theirs) return;
    const settle = (state) => {
      this.#conflicts.delete(input);
      input.note.hidden = true;
      input.base = theirs;
      if (state !== undefined) input.state = state;
      this.#keep();
    };
    // A save whose answer was lost comes back as a change of others that is the same.
    if (now === (mine === "" ? "“”" : mine ?? "nothing")) return settle();
    input.note.hidden = false;
    input.note.replaceChildren(
      element(
        "dl",
        { class: "facts" },
        [["before", before], ["theirs", now], ["yours", mine === "" ? "“”" : mine ?? "nothing"]].map(([term, words]) => [element("dt", {}, term), element("dd", {}, words)]),
      ),
      element("div", { class: "actions" }, button("Keep yours", () => settle(input.state)), button("Take theirs", () => settle())),
    );
    input.note.scrollIntoView({ block: "nearest" });
  }

  async #save() {
    this.problem.hidden = true;
    if (this.isSaving) return;
    this.isSaving = true;
    try {
      for (let count = 0;; count += 1) {
        if (this.#conflicts.size) throw new Error(`${[...this.#conflicts.keys()].map(({ name }) => name).join(", ")}: changed by somebody else, too. Choose what stays.`);
        const operations = await this.#operations();
        if (operations.length === 0) break;
        try {
          await this.#write(operations);
          break;
        } catch (error) {
          if (error.status !== 409 || count >= mostTries) throw error;
          // Somebody else has changed the object: if it was in other values, both changes stand.
          const { value, position } = await getAt(`/api/objects/${this.id}`);
          this.meet(value, position);
        }
      }
      this.#discard();
    } catch (error) {
      complain(this.problem, error, this.page);
    } finally {
      this.isSaving = false;
    }
  }

  async #write(operations) {
    const line = { commit: operations, when: { untouched: this.id, since: this.since } };
    if (this.message.value) line.message = this.message.value;
    const body = stringify(line);
    // The same save, sent again after its answer was lost, is the same commit.
    if (body !== this.#body) [this.#key, this.#body] = [uuid(), body];
    this.#keep();
    await write(this.page, line, this.#key);
  }

  async #operations() {
    const { id } = this;
    const changed = this.inputs.filter((input) => input.isChanged);
    const operations = [];
    const values = {};
    const nameAttribute = this.page.model.byName.get(this.entity)?.nameAttribute;
    for (const input of changed.filter((input) => input instanceof ValueInput)) {
      const value = input.read();
      if (input.name === nameAttribute && typeof value === "string") operations.push({ rename: id, to: value });
      else values[input.name] = value;
    }
    if (Object.keys(values).length) operations.push({ set: id, values });
    for (const input of changed.filter((input) => input instanceof LinkInput)) operations.push(...await input.operations());
    return operations;
  }
}

/** Returns a button that deletes an object after a question, which names what the model deletes with it. */
export function deletion(page, object) {
  return button("Delete…", () => {
    const problem = element("p", { class: "wrong", role: "alert", hidden: true });
    const cascades = page.model.relationships(object.entity).filter(({ onDelete }) => onDelete === "cascade").map(({ name }) => name);
    const more = cascades.length ? ` Its ${cascades.join(", ")} go with it.` : "";
    const remove = async () => {
      try {
        await write(page, { commit: [{ delete: object.id }] });
        dialog.close();
        page.part?.deleted?.(object.id);
      } catch (error) {
        complain(problem, error, page);
      }
    };
    const dialog = openDialog(
      `Delete ${page.model.nameOf(object)}?`,
      { "aria-label": "Delete" },
      element("p", {}, `The journal keeps everything: it can be seen at any earlier position, and reverted; what a revert brings back has new times of creation and change.${more}`),
      problem,
      element("div", { class: "actions" }, button("Delete", remove, { class: "danger" }), button("Cancel", () => dialog.close())),
    );
  }, { class: "danger" });
}
