// Names and values as they are read: what would not be seen has a sign.
import { visible as inSight } from "/page/format.js";

/** Returns a text for a place of one line: line breaks are signs, as are characters that cannot be seen where there are no others. */
export const visible = (text) => inSight(String(text)).replace(/\r\n|\r|\n/g, "⏎");

/** Returns the name of an object. */
export const nameOf = ({ values }) => visible(values.name ?? values.title ?? "");

const months = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });
const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const dayInMilliseconds = 86_400_000;

/** Returns a month of the store, such as 2026-03, in words: March 2026. */
export const monthWords = (month) => months.format(new Date(0).setUTCFullYear(month.slice(0, -3), month.slice(-2) - 1, 1));

/** Returns an ISO week of the store, such as 2026-W49, by its first and last day: 30 Nov – 6 Dec 2026. */
export function weekWords(week) {
  const [year, number] = week.split("-W");
  // The fourth of January is in the first week of its year, and the first of 1970 is a Thursday.
  const fourth = new Date(0).setUTCFullYear(year, 0, 4) / dayInMilliseconds;
  const monday = (fourth - ((((fourth + 3) % 7) + 7) % 7) + 7 * (number - 1)) * dayInMilliseconds;
  return days.formatRange(monday, monday + 6 * dayInMilliseconds);
}

/** Returns a problem in words; of an object that is not there, without its identity. */
export function wordsOf(problem, name = "This") {
  if (problem.status === 404) return `${name} is not there any more: another window has deleted it.`;
  if (problem.status === undefined) return "The server did not answer. Try again when it can be reached.";
  return [problem.message, problem.advice].filter(Boolean).join(" ");
}
