// The fields of an open form, and what all forms have: save, cancel, undo, redo, what was refused, and conflicts.
import { announce, button, element } from "/page/elements.js";
import { position } from "/page/format.js";
import { Form } from "./form.js";

/** What is typed becomes an edit after this time without a key, in milliseconds. */
const pauseInMilliseconds = 250;
let made = 0;

export class FormView {
  #inputs = new Map();
  #extras;

  /**
   * `id` is the open form; `title(state)` names it; `fields` are `{name, label, kind: "text" | "lines" | "date" | "time" | "number",
   * hint}`; `extras(view)` returns further elements, `update(state, view)` is called when the form's state has come, `list`
   * and `gone` as in `Form`; `done(answer)` when it was saved, or with null when it was cancelled.
   */
  constructor(app, id, { title, fields, extras, update, list, gone, done }) {
    Object.assign(this, { app, title, fields, update, done });
    this.key = `form-${++made}`;
    this.heading = element("h1", { id: `${this.key}-heading` });
    this.problem = element("p", { class: "wrong", role: "alert" });
    this.conflicts = element("div", { class: "conflicts", hidden: true });
    this.undoButton = button("Undo", () => this.#step("undo"), { title: "Undo the last edit of this form", disabled: true });
    this.redoButton = button("Redo", () => this.#step("redo"), { title: "Redo it", disabled: true });
    this.#extras = extras?.(this) ?? [];
    this.element = element("form", { class: "form", "aria-labelledby": this.heading.id, novalidate: true, onsubmit: (event) => {
      event.preventDefault();
      this.save();
    } }, this.heading, this.conflicts, fields.map((field) => this.#field(field)), this.#extras, this.problem,
    element("div", { class: "actions" }, element("button", { class: "primary" }, "Save"), button("Cancel", () => this.cancel()),
      element("span", { class: "end actions" }, this.undoButton, this.redoButton)));
    this.form = new Form(id, {
      form: (state) => this.#show(state), list, connection: (step) => app.connection(step),
      gone: gone ?? (() => {
        this.problem.textContent = "The server does not hold this form any more. What was not saved is gone.";
        announce(this.problem.textContent);
      }),
    });
  }

  #field({ name, label, kind = "text", hint }) {
    const id = `${this.key}-${name}`;
    const input = kind === "lines" ? element("textarea", { id, rows: 6 }) : element("input", { id, type: kind === "time" ? "datetime-local" : kind, step: kind === "time" ? 1 : null, autocomplete: kind === "text" ? "off" : null });
    const wrong = element("small", { class: "wrong", id: `${id}-wrong` });
    const field = { input, wrong, kind, timer: null, isDirty: false };
    input.setAttribute("aria-describedby", wrong.id);
    // What is typed before the value has come would stand beside it.
    input.readOnly = true;
    input.addEventListener("input", () => {
      field.isDirty = true;
      clearTimeout(field.timer);
      field.timer = setTimeout(() => this.#send(name, field), pauseInMilliseconds);
    });
    input.addEventListener("change", () => this.#send(name, field));
    this.#inputs.set(name, field);
    return element("div", { class: "field" }, element("label", { for: id }, label), input, hint && element("small", {}, hint), wrong);
  }

  #send(name, field) {
    clearTimeout(field.timer);
    if (!field.isDirty) return;
    field.isDirty = false;
    this.edit(this.form.set({ [name]: valueOf(field) }));
  }

  /** Shows what is wrong with an edit that was sent. */
  async edit(sent) {
    try {
      await sent;
    } catch (problem) {
      this.problem.textContent = [problem.message, problem.advice].filter(Boolean).join(" ");
    }
  }

  /** Sends what was typed and not sent yet. */
  flush() {
    for (const [name, field] of this.#inputs) this.#send(name, field);
  }

  #step(direction) {
    this.flush();
    this.#clear();
    this.edit(this.form[direction]());
  }

  focus() {
    this.#inputs.values().next().value?.input.focus();
  }

  async save() {
    this.flush();
    this.#clear();
    try {
      const answer = await this.form.save(this.app.author);
      this.app.moved(answer.position);
      announce(`Saved as commit ${answer.position}.`);
      this.done(answer);
    } catch (problem) {
      this.#refuse(problem);
    }
  }

  async cancel() {
    for (const field of this.#inputs.values()) clearTimeout(field.timer);
    await this.form.cancel();
    this.done(null);
  }

  #clear() {
    this.problem.textContent = "";
    for (const { input, wrong } of this.#inputs.values()) {
      input.removeAttribute("aria-invalid");
      wrong.textContent = "";
    }
  }

  /** Shows why saving was refused: beside the fields that are wrong, and below for the rest. */
  #refuse(problem) {
    if (problem.status === 409) return;
    const failures = problem.body?.failures ?? [];
    const others = failures.filter(({ message, failure }) => {
      const field = failure?.object === this.form.state?.object?.id && this.#inputs.get(failure.fields[0]);
      if (!field) return true;
      field.input.setAttribute("aria-invalid", "true");
      field.wrong.textContent = wordsOf(failure) ?? message;
      field.input.focus();
      return false;
    });
    const words = failures.length ? others.map(({ message, failure }) => wordsOf(failure) ?? message) : [problem.message];
    this.problem.textContent = words.join(" ");
    announce(`Not saved. ${words.join(" ")}`);
  }

  #show(state) {
    const { object } = state;
    this.app.moved(state.position);
    this.heading.textContent = this.title(state);
    this.undoButton.disabled = !state.canUndo;
    this.redoButton.disabled = !state.canRedo;
    for (const [name, field] of this.#inputs) {
      field.input.disabled = !object;
      field.input.readOnly = false;
      if (object && !field.isDirty) show(field, object.values[name]);
    }
    if (!object) this.problem.textContent = "This was deleted in another window.";
    this.#drawConflicts(state.conflicts);
    this.update?.(state, this);
  }

  #drawConflicts(conflicts) {
    this.conflicts.hidden = conflicts.length === 0;
    // What was chosen so far stays while the same conflicts are stated again.
    const words = JSON.stringify(conflicts);
    if (words === this.shownConflicts) return;
    this.shownConflicts = words;
    if (conflicts.length === 0) return;
    const groups = conflicts.map(({ key, name, field, mine, theirs, positions }, place) => element("fieldset", { "data-key": key },
      element("legend", {}, [name, field].filter(Boolean).join(", ")),
      [["mine", "here", mine], ["theirs", `since ${position(positions[positions.length - 1])}`, theirs]].map(([side, when, value]) => element("label", {},
        element("input", { type: "radio", name: `${this.key}-${place}`, value: side, checked: side === "mine" }),
        element("span", {}, element("strong", {}, side), ` (${when}): `, value === null || value === "" ? "nothing" : String(value))))));
    const decide = () => {
      const decisions = Object.fromEntries(groups.map((group) => [group.dataset.key, group.querySelector("input:checked").value]));
      this.#clear();
      this.edit(this.form.resolve(decisions));
    };
    this.conflicts.replaceChildren(element("h2", {}, "Another window changed the same"), ...groups, button("Use these", decide, { class: "primary" }));
    this.conflicts.scrollIntoView({ block: "nearest" });
    announce("Another window changed the same values.");
  }
}

const valueOf = ({ input, kind }) => {
  if (kind === "text" || kind === "lines") return input.value;
  if (input.value === "") return null;
  if (kind === "time") return new Date(input.value).toISOString();
  return kind === "number" ? Number(input.value) : input.value;
};

/** Returns a time as a field for times takes it, in the zone of the browser. */
function localTime(value) {
  const time = new Date(value);
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

function show({ input, kind }, value) {
  const words = value === null || value === undefined ? "" : kind === "date" ? value.slice(0, 10) : kind === "time" ? localTime(value) : String(value);
  if (input.value !== words) input.value = words;
}

/** Returns a broken rule in words; nothing for rules whose own message is as good. */
function wordsOf(failure) {
  if (!failure) return null;
  const name = failure.fields[0] ?? "";
  if (failure.rule === "required") return `A ${name} is required.`;
  if (failure.rule === "unique") return `“${failure.value}” is taken: another ${failure.entity.toLowerCase()} has this ${name}.`;
  if (failure.rule === "minimumLength" && failure.value === "") return `The ${name} must not be empty.`;
  return null;
}
