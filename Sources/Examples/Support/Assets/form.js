// An open form: the editing context that the server holds for it. Edits are sent one after the other; what they change in
// the form and in its lists comes over the form's stream.
import { applyDifference } from "/page/difference.js";
import { post, send } from "/page/server.js";
import { keepConnected, readEvents } from "/page/stream.js";

/** Opens a form for an object, or with `input` for a new one; returns `{id, object}`. */
export const openForm = (form, { object = null, input = {} } = {}) => post("/forms", { form, object, input });

export class Form {
  state = null;
  lists = {};
  #abort = new AbortController();
  #last = Promise.resolve();
  #isEnding = false;

  /**
   * Handlers: `form(state)` with the object and what can be undone, `list(name, list, difference)` as a `ListView` shows them,
   * `gone()` when the server does not hold the form any more, `connection(step)`.
   */
  constructor(id, handlers) {
    this.id = id;
    this.handlers = handlers;
    keepConnected((connected) => this.#read(connected), this.#abort.signal, (step) => this.#isEnding || this.handlers.connection?.(step));
  }

  set(values) {
    return this.#send("edit", { set: values });
  }

  act(action, input = {}) {
    return this.#send("edit", { action, input });
  }

  undo() {
    return this.#send("undo");
  }

  redo() {
    return this.#send("redo");
  }

  /** Holds the order of a list while a person picks from it, or releases it. */
  hold(list, held) {
    return this.#send("hold", { list, held });
  }

  /** Decides all conflicts: `{key: "mine" | "theirs"}`. */
  resolve(decisions) {
    return this.#send("resolve", { decisions });
  }

  /** Saves the edits as one commit; throws `Problem` where they are refused, and the form stays open. */
  async save(author) {
    // The server ends the stream before it answers, which is no lost connection.
    this.#isEnding = true;
    try {
      const answer = await this.#send("save", { author });
      this.close();
      return answer;
    } finally {
      this.#isEnding = this.#abort.signal.aborted;
    }
  }

  async cancel() {
    this.#isEnding = true;
    await this.#send("cancel").catch(() => {});
    this.close();
  }

  /** Stops showing the form; the server drops it after a while. */
  close() {
    this.#abort.abort();
  }

  #send(path, body = {}) {
    const sent = this.#last.then(() => post(`/forms/${this.id}/${path}`, body));
    this.#last = sent.catch(() => {});
    return sent;
  }

  async #read(connected) {
    const stop = new AbortController();
    this.#abort.signal.addEventListener("abort", () => stop.abort());
    let response;
    try {
      response = await send(`/forms/${this.id}/stream`, { signal: stop.signal });
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      this.close();
      this.handlers.gone?.();
      return;
    }
    connected();
    await readEvents(response, (event) => this.#take(event), stop).finally(() => stop.abort());
  }

  #take({ event, data }) {
    if (this.#abort.signal.aborted) return;
    const value = JSON.parse(data);
    if (event === "form") {
      this.state = value;
      this.handlers.form?.(value);
    } else if (event === "state") {
      this.#show(value.list, { ...value, sections: value.sections.map(({ name, objects }) => ({ name, rows: objects })) }, null);
    } else if (event === "difference") {
      // A difference that does not fit ends the connection, and the next one begins with the state.
      const sections = applyDifference(this.lists[value.list].sections, value, ({ id }, old) => value.objects[id] ?? old);
      this.#show(value.list, { position: value.to, total: value.total, sections }, value);
    }
  }

  #show(name, list, difference) {
    this.lists[name] = list;
    this.handlers.list?.(name, list, difference);
  }
}
