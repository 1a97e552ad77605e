// The place that the page shows: part, request, position and object, all of it in the address.
//
// It stands after the `#`, because the server need not know it: `#/list?entity=Recipe&at=812&object=…`.

const lists = new Set(["sort", "columns", "group"]);
const numbers = new Set(["at", "from", "to", "commit"]);
const handlers = [];
/** Browsers refuse more than about 200 changes of the address in 10 s, or 100 in 30 s. */
const restTime = 350;
let current = null;
let timer = null;
let writtenAt = 0;

/** Returns the place: `{part, entity, where, sort, section, sectionOrder, columns, group, values, having, at, object, …}`. */
export function place() {
  return parsed(current ?? location.hash);
}

function parsed(address) {
  const [path, query = ""] = address.replace(/^#\/?/, "").split("?");
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
  if (address === (current ?? location.hash)) return;
  if (!replace) write();
  current = address;
  if (replace) writeSoon();
  else history.pushState(null, "", address);
  tell();
}

/** The address follows a drag of the slider a little later, and no more often than browsers allow. */
function writeSoon() {
  const wait = writtenAt + restTime - performance.now();
  if (wait <= 0) write();
  else timer ??= setTimeout(write, wait);
}

function write() {
  clearTimeout(timer);
  timer = null;
  if (current === null || current === location.hash) return;
  writtenAt = performance.now();
  history.replaceState(null, "", current);
}

/** What a place has no more when it shows the objects of an entity, or other groups. */
export const ungrouped = { group: null, values: null, having: null, sort: null, section: null, sectionOrder: null, columns: null };

/** Calls a function whenever the place has changed. */
export function onPlace(handler) {
  handlers.push(handler);
}

function tell() {
  const current = place();
  for (const handler of handlers) handler(current);
}

// A link that is followed begins at the place that is shown.
addEventListener("click", write, true);
addEventListener("pagehide", write);
addEventListener("popstate", () => {
  clearTimeout(timer);
  timer = null;
  current = location.hash;
  tell();
});
