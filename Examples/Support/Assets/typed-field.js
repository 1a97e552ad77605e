// A field in which a person types. What is typed becomes an edit after a pause; and the field is the person's until the form's state
// includes the newest edit, so that no state that is older than a letter can take it away.
import { dayOf, fieldsOf, pad } from "/page/dates.js";
import { element } from "/page/elements.js";
import { integer } from "/page/json.js";
import { withBreaksOf } from "/page/value-input.js";

/** What is typed becomes an edit after this time without a key, in milliseconds. */
const pauseInMilliseconds = 250;

const text = { words: (value) => value ?? "", value: (typed, shown) => withBreaksOf(shown, typed) };
/** How the value of each kind of field is written in it, and read. */
const kinds = {
  text,
  lines: text,
  // A day is the same day everywhere: its value is the beginning of that day in UTC, which no zone shifts.
  date: { words: (value) => value?.slice(0, 10) ?? "", value: (typed) => typed || null, wrong: "This is no day of the calendar, or not a whole one: it is not saved." },
  time: {
    words: (value) => (value ? localTime(value) : ""),
    value: (typed) => (typed ? new Date(typed).toISOString() : null),
    wrong: "This is no point in time, or not a whole one: it is not saved.",
    // A browser moves a time that the clocks skip to another one.
    refusal: (typed) => (typed && !localTime(typed).startsWith(typed.slice(0, 19)) ? "The clocks here do not show this time: it is not saved." : null),
  },
  number: { words: (value) => String(value ?? ""), value: (typed) => (typed === "" ? null : /^[+-]?\d+$/.test(typed) ? integer(typed) : Number(typed)), wrong: "This is no number: it is not saved." },
};
const types = { time: "datetime-local" };

/** Returns a time as a field for times takes it, in the zone of the browser. */
const localTime = (value) => `${dayOf(new Date(value))}T${fieldsOf(new Date(value)).slice(3).map((part) => pad(part)).join(":")}`;

export class TypedField {
  /** What is wrong with what was typed; null where nothing is. */
  problem = null;
  #timer = null;
  #isDirty = false;
  #isBad = false;
  #edit = null;
  #shown = "";
  #latest;

  /**
   * `kind` is one of `kinds`; `properties` are those of the element. `send(value)` sends an edit and returns it, `includes(edit)`
   * says whether the form's state has it, `changed(field)` is called when `problem` has changed or something was typed.
   */
  constructor(kind, properties, { send, includes, changed = () => {} }) {
    Object.assign(this, { kind, properties, send, includes, changed });
    this.input = this.#made(kind === "lines" ? "textarea" : "input");
  }

  #made(tag) {
    const own = tag === "textarea"
      ? { rows: this.kind === "lines" ? 6 : 2 }
      : { type: types[this.kind] ?? this.kind, step: this.kind === "time" ? 1 : this.kind === "number" ? "any" : null, autocomplete: this.kind === "text" ? "off" : null };
    const check = () => this.#check();
    return element(tag, { ...own, ...this.properties, oninput: () => this.#typed(), onchange: () => this.flush(), onkeyup: check, onblur: check });
  }

  /** Notes that the field became, or is not any more, what is no value: of half a date the browser reports no input. */
  #check() {
    if (this.input.validity.badInput !== this.#isBad) this.#typed();
  }

  /** Whether what stands in the field was typed, and no state has it yet. */
  get isOwned() {
    // A refused edit may be in a state before its answer comes.
    const isSettled = this.#edit === null || (this.#edit.isAnswered && this.includes(this.#edit));
    return this.#isDirty || this.problem !== null || this.input.validity.badInput || !isSettled;
  }

  #typed() {
    this.#isDirty = true;
    this.#isBad = this.input.validity.badInput;
    this.#report(null);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), pauseInMilliseconds);
  }

  #report(problem) {
    this.problem = problem;
    this.changed(this);
  }

  /** Sends what was typed and not sent yet, if it is a value. */
  flush() {
    this.#check();
    clearTimeout(this.#timer);
    if (!this.#isDirty) return;
    const { value, wrong, refusal } = kinds[this.kind];
    const problem = this.input.validity.badInput ? wrong : refusal?.(this.input.value);
    if (problem) {
      this.#report(problem);
      return;
    }
    this.#isDirty = false;
    this.#sent(this.send(value(this.input.value, this.#shown)));
  }

  #sent(edit) {
    this.#edit = edit;
    // What was typed since is another value.
    const isLast = () => this.#edit === edit && !this.#isDirty;
    edit.answer.then(
      () => isLast() && this.show(this.#latest),
      (problem) => isLast() && this.#report([problem.message, problem.advice].filter(Boolean).join(" ")),
    );
  }

  /** Shows what an earlier page has sent. */
  resume(edit, value) {
    this.#write(value);
    this.#sent(edit);
  }

  /** Shows the value of the form's state, unless the field is the person's. */
  show(value) {
    this.#latest = value;
    if (!this.isOwned) this.#write(value);
  }

  /** Gives up what was typed. */
  reset(value) {
    clearTimeout(this.#timer);
    [this.#isDirty, this.#edit] = [false, null];
    this.#report(null);
    this.#write(value);
  }

  #write(value) {
    const words = kinds[this.kind].words(value);
    this.#shown = words;
    // A field of one line would drop the breaks.
    if (this.kind === "text" && /[\r\n]/.test(words) && this.input.tagName === "INPUT") this.#becomeLines();
    if (this.input.value !== words.replace(/\r\n?/g, "\n") || this.input.validity.badInput) this.input.value = words;
    this.#isBad = false;
  }

  #becomeLines() {
    const lines = this.#made("textarea");
    for (const name of ["readOnly", "disabled"]) lines[name] = this.input[name];
    const isFocused = document.activeElement === this.input;
    this.input.replaceWith(lines);
    this.input = lines;
    if (isFocused) lines.focus();
  }
}
