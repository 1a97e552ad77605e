// JSON whose numbers keep their digits: those that no double holds become a BigInt or an `ExactNumber`.

/** A number with a fraction or an exponent that no double holds, such as 0.1234567890123456789. */
export class ExactNumber {
  constructor(digits) {
    this.digits = digits;
  }

  toString() {
    return this.digits;
  }
}

/** Text without any of these has no such number, and is parsed at once. */
const suspicious = /\d{16}|[\d.]{17}|[\s:,[]-?[\d.]+[eE][+-]?\d{3}/;
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs;
// Digits pass the parser as strings with a mark that no text of a store can foresee.
const mark = `exact${Math.random().toString().slice(2)}x`;
const marked = new RegExp(`"${mark}([^"]*)"`, "g");

/** Returns the value of JSON text. */
export function parse(text) {
  if (!suspicious.test(text)) return JSON.parse(text);
  let isExact = false;
  const quoted = text.replace(tokens, (token) => {
    if (token.startsWith('"') || isHeld(token)) return token;
    isExact = true;
    return `"${mark}${token}"`;
  });
  if (!isExact) return JSON.parse(text);
  return JSON.parse(quoted, (_, value) => (typeof value === "string" && value.startsWith(mark) ? exact(value.slice(mark.length)) : value));
}

/** Returns a value as JSON text; a negative zero keeps its sign. */
export function stringify(value) {
  const digits = (item) => (typeof item === "bigint" || item instanceof ExactNumber ? mark + item : Object.is(item, -0) ? `${mark}-0.0` : item);
  return JSON.stringify(value, (_, item) => digits(item))?.replace(marked, "$1");
}

/** Returns the integer of a text, as a `BigInt` where a number would have other digits. */
export const integer = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) + 0 : BigInt(text));

const exact = (digits) => (/^-?\d+$/.test(digits) ? BigInt(digits) : new ExactNumber(digits));

/** Returns whether a number is the same after it was a double. */
function isHeld(token) {
  const value = Number(token);
  return /^-?\d+$/.test(token) ? Number.isSafeInteger(value) : Number.isFinite(value) && normal(String(value)) === normal(token);
}

/** Returns the digits of a number without zeros at the ends, and the power of ten that they are multiplied by. */
function normal(text) {
  const [, sign, whole, fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const kept = digits.replace(/0+$/, "");
  return kept ? `${sign}${kept}e${Number(power) - fraction.length + digits.length - kept.length}` : "0";
}
