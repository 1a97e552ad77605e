// Names and values as they are read: what would not be seen has a sign.

/** Returns a text for a place of one line: line breaks are signs, and a text of spaces alone is in quotation marks. */
export function visible(text) {
  const line = String(text).replace(/\r\n|\r|\n/g, "⏎");
  return line !== "" && line.trim() === "" ? `“${line}”` : line;
}

/** Returns the name of an object. */
export const nameOf = ({ values }) => visible(values.name ?? values.title ?? "");

/** Returns a problem in words; of an object that is not there, without its identity. */
export function wordsOf(problem, name = "This") {
  if (problem.status === 404) return `${name} is not there any more: another window has deleted it.`;
  if (problem.status === undefined) return "The server did not answer. Try again when it can be reached.";
  return [problem.message, problem.advice].filter(Boolean).join(" ");
}
