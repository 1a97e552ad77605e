// What a list of objects shows of each: its columns, and the choices of sort terms and sections made from the model.
import { element } from "./elements.js";
import { ago, exactTime, text } from "./format.js";

/** Returns the columns of a place: those that it names, or the name, three more values and the time of the change. */
export function columnsOf(model, entity, names) {
  const all = model.columns(entity);
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

/** The least width of a column in pixels, and its share of what is left: names are wide, numbers and times narrow. */
function measure(column, index, isNarrow) {
  if (index === 0) return [isNarrow ? 120 : 160, "2.4fr"];
  if (isNumber(column)) return isNarrow ? [56, "56px"] : [72, "110px"];
  if (column.type === "date") return isNarrow ? [92, "92px"] : [90, "130px"];
  return [isNarrow ? 90 : 104, "1.4fr"];
}

/** Returns the widths of columns, `{template, least}`: a grid template, and the pixels below which the list scrolls sideways. */
export function widths(columns, isNarrow) {
  const all = columns.map((column, index) => measure(column, index, isNarrow));
  return {
    template: all.map(([least, share]) => `minmax(${least}px, ${share})`).join(" "),
    least: all.reduce((sum, [least]) => sum + least, (isNarrow ? 36 : 44) + gap * (all.length - 1)),
  };
}

/** Writes the value of a column into a cell. */
export function drawCell(cell, column, object, index, names) {
  const value = column.kind === "link" ? object.links?.[column.key] : column.kind === "time" ? object[column.key] : object.values?.[column.key];
  const kind = index === 0 ? "name" : column.kind === "link" ? "link-value" : isNumber(column) ? "number" : column.type === "date" ? "time" : "";
  cell.className = `cell ${kind}`.trim();
  let words = text(value, column.type);
  if (column.kind === "link" && value) words = names.name(column.to, value);
  cell.textContent = column.type === "date" && value ? ago(value) : words;
  cell.title = column.type === "date" && value ? exactTime(value) : words;
  cell.dataset.column = column.key;
}

/** Returns the terms that a list can be sorted by, as `[term, label]`. */
export function sortChoices(model, entity) {
  return model.columns(entity).flatMap(({ key, kind, to, type }) => {
    const name = kind === "link" ? `${key}.${model.nameAttribute(to) ?? "id"}` : key;
    if (type === "data" || type === "codable" || name.endsWith(".id")) return [];
    return [[name, name], [`${name}:desc`, `${name} ↓`]];
  });
}

/** Returns the keys that a list can be divided by, as `[key, label]`. */
export function sectionChoices(model, entity) {
  return model.columns(entity).flatMap(({ key, kind, to, type }) => {
    if (kind === "link") {
      const name = model.nameAttribute(to);
      return name ? [[`${key}.${name}`, `${key}.${name}`]] : [];
    }
    if (type === "date") return ["day", "week", "month", "year"].map((unit) => [`${key}.${unit}`, `${key} by ${unit}`]);
    if (type === "string") return [[key, key], [`${key}.initial`, `${key} by initial`]];
    return type === "data" || type === "codable" ? [] : [[key, key]];
  });
}

/** Returns the header of a list; `sort` is told which term a click asks for. */
export function header(columns, terms, sort) {
  return columns.map((column, index) => {
    const direction = terms[0] === column.key ? "ascending" : terms[0] === `${column.key}:desc` ? "descending" : "none";
    const next = direction === "ascending" ? `${column.key}:desc` : column.key;
    const sign = { ascending: " ↑", descending: " ↓", none: "" }[direction];
    const label = column.kind === "link" ? column.key : element("button", { type: "button", onclick: () => sort(next) }, column.key + sign);
    const kind = index > 0 && isNumber(column) ? "number" : "";
    return element("div", { role: "columnheader", class: kind, "aria-sort": column.kind === "link" ? null : direction }, label);
  });
}
