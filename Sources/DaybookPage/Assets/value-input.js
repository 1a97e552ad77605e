// One value in a form. Its state is the typed text, or null for no value.
import { localText, timeOfText } from "./dates.js";
import { button, choice, element } from "./elements.js";
import { digits } from "./format.js";
import { ExactNumber } from "./json.js";

/** Returns a value of the store as a state. */
const stateOf = (type, value) => (value === null || value === undefined ? null : type === "date" ? localText(value) : digits(value));

export class ValueInput {
  /** `value` is what the store has; `changed` is called after each change by a person. */
  constructor({ name, type, optional }, value, changed) {
    Object.assign(this, { name, type, optional, hint: type });
    this.#make(changed);
    this.base = value;
  }

  /** What the store has, as far as it is known here. */
  set base(value) {
    this.value = value;
    this.initial = stateOf(this.type, value);
    this.state = this.initial;
  }

  get isChanged() {
    return this.state !== this.initial;
  }

  get state() {
    const { value } = this.field;
    if (this.type === "string") return this.none?.checked ? null : withBreaksOf(this.initial ?? "", value);
    return value === "" ? null : value;
  }

  set state(text) {
    this.field.value = text ?? "";
    if (this.none) this.none.checked = text === null;
    this.#fit();
  }

  /** Returns the words for a value of the store that stand beside another one. */
  words(value) {
    const state = stateOf(this.type, value) ?? "nothing";
    return state === "" ? "“”" : state;
  }

  /** Returns the value that is typed; throws an error with words where it is none. */
  read() {
    const { state, type, name, initial, value } = this;
    if (state === initial) return value;
    if (state === null) return null;
    try {
      return readers[type]?.(state.trim()) ?? state;
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }

  #make(changed) {
    const { type, name } = this;
    const oninput = () => {
      if (this.none) this.none.checked = false;
      this.#fit();
      changed();
    };
    if (type === "boolean") {
      this.field = choice([["", "—"], ["true", "yes"], ["false", "no"]], "", changed);
      this.control = this.field;
    } else if (type === "string") {
      // A text field of one line would take line breaks away.
      this.field = element("textarea", { rows: 1, dir: "auto", oninput });
      this.control = this.field;
    } else {
      const isNumber = ["integer", "double", "decimal"].includes(type);
      this.field = element("input", { inputmode: isNumber ? "decimal" : "text", spellcheck: "false", autocomplete: "off", oninput });
      this.control = type === "date" ? this.#withPicker(changed) : this.field;
    }
    this.field.setAttribute("aria-label", name);
    // Only a string can be empty and still be a value.
    if (type === "string" && this.optional) {
      this.none = element("input", {
        type: "checkbox",
        onchange: () => {
          if (this.none.checked) this.field.value = "";
          changed();
        },
      });
      this.control = element("span", {}, this.field, element("label", { class: "none" }, this.none, "no value"));
    }
  }

  #withPicker(changed) {
    const picker = element("input", {
      type: "datetime-local",
      step: 1,
      tabindex: -1,
      "aria-hidden": "true",
      class: "picker",
      onchange: () => {
        if (!picker.value) return;
        this.field.value = picker.value.replace("T", " ");
        changed();
      },
    });
    return element("span", { class: "picked" }, this.field, picker, button("▾", () => picker.showPicker(), { "aria-label": `Pick ${this.name}` }));
  }

  /** A text field grows with its lines, as far as the screen has room. */
  #fit() {
    if (this.type === "string") this.field.rows = Math.min(12, this.field.value.split("\n").length);
  }
}

const readers = {
  boolean: (text) => text === "true",
  date: timeOfText,
  integer: (text) => {
    if (!/^[+-]?\d+$/.test(text)) throw new Error(`“${text}” is not an integer.`);
    const number = BigInt(text.replace("+", ""));
    if (BigInt.asIntN(64, number) !== number) throw new Error(`${text} is beyond the 64 bits of an integer.`);
    return number;
  },
  double: (text) => {
    if (/^-?Infinity$|^NaN$/.test(text)) return text;
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) throw new Error(`“${text}” is not a number; write one such as 1.5 or 2e-7.`);
    const number = Number(text);
    if (!Number.isFinite(number)) throw new Error(`${text} is beyond the range of a double.`);
    // Without a fraction it would be an integer, which has no digits beyond 64 bits and no negative zero.
    return Number.isSafeInteger(number) && !Object.is(number, -0) ? number : new ExactNumber(exponential(number));
  },
  decimal: (text) => text,
  uuid: (text) => text,
};

const exponential = (number) => (Object.is(number, -0) ? "-0.0" : number.toExponential());

/**
 * Returns text from a text field with the line breaks that it had before: a field turns each of `\r\n` and `\r` into `\n`.
 * What stands before and after the edited place keeps its own, and what is typed there has `\r\n` in a text that has no others.
 */
export function withBreaksOf(old, typed) {
  if (!old.includes("\r")) return typed;
  const breaks = old.match(/\r\n|\r|\n/g);
  const lines = old.split(/\r\n|\r|\n/);
  const plain = lines.join("\n");
  let start = 0;
  while (start < Math.min(plain.length, typed.length) && plain[start] === typed[start]) start += 1;
  let end = 0;
  while (end < Math.min(plain.length, typed.length) - start && plain.at(-1 - end) === typed.at(-1 - end)) end += 1;
  const count = (text) => text.split("\n").length - 1;
  const before = breaks.slice(0, count(typed.slice(0, start)));
  const after = count(typed.slice(typed.length - end));
  const between = Array.from({ length: count(typed) - before.length - after }, () => (breaks.every((found) => found === "\r\n") ? "\r\n" : "\n"));
  const all = [...before, ...between, ...(after ? breaks.slice(-after) : [])];
  return typed.split("\n").map((line, index) => line + (all[index] ?? "")).join("");
}
