// Requests to the server: their addresses, their answers, and the problems that it reports.
import { parse, stringify } from "./json.js";

/**
 * Where the store is, and how a page proves who it is: with a token, or with the cookie of the server's own page. By default
 * the store is where this module comes from, under the path in the attribute `data-daybook` of the page's `<html>` element:
 * `<html data-daybook="/todo">` where a server has several stores. `refused` is called when the server asks for a token.
 */
export const server = { base: new URL(import.meta.url).origin + (globalThis.document?.documentElement.dataset.daybook ?? ""), token: null, refused: null };

/** An answer that is no success, as the server describes it. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`);
    this.status = status;
    this.advice = body.advice;
    this.body = body;
  }
}

/** Sends a request and returns the answer; throws `Problem` where it is no success. */
export async function send(path, options = {}) {
  const headers = new Headers(options.headers);
  if (server.token) headers.set("Authorization", `Bearer ${server.token}`);
  const response = await fetch(server.base + path, { credentials: "same-origin", ...options, headers });
  if (response.ok) return response;
  const problem = new Problem(response.status, await response.json().catch(() => ({})));
  if (response.status === 401) server.refused?.(problem);
  throw problem;
}

/** Returns the JSON value at a path; numbers keep all their digits. */
export async function get(path, parameters, options) {
  return parse(await (await send(address(path, parameters), options)).text());
}

/** Returns the JSON value at a path, and the position at which it was read: `{value, position}`. */
export async function getAt(path, parameters, options) {
  const response = await send(address(path, parameters), options);
  return { value: parse(await response.text()), position: Number(/\d+/.exec(response.headers.get("ETag"))?.[0]) };
}

/** Returns the JSON values, one a line, at a path. */
export async function getLines(path, parameters, options) {
  const text = await (await send(address(path, parameters), options)).text();
  return text.split("\n").filter(Boolean).map(parse);
}

/** Sends a JSON value and returns the one that is answered; with a `key`, what is sent twice is written once. */
export async function post(path, value, key) {
  const headers = { "Content-Type": "application/json", ...(key ? { "Idempotency-Key": key } : {}) };
  const response = await send(path, { method: "POST", body: stringify(value), headers });
  return parse(await response.text());
}

/** Returns a new UUID; `crypto.randomUUID` is for encrypted pages alone. */
export function uuid() {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

/** Returns a path with its parameters; those without a value are left out, a list repeats its name. */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null && item !== undefined && item !== "" && item !== false) query.append(name, item);
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/** Returns the address of what a request asks for, in one of the server's collections (`fetch`, `diff`). */
export const requestAddress = (collection, request, more) => `/api/${collection}/${followValue({ ...request, ...more })}`;

/** Returns a request as the value of a `follow` parameter, whose members are the parameters of a fetch and the entity. */
export const followValue = ({ entity, ...parameters }) => address(encodeURIComponent(entity), parameters);

/**
 * Gives the groups in an answer or an event their identities, and returns it: the compact JSON of their keys, in which numbers have
 * the form that they have here.
 */
export function identified(answer) {
  const { sections = [], rows = [], objects = {}, causes = {} } = answer;
  const identify = (row) => row.key && (row.id = stringify(Object.values(row.key)));
  for (const section of sections) section.objects?.forEach(identify);
  for (const row of rows) if (Array.isArray(row.id)) row.id = stringify(row.id);
  for (const map of [objects, causes]) {
    for (const [name, value] of Object.entries(map)) if (name.startsWith("[")) map[stringify(parse(name))] = value;
  }
  Object.values(objects).forEach(identify);
  return answer;
}

/** A request line has room for about as many identities. */
const mostIdentities = 80;

/** Yields the objects with some identities that are there at a position. */
export async function* objectsWith(entity, ids, at, signal) {
  for (let start = 0; start < ids.length; start += mostIdentities) {
    const part = ids.slice(start, start + mostIdentities);
    const where = `id IN {${part.map((id) => `"${id}"`).join(", ")}}`;
    const { sections } = await get(requestAddress("fetch", { entity, where, limit: mostIdentities }, { at }), {}, { signal });
    yield* sections.flatMap((section) => section.objects);
  }
}
