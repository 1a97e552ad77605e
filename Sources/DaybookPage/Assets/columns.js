// What a list of objects shows: its columns, and the sort terms and sections of the model.
import { element } from "./elements.js";
import { ago, exactTime, text } from "./format.js";

/** Returns what may stand in a column: also attributes of related objects, `kind: "path"`. */
export function allColumns(model, entity) {
  const related = model.relationships(entity).flatMap(({ name, to, many, optional }) =>
    model.columns(to).filter(({ kind }) => kind === "attribute")
      .map((column) => ({ ...column, key: `${name}.${column.key}`, kind: "path", many, optional: optional || column.optional, isFar: many || column.key !== model.nameAttribute(to) }))
  );
  return [...model.columns(entity), ...related];
}

/** Returns the columns of a place, by default the name, the entity if there are several, three more values and the time of the change. */
export function columnsOf(model, entity, names) {
  const all = allColumns(model, entity);
  if (names?.length) {
    const chosen = names.map((name) => all.find((column) => column.key === name)).filter(Boolean);
    if (chosen.length) return chosen;
  }
  const name = model.nameAttribute(entity);
  const first = all.filter((column) => column.key === name);
  const values = all.filter((column) => column.kind === "attribute" && column.key !== name).slice(0, 3);
  const links = all.filter((column) => column.kind === "link").slice(0, 2);
  return [...first, ...all.filter(({ kind }) => kind === "entity"), ...values, ...links, all.find((column) => column.key === "changedAt")];
}

/** Returns the columns of groups: their keys, and the values in a text such as `count, total = sum:servings`. */
export function groupColumns(model, entity, keys, values = "count") {
  const typeOf = (path) => allColumns(model, entity).find(({ key }) => key === path)?.type;
  const functions = { count: "integer", distinct: "integer", average: "double" };
  return [
    // What a transform makes of a time is text.
    ...keys.map((key) => ({ key, kind: "key", type: typeOf(key) ?? "string", isExact: Boolean(typeOf(key)) })),
    ...values.split(",").filter((part) => part.trim()).map((part) => {
      const [, name, word] = /^\s*(?:(.*?)\s*=\s*)?(.*?)\s*$/.exec(part);
      const [, called, path] = /^(\w*):?(.*)$/.exec(word);
      return { key: (name ?? word).replace(/^`|`$/g, ""), kind: "value", type: functions[called] ?? typeOf(path) };
    }),
  ];
}

export const isNumber = (column) => ["integer", "double", "decimal"].includes(column.type);

const gap = 12;

/** The least width of a column in pixels, and its share of what is left. */
function measure(column, index, isNarrow) {
  if (index === 0) return [isNarrow ? 120 : 160, "2.4fr"];
  if (isNumber(column)) return isNarrow ? [56, "56px"] : [72, "110px"];
  if (column.type === "date") return isNarrow ? [92, "92px"] : [90, "130px"];
  return [isNarrow ? 90 : 104, "1.4fr"];
}

/** Returns the widths of columns, `{template, least}`: a grid template, and the pixels below which the list scrolls. */
export function widths(columns, isNarrow) {
  const all = columns.map((column, index) => measure(column, index, isNarrow));
  return {
    template: all.map(([least, share]) => `minmax(${least}px, ${share})`).join(" "),
    least: all.reduce((sum, [least]) => sum + least, (isNarrow ? 36 : 44) + gap * (all.length - 1)),
  };
}

/** Returns the value of a column; where its path leads to many, it is a list. */
export const valueOf = (object, { kind, key }) => ({ link: object.links, time: object, entity: object, path: object.shown, key: object.key }[kind] ?? object.values)?.[key];

/** Writes the value of a column into a cell. */
export function drawCell(cell, column, object, index, names) {
  const { key, kind, type, to, many } = column;
  const value = valueOf(object, column);
  const style = index === 0 ? "name" : kind === "link" ? "link-value" : isNumber(column) ? "number" : type === "date" ? "time" : "";
  cell.className = `cell ${style}`.trim();
  const words = kind === "link" && value ? names.name(to, value) : many && value ? value.map((item) => text(item, type)).join(", ") : text(value, type);
  const isTime = type === "date" && value && !many;
  cell.textContent = isTime ? ago(value) : words;
  cell.title = isTime ? exactTime(value) : words;
  cell.dataset.column = key;
  const share = column.greatest && Math.abs(Number(value)) / column.greatest;
  cell.classList.toggle("bar-of", Boolean(share));
  if (share) cell.style.setProperty("--share", `${100 * share}%`);
}

/** Returns what a list can be sorted or divided by: of related objects only the names. */
const keys = (model, entity) => allColumns(model, entity).filter(({ kind, type, isFar }) => kind !== "link" && !isFar && type !== "data" && type !== "codable");

/** Finds the greatest number of each value of groups, for which a bar is as wide as its cell. */
export function measureBars(columns, rows) {
  for (const column of columns) {
    if (column.kind !== "value" || !isNumber(column)) continue;
    column.greatest = Math.max(0, ...rows.map((row) => Math.abs(Number(valueOf(row, column)))).filter(Number.isFinite));
  }
}

/** Returns the terms that a list can be sorted by. */
export function sortChoices(model, entity) {
  return keys(model, entity).flatMap(({ key, optional }) => (optional ? [key, `${key}:nils-last`, `${key}:desc`, `${key}:desc:nils-first`] : [key, `${key}:desc`]));
}

/** Returns the keys that a list can be divided by. */
export function sectionChoices(model, entity) {
  return keys(model, entity).flatMap(({ key, type, optional }) => {
    const initials = type === "string" ? [`${key}.initial`, `${key}.initial:other-last`] : [];
    const terms = type === "date" ? ["day", "week", "month", "year"].map((unit) => `${key}.${unit}`) : [key, ...initials];
    return optional ? terms.flatMap((term) => [term, `${term}:nils-last`]) : terms;
  });
}

/** Returns the header of a list; `sort` is told which term a click asks for. */
export function header(columns, terms, sort) {
  const term = terms[0] ?? "";
  return columns.map((column, index) => {
    const { key, kind, many } = column;
    const isSortable = kind !== "link" && !many;
    // The name of a value of groups may have colons.
    const words = term === key || term.startsWith(`${key}:`) ? term.slice(key.length) : null;
    const direction = words === null ? "none" : /:desc\b/.test(words) ? "descending" : "ascending";
    // The other direction has empty values where they are.
    const next = direction === "ascending" ? `${key}:desc` : key;
    const sign = { ascending: " ↑", descending: " ↓", none: "" }[direction];
    const label = isSortable ? element("button", { type: "button", onclick: () => sort(next) }, key + sign) : key;
    return element("div", { role: "columnheader", class: index > 0 && isNumber(column) ? "number" : "", "aria-sort": isSortable ? direction : null }, label);
  });
}
