// Names and values as they are read: what would not be seen has a sign.
import { visible as inSight } from "/page/format.js";

/** Returns a text for a place of one line: line breaks are signs, as are characters that cannot be seen where there are no others. */
export const visible = (text) => inSight(String(text)).replace(/\r\n|\r|\n/g, "⏎");

/** Returns the name of an object. */
export const nameOf = ({ values }) => visible(values.name ?? values.title ?? "");

/** Returns a problem in words; of an object that is not there, without its identity. */
export function wordsOf(problem, name = "This") {
  if (problem.status === 404) return `${name} is not there any more: another window has deleted it.`;
  if (problem.status === undefined) return "The server did not answer. Try again when it can be reached.";
  return [problem.message, problem.advice].filter(Boolean).join(" ");
}
