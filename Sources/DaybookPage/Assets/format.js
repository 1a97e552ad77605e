// Values as people read them: numbers with separators, times relative to now, ids short.
import { localText } from "./dates.js";
import { stringify } from "./json.js";

const numbers = new Intl.NumberFormat("en-GB");
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", hour: "2-digit", minute: "2-digit" });
const dayParts = { day: "numeric", month: "short", year: "numeric" };
const dayOnly = new Intl.DateTimeFormat("en-GB", dayParts);
const dayOfUTC = new Intl.DateTimeFormat("en-GB", { ...dayParts, timeZone: "UTC" });
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

export const number = (value) => numbers.format(value);
export const position = (value) => `#${numbers.format(value)}`;
export const shortID = (id) => `…${id.slice(-8)}`;
export const exactTime = (time) => exact.format(new Date(time));
export const shortTime = (time) => short.format(new Date(time));
export const day = (time) => dayOnly.format(new Date(time));
/** Returns a day as the store counts them, such as 2026-01-02: in UTC, whatever the time is here. */
export const utcDay = (date) => dayOfUTC.format(new Date(date));

const steps = [["year", 31_536_000], ["month", 2_592_000], ["week", 604_800], ["day", 86_400], ["hour", 3600], ["minute", 60]];

/** Returns a time as "3 days ago"; under a minute it is "now". */
export function ago(time, now = Date.now()) {
  const seconds = (new Date(time).getTime() - now) / 1000;
  for (const [unit, length] of steps) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "now";
}

/** Returns a number of bytes with its unit. */
export function bytes(count) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) [count, unit] = [count / 1024, unit + 1];
  return `${unit === 0 || count >= 100 ? Math.round(count) : count.toFixed(1)} ${units[unit]}`;
}

/** Returns the number of bytes of a value of data, which is base64 or a reference with its size; null for other values. */
function sizeOf(value, type) {
  if (type !== null && type !== "data") return null;
  if (value && typeof value === "object" && "sha256" in value) return value.size;
  if (type !== "data" || typeof value !== "string") return null;
  return (value.length / 4) * 3 - (value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0);
}

/** Returns a number with all its digits, as it can be typed. */
export const digits = (value) => (Object.is(value, -0) ? "-0" : String(value));

/** Text of nothing but spaces and invisible characters. */
const blank = /^[\s\p{Z}\p{C}]+$/u;

/** Whether a text has characters, and none that can be seen. */
export const isBlank = (words) => blank.test(words);

/** Returns text with its characters in sight where it has none that can be seen. */
export const visible = (words) => (isBlank(words) ? `“${[...words].map((sign) => (sign === " " ? "␣" : `U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`)).join(" ")}”` : words);

/** Returns a value of an attribute of a type as text: of data only the size. */
export function text(value, type = null) {
  if (value === null || value === undefined) return "";
  const size = sizeOf(value, type);
  if (size !== null) return bytes(size);
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return numbers.format(value);
  if (typeof value === "number") return digits(value);
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (type === "date") return localText(value);
  if (typeof value === "object") return value.digits ?? stringify(value);
  return visible(value);
}

/** Returns a value as it stands in a description of a change: strings are short. */
export function brief(value, type = null) {
  const words = text(value, type);
  if (words === "") return value === "" ? "“”" : "nothing";
  return words.length > 60 ? `${words.slice(0, 59)}…` : words;
}

/** Returns a name without the address that a git author has. */
export const person = (author) => (author ? author.replace(/\s*<[^>]*>\s*$/, "") : "");

export const plural = (count, word, many = `${word}s`) => `${number(count)} ${count === 1 ? word : many}`;
