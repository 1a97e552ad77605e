// What is typed into forms and not saved yet, kept for the session of the browser tab.
import { parse, stringify } from "./json.js";
import { server } from "./server.js";

/** A server may have several stores. */
const prefix = `daybook-draft ${new URL(server.base).pathname} `;
const listeners = [];

/** Returns the draft of an object or of another form, or null. */
export function draftOf(id) {
  const text = sessionStorage.getItem(prefix + id);
  return text ? parse(text) : null;
}

/** Keeps a draft, or with null discards it; returns whether there was room for it. */
export function keepDraft(id, draft) {
  try {
    if (draft) sessionStorage.setItem(prefix + id, stringify(draft));
    else sessionStorage.removeItem(prefix + id);
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

/** Returns all drafts as `[id, draft]`. */
export function allDrafts() {
  return Object.keys(sessionStorage).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)).map((id) => [id, draftOf(id)]);
}

/** Calls a function after each change of a draft. */
export const onDrafts = (listener) => listeners.push(listener);
