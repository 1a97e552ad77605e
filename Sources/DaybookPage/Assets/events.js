// Events and commits in words: what happened to which object, with old and new values.
import { button, element } from "./elements.js";
import { ago, brief, exactTime, person, position, shortID } from "./format.js";
import { go, link, place } from "./place.js";
import { get } from "./server.js";

const signs = { inserted: ["+", "insert"], deleted: ["−", "delete"], related: ["→", "move"], unrelated: ["↛", "move"], recorded: ["●", "move"] };

/** Returns the sign and class of an event. */
export const signOf = (event) => signs[event.event] ?? ["~", "update"];

/** Returns a link to an object, by name where it is known. */
export function objectLink(names, entity, id, name) {
  if (!id) return "nothing";
  const words = name ?? (entity ? names.name(entity, id) : id.slice(-8));
  return element("a", { href: link({ ...place(), object: id, commit: null }), title: id, "data-entity": name === undefined ? entity : null, "data-object": id }, words);
}

const identities = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns words with a link, by name, in the place of each identity. */
export function linked(words, page) {
  const parts = [];
  let end = 0;
  for (const { 0: id, index } of words.matchAll(identities)) {
    const node = objectLink(null, null, id, shortID(id));
    get(`/api/objects/${id}`, { at: page.at }).then((object) => (node.textContent = page.model.nameOf(object))).catch(() => {});
    parts.push(words.slice(end, index), node);
    end = index + id.length;
  }
  return [...parts, words.slice(end)];
}

/** Returns what a problem says, with links. */
export const inWords = ({ message, advice }, page) => linked([message, advice].filter(Boolean).join(" "), page);

/** Shows what went wrong in an element, which is an alert, and brings it into view. */
export function complain(node, problem, page) {
  node.hidden = false;
  node.replaceChildren(...inWords(problem, page));
  node.scrollIntoView({ block: "nearest" });
}

/** Writes names into the links that wait for them: the elements stay, with focus and selection. */
export function refreshLinks(root, names) {
  for (const node of root.querySelectorAll("a[data-entity]")) node.textContent = names.name(node.dataset.entity, node.dataset.object);
}

/** Returns a link to a commit. */
export function commitLink(number, text = position(number)) {
  return element("a", { href: link({ ...place(), commit: number, object: null }), class: "position" }, text);
}

export function timeOf(line) {
  const time = line.happenedAt ?? line.recordedAt;
  return element("time", { datetime: time, title: exactTime(time) }, ago(time));
}

/** Returns an event as words: which attributes changed from what to what. */
export function eventWords(event, model, names) {
  const relationship = model.relationships(event.entity).find(({ name }) => name === event.relationship);
  const words = (name, value) => brief(value, model.type(event.entity, name));
  const target = (id) => (id ? objectLink(names, relationship?.to, id) : "nothing");
  switch (event.event) {
    case "inserted":
      return ["inserted", valueList(event.values, words)];
    case "renamed":
      return element("span", { class: "change" }, "name ", element("del", {}, brief(event.from)), " → ", element("ins", {}, brief(event.to)));
    case "set":
      return Object.entries(event.values).map(([name, [old, now]], index) =>
        element("span", { class: "change" }, index ? ", " : "", `${name} `, old === null ? "" : element("del", {}, words(name, old)), " → ", element("ins", {}, words(name, now)))
      );
    case "related":
      return relationship?.many || !("from" in event) ? [`${event.relationship} + `, target(event.to)] : [`${event.relationship} `, event.from ? target(event.from) : "", " → ", target(event.to)];
    case "unrelated":
      return [`${event.relationship} − `, target(event.from)];
    case "deleted":
      return ["deleted", valueList(event.values, words)];
    case "recorded":
      return [element("strong", {}, event.name), valueList(event.values, (_, value) => brief(value))];
    default:
      return event.event;
  }
}

function valueList(values = {}, words) {
  const entries = Object.entries(values).filter(([, value]) => value !== null);
  if (entries.length === 0) return "";
  return element("div", { class: "quiet change" }, entries.map(([name, value]) => `${name} ${words(name, value)}`).join(", "));
}

/** Returns who wrote a commit and when. */
export const byLine = (line) => [commitLink(line.position), " ", person(line.author) || "unknown", ", ", timeOf(line)];

/** Returns the head of the panel of an object or a commit, with the button that closes it. */
export const panelHead = (title, ...more) =>
  element("header", {}, element("h1", {}, title), button("×", () => go({ object: null, commit: null }), { class: "close", "aria-label": "Close", title: "Close (Esc)" }), more);
