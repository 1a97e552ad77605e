// The place that the page shows: part, request, position and object, all of it in the address, so that it can be sent.
//
// It stands after the `#`, because the server need not know it: `#/list?entity=Recipe&at=812&object=…`.

const lists = new Set(["sort", "columns"]);
const numbers = new Set(["at", "from", "to", "commit"]);
const handlers = [];

/** Reads the place from the address: `{part, entity, where, sort, section, columns, at, object, …}`. */
export function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const result = { part: path || "list" };
  for (const [name, value] of new URLSearchParams(query)) {
    if (lists.has(name)) (result[name] ??= []).push(value);
    else if (!numbers.has(name)) result[name] = value;
    else if (/^[1-9][0-9]{0,15}$/.test(value)) result[name] = Number(value);
  }
  return result;
}

/** Returns the address of a place. */
export function link(target) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(target)) {
    if (name === "part") continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined && item !== "") query.append(name, item);
    }
  }
  const text = query.toString();
  return `#/${target.part}${text ? `?${text}` : ""}`;
}

/** Goes to a place that differs from the present one in some of its parts; `replace` leaves no step in the history. */
export function go(changes, { replace = false } = {}) {
  const address = link({ ...place(), ...changes });
  if (address === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  tell();
}

/** Calls a function whenever the place has changed. */
export function onPlace(handler) {
  handlers.push(handler);
}

function tell() {
  const current = place();
  for (const handler of handlers) handler(current);
}

addEventListener("popstate", tell);
