// What is typed in forms, kept in the browser's tab: it is there after a reload, and when a form was left without Save or Cancel.
import { server } from "/page/server.js";
import { parse, write } from "./exact.js";

const prefix = `daybook-form:${new URL(server.base).pathname}:`;
/** Forms that were left as they were opened are kept for the way back, so many at most. */
const mostUnchanged = 8;
const handlers = [];

const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));

export const drafts = {
  /** Returns all drafts, the newest first: `{id, place, title, isChanged, loose, log, time}`. */
  all() {
    return keys().map((key) => parse(sessionStorage.getItem(key))).sort((a, b) => b.time - a.time);
  },

  get(id) {
    const text = sessionStorage.getItem(prefix + id);
    return text && parse(text);
  },

  /** Returns the changed draft of a form for an object. */
  of(form, object) {
    return this.all().find(({ isChanged, log }) => isChanged && log.record?.form === form && log.record.object === object);
  },

  put(draft) {
    sessionStorage.setItem(prefix + draft.id, write({ ...draft, time: Date.now() }));
    for (const { id } of this.all().filter(({ isChanged }) => !isChanged).slice(mostUnchanged)) sessionStorage.removeItem(prefix + id);
    for (const handler of handlers) handler();
  },

  remove(id) {
    sessionStorage.removeItem(prefix + id);
    for (const handler of handlers) handler();
  },

  /** Calls a function whenever a draft has changed. */
  onChange(handler) {
    handlers.push(handler);
  },
};
