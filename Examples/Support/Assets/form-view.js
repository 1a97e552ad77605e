// The fields of an open form, and what all forms have: save, cancel, undo, redo, what was refused, and conflicts. What is typed is
// kept in the tab from the first letter on, until it is saved or cancelled.
import { allDrafts, draftOf, keepDraft } from "/page/drafts.js";
import { announce, button, element } from "/page/elements.js";
import { linked } from "/page/events.js";
import { isBlank, position } from "/page/format.js";
import { stringify } from "/page/json.js";
import { place } from "/page/place.js";
import { discardForm, Form } from "./form.js";
import { TypedField } from "./typed-field.js";
import { visible, wordsOf } from "./words.js";

const offlineWords = "The server cannot be reached. What you type is kept here, and sent as soon as it can be.";
/** Forms that were left as they were opened are kept for the way back, so many at most. */
const mostUnchanged = 8;
let made = 0;

export class FormView {
  #fields = new Map();
  #loose = new Map();
  #flushes = [];
  #extras;
  #isEnded = false;
  #isSaving = false;
  #draft;
  #flushed = () => this.flush();

  /**
   * `id` is the open form; `title(state)` names it; `fields` are `{name, label, kind: "text" | "lines" | "date" | "time" | "number",
   * hint}`, the first of which is the object's name; `extras(view)` returns further elements, `update(state, view)` is called when
   * the form's state has come, `list` as in `Form`; `done(answer)` when it was saved, or with null when it was cancelled or left.
   */
  constructor(app, id, { title, fields, extras, update, list, done }) {
    Object.assign(this, { app, id, title, fields, update, done });
    this.#draft = draftOf(id) ?? { loose: {} };
    this.key = `form-${++made}`;
    this.heading = element("h1", { id: `${this.key}-heading` });
    this.problem = element("p", { class: "wrong", role: "alert", tabindex: "-1" });
    this.offline = element("p", { class: "quiet offline", role: "status", hidden: true });
    this.conflicts = element("div", { class: "conflicts", hidden: true });
    this.undoButton = button("Undo", () => this.#step("undo"), { title: "Undo the last edit of this form", disabled: true });
    this.redoButton = button("Redo", () => this.#step("redo"), { title: "Redo it", disabled: true });
    this.saveButton = element("button", { class: "primary" }, "Save");
    const inputs = fields.map((field) => this.#field(field));
    this.#extras = extras?.(this) ?? [];
    this.element = element(
      "form",
      {
        class: "form",
        "aria-labelledby": this.heading.id,
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          this.save();
        },
      },
      this.heading,
      this.conflicts,
      inputs,
      this.#extras,
      this.problem,
      this.offline,
      element("div", { class: "actions" }, this.saveButton, button("Cancel", () => this.cancel()), element("span", { class: "end actions" }, this.undoButton, this.redoButton)),
    );
    this.form = new Form(id, {
      form: (state) => this.#show(state),
      list,
      kept: () => this.#keep(),
      connection: (step) => {
        this.offline.hidden = step.state === "live";
        this.offline.textContent = step.error?.status ? step.error.message : offlineWords;
        app.connection(step);
      },
      refused: (words) => this.fail(`The server had closed this form, and could not repeat all of it: ${words.join(" ")}`),
      lost: () => this.fail("A picture that was chosen was not sent before the page was left. Choose it again."),
      gone: (problem) => this.#gone(problem),
    }, this.#draft.log);
    this.#resume();
    // A page that is left has no time to wait for an answer, but for the tab's store.
    addEventListener("pagehide", this.#flushed);
  }

  #field({ name, label, kind = "text", hint }) {
    const id = `${this.key}-${name}`;
    const wrong = element("small", { class: "wrong", id: `${id}-wrong` });
    // What is typed before the value has come would stand beside it.
    const field = new TypedField(kind, { id, "aria-describedby": wrong.id, readonly: true }, {
      send: (value) => this.form.set({ [name]: value }, `set ${name}`),
      includes: (edit) => this.form.log.includes(edit),
      changed: ({ problem }) => this.#mark(field, problem),
    });
    this.#fields.set(name, Object.assign(field, { wrong }));
    return element("div", { class: "field" }, element("label", { for: id }, label), field.input, hint && element("small", {}, hint), wrong);
  }

  #mark(field, problem) {
    field.wrong.replaceChildren(...linked(problem ?? "", this.app));
    if (problem) field.input.setAttribute("aria-invalid", "true");
    else field.input.removeAttribute("aria-invalid");
    this.#drawButtons();
  }

  /** Shows what an earlier page has sent, and goes on with a save whose answer it did not get. */
  #resume() {
    const { log } = this.form;
    for (const [name, field] of this.#fields) {
      const edit = log.lastSetting(name);
      if (edit) field.resume(edit, edit.body.set[name]);
    }
    if (log.saving) this.save();
  }

  /** Keeps the text of a field that is no value of the object yet, such as the name of an ingredient to add. */
  keepText(key, input) {
    input.value = this.#draft.loose[key] ?? "";
    this.#loose.set(key, input);
    input.addEventListener("input", () => this.#keep());
    return input;
  }

  /** Whether there is something to save. */
  get isChanged() {
    const isTyped = [...this.#fields.values()].some(({ isOwned }) => isOwned) || [...this.#loose.values()].some(({ value }) => value !== "");
    const { log, state } = this.form;
    return isTyped || log.hasEdits || Boolean(log.saving) || Boolean(state ? state.canUndo : this.#draft.isChanged);
  }

  #keep() {
    // The log comes with the form, whose fields are made first.
    if (this.#isEnded || !this.form) return;
    const name = this.#fields.values().next().value.input.value;
    const title = name && !isBlank(name) ? `“${visible(name)}”` : this.heading.textContent || "a form";
    const loose = Object.fromEntries([...this.#loose].map(([key, { value }]) => [key, value]).filter(([, value]) => value !== ""));
    const current = place();
    // A form that is being left is not in the place any more.
    if (current.form === this.id) this.#draft.place = current;
    this.#draft = { ...this.#draft, title, isChanged: this.isChanged, loose, log: this.form.log.stored(), time: Date.now() };
    if (!keepDraft(this.id, this.#draft)) this.fail("The browser has no room to keep this form. A reload would lose it, so save it soon.");
    const unchanged = allDrafts().filter(([, { isChanged }]) => !isChanged).sort(([, a], [, b]) => b.time - a.time);
    for (const [id] of unchanged.slice(mostUnchanged)) keepDraft(id, null);
  }

  /** Says what went wrong, in view, with names for identities. */
  fail(words) {
    this.problem.replaceChildren(...linked(words, this.app));
    this.problem.scrollIntoView({ block: "nearest" });
    announce(this.problem.textContent);
  }

  /** Shows what is wrong with an edit that was sent. */
  async edit({ answer }) {
    try {
      await answer;
    } catch (problem) {
      this.fail(wordsOf(problem, "What this is about"));
    }
  }

  /** Sends what was typed and not sent yet. */
  flush() {
    for (const field of this.#fields.values()) field.flush();
    for (const flush of this.#flushes) flush();
  }

  /** Calls a function whenever what was typed is to be sent. */
  onFlush(flush) {
    this.#flushes.push(flush);
  }

  #step(direction) {
    this.flush();
    const faulty = [...this.#fields].filter(([, { problem }]) => problem);
    this.#clear();
    // What is no value is no edit of the form: undoing it is the field's matter.
    for (const [name, field] of faulty) field.reset(this.form.state?.object?.values[name]);
    if (!faulty.length || direction === "redo") this.edit(this.form[direction]());
  }

  focus() {
    this.#fields.values().next().value?.input.focus();
  }

  async save() {
    if (this.#isSaving) return;
    this.flush();
    this.#setSaving(true);
    this.#clear();
    try {
      await this.form.settled();
      if (this.#isEnded || (!this.form.log.saving && this.#isFaulty())) return;
      const answer = await this.form.save(this.app.author);
      this.#end();
      this.app.moved(answer.position);
      announce(`Saved as commit ${answer.position}.`);
      this.done(answer);
    } catch (problem) {
      if (!problem.status) return;
      // Which field is wrong is known of the object, which may come later than the answer.
      await this.form.arrived;
      if (!this.#isEnded) this.#refuse(problem);
    } finally {
      this.#setSaving(false);
    }
  }

  /** Nothing is typed while it is not known whether the form is saved. */
  #setSaving(isSaving) {
    this.#isSaving = isSaving;
    this.saveButton.textContent = isSaving ? "Saving…" : "Save";
    if (this.form.state) { for (const { input } of this.#fields.values()) input.readOnly = isSaving; }
    this.#drawButtons();
  }

  #drawButtons() {
    const { canUndo, canRedo } = this.form?.state ?? {};
    const isFaulty = [...this.#fields.values()].some(({ problem }) => problem);
    this.undoButton.disabled = this.#isSaving || !(canUndo || isFaulty);
    this.redoButton.disabled = this.#isSaving || !canRedo;
    this.saveButton.disabled = this.#isSaving;
  }

  /** Whether a field has what is no value, or a name that nobody could see; the first such field gets the focus. */
  #isFaulty() {
    const [first] = this.#fields.values();
    const { value } = first.input;
    if (first.kind === "text" && isBlank(value)) this.#mark(first, "There are only spaces or characters that cannot be seen here.");
    const faulty = [...this.#fields.values()].find(({ input }) => input.hasAttribute("aria-invalid"));
    faulty?.input.focus();
    if (faulty) announce(`Not saved. ${faulty.wrong.textContent}`);
    return Boolean(faulty);
  }

  /** Closes the form: nothing of it is left. */
  cancel() {
    this.#end();
    this.form.close();
    discardForm(this.id);
    this.done(null);
  }

  /** Leaves the form without a decision: what was edited is kept, and offered. */
  leave() {
    if (!this.isChanged) return this.cancel();
    this.close();
    this.done(null);
  }

  /** Stops showing the form, and keeps what was edited. */
  close() {
    this.flush();
    this.#keep();
    this.#end(false);
    this.form.close();
  }

  #end(isDone = true) {
    removeEventListener("pagehide", this.#flushed);
    this.#isEnded = true;
    if (isDone) keepDraft(this.id, null);
  }

  /** The form cannot be opened again: what was typed stays in view, if there is something. */
  #gone(problem) {
    if (!this.form.log.record) {
      this.#end();
      this.app.say("This form is closed: it was saved or cancelled.");
      this.done(null);
      return;
    }
    this.saveButton.disabled = true;
    this.fail(`The server has closed this form and cannot open it again: ${wordsOf(problem, "What it is about")} What you typed is still here, to be copied.`);
  }

  #clear() {
    this.problem.textContent = "";
    for (const field of this.#fields.values()) if (!field.problem) this.#mark(field, null);
  }

  /** Shows why saving was refused: beside the fields that are wrong, and below for the rest. */
  #refuse(problem) {
    if (problem.status === 409) return this.fail("Not saved: another window changed the same. Decide above which values stay.");
    const failures = problem.body?.failures ?? [];
    let first = null;
    const others = failures.filter(({ message, failure }) => {
      const field = failure?.object === this.form.state?.object?.id && this.#fields.get(failure.fields[0]);
      if (!field) return true;
      this.#mark(field, ruleWords(failure) ?? message);
      first ??= field;
      return false;
    });
    const words = failures.length ? others.map(({ message, failure }) => ruleWords(failure) ?? message) : [wordsOf(problem)];
    this.fail(words.join(" "));
    announce(`Not saved. ${first?.wrong.textContent ?? ""} ${words.join(" ")}`);
    first?.input.focus();
  }

  #show(state) {
    const { object } = state;
    this.app.moved(state.record.position);
    this.heading.textContent = visible(this.title(state));
    for (const [name, field] of this.#fields) {
      field.input.disabled = !object;
      field.input.readOnly = this.#isSaving;
      if (object) field.show(object.values[name]);
    }
    this.#drawButtons();
    if (!object) this.fail("This was deleted in another window.");
    this.#drawConflicts(state.conflicts);
    this.update?.(state, this);
  }

  #drawConflicts(conflicts) {
    this.conflicts.hidden = conflicts.length === 0;
    // What was chosen so far stays while the same conflicts are stated again.
    const words = stringify(conflicts);
    if (words === this.shownConflicts) return;
    this.shownConflicts = words;
    if (conflicts.length === 0) return;
    const groups = conflicts.map((conflict, index) => this.#conflict(conflict, `${this.key}-${index}`));
    const decide = () => {
      const decisions = Object.fromEntries(groups.map((group) => [group.dataset.key, group.querySelector("input:checked").value]));
      this.flush();
      this.#clear();
      this.edit(this.form.resolve(decisions));
    };
    this.conflicts.replaceChildren(element("h2", {}, "Another window changed the same"), ...groups, button("Use these", decide, { class: "primary" }));
    this.conflicts.scrollIntoView({ block: "nearest" });
    announce("Another window changed the same values.");
  }

  /** The values of a conflict: before both changes, here, and there. */
  #conflict({ key, name, field, base, mine, theirs, positions }, group) {
    const value = (side) => element("span", { class: "value" }, side === null || side === "" ? "nothing" : String(side));
    const choices = [["mine", "here", mine], ["theirs", `since ${position(positions.at(-1))}`, theirs]];
    return element(
      "fieldset",
      { "data-key": key },
      element("legend", {}, [visible(name), field].filter(Boolean).join(", ")),
      base !== undefined && element("p", { class: "quiet before" }, "before: ", value(base)),
      choices.map(([side, when, own]) =>
        element("label", {}, element("input", { type: "radio", name: group, value: side, checked: side === "mine" }), element("span", {}, element("strong", {}, side), ` (${when}): `, value(own)))
      ),
    );
  }
}

const limits = {
  required: (name) => `A ${name} is required.`,
  unique: (name, { value, entity }) => `“${value}” is taken: another ${entity.toLowerCase()} has this ${name}.`,
  minimumLength: (name, { value }) => (value === "" ? `The ${name} must not be empty.` : null),
  maximumLength: (name) => `The ${name} is too long.`,
};

/** Returns a broken rule in words; null for rules whose own message is as good. */
function ruleWords(failure) {
  return (failure && limits[failure.rule]?.(failure.fields[0] ?? "", failure)) ?? null;
}
