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

/** Returns the columns of a place, by default the name, three more values and the time of the change. */
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
  return [...first, ...values, ...links, all.find((column) => column.key === "changedAt")];
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
export const valueOf = (object, { kind, key }) => ({ link: object.links, time: object, path: object.shown }[kind] ?? object.values)?.[key];

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
}

/** Returns what a list can be sorted or divided by: of related objects only the names. */
const keys = (model, entity) => allColumns(model, entity).filter(({ kind, type, isFar }) => kind !== "link" && !isFar && type !== "data" && type !== "codable");

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
  const [path, ...words] = terms[0]?.split(":") ?? [];
  return columns.map((column, index) => {
    const { key, kind, many } = column;
    const isSortable = kind !== "link" && !many;
    const direction = path !== key ? "none" : words.includes("desc") ? "descending" : "ascending";
    // The other direction has empty values where they are.
    const next = direction === "ascending" ? `${key}:desc` : key;
    const sign = { ascending: " ↑", descending: " ↓", none: "" }[direction];
    const label = isSortable ? element("button", { type: "button", onclick: () => sort(next) }, key + sign) : key;
    return element("div", { role: "columnheader", class: index > 0 && isNumber(column) ? "number" : "", "aria-sort": isSortable ? direction : null }, label);
  });
}
