// Requests for lists, and filters as people type them: plain words, conditions of a value, and the words that may come next.
import { digits } from "./format.js";

/** Text with one of these is a filter; any other is words to be found. */
const syntax = /[=<>!"(){}]|'.*'|\b(?:CONTAINS|BEGINSWITH|ENDSWITH|LIKE|MATCHES|IN|BETWEEN|ANY|ALL|NONE|NOT|AND|OR)\b/;
const operators = ["==", "!=", ">=", "<=", "CONTAINS[c]", "BEGINSWITH[c]", "ENDSWITH[c]", "IN", "BETWEEN", "LIKE", "MATCHES"];
const joints = ["AND", "OR", "NOT", "WHERE"];
/** Words that are proposed at once. */
const mostProposals = 8;

/** Returns the request for the list of a place, which is of objects or of groups. */
export function requestOf(model, { entity, where, sort, section, sectionOrder, group, values, having }) {
  const name = !group && model.nameAttribute(entity);
  return {
    entity,
    ...filterOf(model, entity, where),
    sort: sort ?? (name ? [name] : []),
    section,
    sectionOrder,
    ...(group && { group, show: values ?? "count", having }),
    timezone: [section, ...group ?? []].some((term) => /\.(day|week|month|year)(:|$)/.test(term)) ? Intl.DateTimeFormat().resolvedOptions().timeZone : null,
  };
}

/** Returns the condition that stands for text, `{where, variable}`: an object's strings and names of links have all words. */
function filterOf(model, entity, text) {
  const paths = text && !syntax.test(text) ? searched(model, entity) : [];
  if (paths.length === 0) return { where: text };
  const words = text.trim().split(/\s+/);
  return {
    where: words.map((_, index) => `${paths.join(", ")} CONTAINS[cd] $word${index}`).join(" AND "),
    variable: words.map((word, index) => `word${index}=${word}`),
  };
}

function searched(model, entity) {
  return model.columns(entity).flatMap(({ key, kind, type, to }) => {
    if (kind === "attribute") return type === "string" ? [key] : [];
    const name = kind === "link" && model.nameAttribute(to);
    return name && model.type(to, name) === "string" ? [`${key}.${name}`] : [];
  });
}

/** Returns a text with one more condition. */
export function joined(model, entity, text, condition) {
  const { where, variable = [] } = filterOf(model, entity, text);
  const plain = variable.reduce((filter, item) => filter.replace(`$${item.split("=")[0]}`, () => quoted(item.slice(item.indexOf("=") + 1))), where ?? "");
  return plain ? `(${plain}) AND ${condition}` : condition;
}

/** Returns the condition that an attribute has a value, or null for a value that no filter can name. */
export function conditionOf(name, type, value) {
  if (value === null || value === undefined) return `${name} == nil`;
  if (type === "data" || type === "codable" || typeof value === "object") return null;
  return `${name} == ${["boolean", "integer", "double", "decimal", "date"].includes(type) ? digits(value) : quoted(value)}`;
}

const escapes = { '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const quoted = (text) => `"${text.replace(/["\\\p{Cc}]/gu, (sign) => escapes[sign] ?? `\\u{${sign.codePointAt(0).toString(16)}}`)}"`;

/** Returns the entity at which paths begin at the end of a text: a related one behind `WHERE`. */
function ownerAt(model, entity, text) {
  const owners = [entity];
  let path = "";
  for (const [token] of text.matchAll(/"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|where\s*\(|[\w.@]+|[()]/gis)) {
    const owner = owners.at(-1);
    if (token === "(") owners.push(owner);
    else if (token === ")" && owners.length > 1) owners.pop();
    else if (/^where\b(?!\.)/i.test(token)) {
      const target = path.split(".").reduce((from, name) => model.relationships(from).find((link) => link.name === name)?.to, owner) ?? owner;
      // The parenthesis of `COUNT(` is open already.
      owners.splice(token.endsWith("(") ? owners.length : -1, 1, target);
    }
    path = token;
  }
  return owners.at(-1);
}

/** Returns the words that may stand at the end of a text, and where the word that they replace begins: `{start, words}`. */
export function proposals(model, entity, text) {
  const [word] = /[\w.@]*$/.exec(text);
  const start = text.length - word.length;
  const before = text.slice(0, start).trimEnd();
  const owner = ownerAt(model, entity, before);
  const paths = model.columns(owner).flatMap(({ key, kind, to }) => (kind === "link" ? [key, ...model.attributes(to).map(({ name }) => `${key}.${name}`)] : [key]));
  const isAfterPath = paths.includes(before.split(/[\s(]/).at(-1));
  const choices = isAfterPath ? operators : [...paths, ...joints];
  const isShown = isAfterPath ? /\s$/.test(text) || word : word;
  const words = choices.filter((choice) => choice !== word && choice.toLowerCase().startsWith(word.toLowerCase()));
  return { start, words: isShown ? words.slice(0, mostProposals) : [] };
}
