// Dates as they are typed and shown: in the time of this place, with its offset, to the microsecond.

/** Returns a number with zeros before it. */
export const pad = (number, length = 2) => String(number).padStart(length, "0");

/** Returns the day of a time of this place, as 2026-02-03. */
export const dayOf = (date = new Date()) => fieldsOf(date).slice(0, 3).map((part, index) => pad(part, index ? 2 : 4)).join("-");

/** A timer waits no longer than this, because a computer that sleeps does not count. */
const mostWaitInMilliseconds = 60_000;

/** Calls a function soon after each midnight of this place. */
export function atEachNewDay(act) {
  let last = dayOf();
  setInterval(() => {
    if (dayOf() === last) return;
    last = dayOf();
    act();
  }, mostWaitInMilliseconds);
}

/** Returns a time of the store as text that can be typed, too: "2026-03-09 14:05:00+01:00". */
export function localText(time) {
  const [, seconds, fraction = ""] = /^(\d{4}-.*?T[\d:]*)(\.\d+)?Z$/.exec(time) ?? [];
  const date = new Date(`${seconds}Z`);
  const fields = fieldsOf(date);
  const offset = (utc(fields) - date.getTime()) / 60_000;
  // A year of five digits, or an offset of the nineteenth century, is shown as it is stored.
  if (!Number.isInteger(offset) || !(fields[0] >= 1000 && fields[0] <= 9999)) return time;
  const [year, month, day, hour, minute, second] = fields;
  const zone = `${offset < 0 ? "-" : "+"}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
  return `${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}${fraction}${zone}`;
}

const pattern = /^\s*(\d{4})-(\d\d?)-(\d\d?)(?:[T\s]+(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)?\s*(z|[+-]\d\d:?\d\d)?\s*$/i;

/** Returns the time of the store that a text names; throws an error for people where it names none. */
export function timeOfText(text) {
  const found = pattern.exec(text);
  if (!found) throw new Error(`“${text}” is not a date. Give one such as 2026-03-09 14:05; without an offset such as +01:00 it is of ${zoneName()}.`);
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? 0));
  const days = month >= 1 && month <= 12 ? new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() : 0;
  if (days === 0) throw new Error(`“${text}” has no month from 1 to 12.`);
  if (day < 1 || day > days) throw new Error(`There is no day ${day} in ${year}-${pad(month)}: it has ${days}.`);
  if (hour > 23 || minute > 59 || second > 60) throw new Error(`“${text}” has no time from 00:00:00 to 23:59:59.`);
  const fields = [year, month, day, hour, minute, second];
  const time = new Date(found[8] ? utc(fields) - offsetOf(found[8], text) : localTime(fields, text)).toISOString();
  // A leap second is the first second of the next month.
  if (second === 60 && !time.endsWith("-01T00:00:00.000Z")) throw new Error(`“${text}” has no second 60: only the last minute of a month in UTC may have one.`);
  return time.replace(".000Z", `${found[7] ? `.${found[7].slice(0, 6)}` : ""}Z`);
}

const zoneName = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

function utc([year, month, day, hour, minute, second]) {
  // `Date.UTC` takes years below 100 for those of the last century.
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
}

/** Returns year, month, day, hour, minute and second of a date, as the clocks of this place show them. */
export const fieldsOf = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()];

function offsetOf(zone, text) {
  if (/z/i.test(zone)) return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) throw new Error(`“${text}” has no offset from -23:59 to +23:59.`);
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Returns the one instant at which the clocks of this place show some fields. */
function localTime(fields, text) {
  const guess = new Date(utc(fields));
  // Clocks are at most 14 hours off. A time that they skip or show twice names no instant.
  const day = 86_400_000;
  const offsets = new Set([-day, 0, day].map((step) => utc(fieldsOf(new Date(guess.getTime() + step))) - (guess.getTime() + step)));
  const found = [...offsets].map((offset) => guess.getTime() - offset).filter((time) => utc(fieldsOf(new Date(time))) === guess.getTime());
  if (found.length === 1) return found[0];
  const words = found.length ? "is shown twice by the clocks" : "is skipped by the clocks";
  throw new Error(`“${text}” ${words} of ${zoneName()}. Add an offset, such as +01:00.`);
}
