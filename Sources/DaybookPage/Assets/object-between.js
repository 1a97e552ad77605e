// What changed in an object between two positions of its history.
import { element } from "./elements.js";
import { brief, position } from "./format.js";
import { stringify } from "./json.js";
import { get } from "./server.js";

/** Returns a form that compares an object at two positions; `names` returns those that are known. */
export function drawBetween(id, history, page, names) {
  const first = history[0].position;
  const last = history[history.length - 1].position;
  const from = element("input", { type: "number", min: 1, value: first, "aria-label": "From position" });
  const to = element("input", { type: "number", min: 1, value: last, "aria-label": "To position" });
  const answer = element("dl", { class: "facts", "aria-live": "polite" });
  const compare = async () => {
    const at = (value) => get(`/api/objects/${id}`, { at: value }).catch(() => null);
    const [old, now] = await page.waiting(Promise.all([at(from.value), at(to.value)]));
    const rows = differences(old, now, page.model, names()).map((
      [name, before, after],
    ) => [element("dt", {}, name), element("dd", { class: "change" }, element("del", {}, before), " → ", element("ins", {}, after))]);
    answer.replaceChildren(...(rows.length ? rows.flat() : [element("dt", {}, "nothing"), element("dd", {}, `changed from ${position(Number(from.value))} to ${position(Number(to.value))}`)]));
  };
  const form = element(
    "form",
    {
      class: "between",
      onsubmit: (event) => {
        event.preventDefault();
        compare();
      },
    },
    from,
    "to",
    to,
    element("button", {}, "Compare"),
  );
  return element("section", { class: "form" }, element("h2", {}, "Between two positions"), form, answer);
}

function differences(old, now, model, names) {
  const words = (object, name, relationship) => {
    if (!object) return "not there";
    const value = object.values[name] ?? object.links?.[name] ?? null;
    if (!relationship || value === null) return brief(value, model.type(entity, name));
    return Array.isArray(value) ? value.map((id) => names.name(relationship.to, id)).join(", ") || "none" : names.name(relationship.to, value);
  };
  const entity = (now ?? old)?.entity;
  const fields = new Set([old, now].flatMap((object) => (object ? [...Object.keys(object.values), ...Object.keys(object.links ?? {})] : [])));
  return [...fields].flatMap((name) => {
    const value = (object) => stringify(object ? object.values[name] ?? object.links?.[name] ?? null : undefined);
    if (value(old) === value(now)) return [];
    const relationship = model.relationships(entity).find((other) => other.name === name);
    return [[name, words(old, name, relationship), words(now, name, relationship)]];
  });
}
