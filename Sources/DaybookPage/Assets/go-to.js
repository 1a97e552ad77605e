// Going to a position, a date, an identity or a name: one field for all of them.
import { element, openDialog } from "./elements.js";
import { complain } from "./events.js";
import { timeOfText } from "./dates.js";
import { position, shortID } from "./format.js";
import { go } from "./place.js";
import { get, requestAddress } from "./server.js";

/** Objects of one entity that are proposed. */
const mostObjects = 5;
/** What is typed is looked up when typing rests for so long, in milliseconds. */
const rest = 200;

/** Asks where to go, and goes there. */
export function askWhere(page) {
  let timer;
  let turn = 0;
  const field = element("input", {
    type: "search",
    "aria-label": "Position, date, identity or name",
    placeholder: "1284 · 2026-03-09 14:05 · identity · name",
    autocomplete: "off",
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(find, rest);
    },
  });
  const list = element("ul", { class: "found", "aria-label": "Found" });
  const problem = element("p", { class: "wrong", role: "alert", hidden: true });
  const find = async () => {
    const mine = ++turn;
    clearTimeout(timer);
    const words = field.value.trim();
    const ways = words ? await waysTo(words, page) : [];
    if (mine !== turn) return null;
    problem.hidden = true;
    if (words && ways.length === 0) {
      complain(problem, { message: `Nothing is called “${words}”.`, advice: "Give a position, a date such as 2026-03-09 14:05, at least 4 digits of an identity, or a part of a name." }, page);
    }
    list.replaceChildren(...ways.map(({ label, kind, place }) =>
      element(
        "li",
        {},
        element("button", {
          type: "button",
          class: "link",
          onclick: () => {
            dialog.close();
            go(place);
          },
        }, label),
        element("small", {}, ` ${kind}`),
      )
    ));
    return ways[0];
  };
  const form = element(
    "form",
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const first = await find();
        if (!first) return;
        dialog.close();
        go(first.place);
      },
    },
    field,
    problem,
    list,
  );
  const dialog = openDialog("Go to", { class: "go-to" }, form);
}

/** Returns what words may name, the likeliest first: `[{label, kind, place}]`. */
async function waysTo(words, page) {
  const found = await Promise.all([toPosition(words, page), toDate(words), toIdentity(words, page), ...page.model.entities.map(({ name }) => toNames(name, words, page))]);
  // An object is found by the name of its entity and of each ancestor.
  const ways = new Map(found.flat().map((way, index) => [way.place.object ?? index, way]));
  return [...ways.values()];
}

function toPosition(words, page) {
  const digits = words.replace(/^#|[\s,.]/g, "");
  const at = /^\d{1,15}$/.test(digits) && !words.includes("-") ? Number(digits) : 0;
  return at >= 1 && at <= page.head ? [{ label: position(at), kind: "position", place: { at: at === page.head ? null : at } }] : [];
}

async function toDate(words) {
  let to;
  try {
    to = timeOfText(words);
  } catch {
    return [];
  }
  const { commits } = await get("/api/commits", { to, reverse: true, limit: 1 }).catch(() => ({ commits: [] }));
  return commits.map((line) => ({ label: position(line.position), kind: `the last commit by ${words}`, place: { at: line.position } }));
}

async function toIdentity(words, page) {
  if (!/^[0-9a-f][0-9a-f-]{3,35}$/i.test(words)) return [];
  const object = await get(`/api/objects/${words.toLowerCase()}`, { at: page.at }).catch(() => null);
  return object ? [way(object, page, `${object.entity} ${shortID(object.id)}`)] : [];
}

async function toNames(entity, words, page) {
  const name = page.model.nameAttribute(entity);
  if (!name || page.model.type(entity, name) !== "string") return [];
  const request = { entity, where: `${name} CONTAINS[cd] $words`, variable: `words=${words}`, sort: [name], limit: mostObjects };
  const found = await get(requestAddress("fetch", request, { at: page.at })).catch(() => ({ sections: [] }));
  return found.sections.flatMap(({ objects }) => objects).map((object) => way(object, page, object.entity));
}

const way = (object, page, kind) => ({ label: page.model.nameOf(object), kind, place: { part: "list", entity: object.entity, object: object.id, commit: null } });
