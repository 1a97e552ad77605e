// What a model forbids and keeps in order, in words.
import { plural } from "./format.js";

/** Returns the parent, rules, unique values and indexes of an entity, a line each. */
export function rulesOf({ parent, abstract, attributes = [], relationships = [], rule = [], unique = [], indexes = [] }) {
  return [
    ...(parent ? [`child of ${parent}`] : []),
    ...(abstract ? ["abstract"] : []),
    ...attributes.map((attribute) => [attribute.name, attributeRules(attribute)]).filter(([, words]) => words.length > 0).map(([name, words]) => `${name}: ${words.join(", ")}`),
    ...relationships.map(({ name, least, most }) => [name, range(least, most)]).filter(([, words]) => words).map(([name, words]) => `${name}: ${words}`),
    ...[rule].flat().map((filter) => `rule: ${filter}`),
    ...unique.map((key) => `unique: ${key.join(", ")}`),
    ...indexes.map((key) => `index: ${key.join(", ")}`),
  ];
}

function attributeRules({ type, minimum, maximum, minimumLength, maximumLength, pattern, oneOf }) {
  return [
    range(minimum, maximum),
    range(minimumLength, maximumLength, type === "data" ? "byte" : "character"),
    pattern !== undefined && `matches ${pattern}`,
    oneOf && `one of ${oneOf.join(", ")}`,
  ].filter(Boolean);
}

/** Returns a range in words, or nothing if it has no bounds. */
function range(least, most, unit) {
  if (least === undefined && most === undefined) return "";
  const last = unit ? plural(most ?? least, unit) : most ?? least;
  if (most === undefined) return `at least ${last}`;
  return least === undefined ? `at most ${last}` : `${least} to ${last}`;
}
