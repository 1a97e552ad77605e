// An open form: the editing context that the server holds for it. Edits are sent one after the other, and again until they are
// answered; what they change in the form and in its lists comes over the form's stream. A form that the server has dropped is
// opened again, with what was edited.
import { applyDifference } from "/page/difference.js";
import { allDrafts, keepDraft } from "/page/drafts.js";
import { parse, stringify } from "/page/json.js";
import { changesOf } from "/page/live-list.js";
import { Problem, send } from "/page/server.js";
import { keepConnected, readStream } from "/page/stream.js";
import { FormLog } from "./form-log.js";

/** A request without an answer is sent again after this time and, for its size, the time of a slow line. */
const patienceInMilliseconds = 20_000;
const slowestCharactersInMillisecond = 20;
/** Whether a request without success is sent again: the line is down, or a server or proxy will answer later. */
const isPassing = (problem) => !(problem instanceof Problem) || [408, 429, 502, 503, 504].includes(problem.status);
/** What a form says of an edit is the same each time. */
const isPassingOfEdits = (problem) => isPassing(problem) && !(problem.status === 503 && problem.body.detail);
/** Thrown where the form was opened again: what was sent may have to be sent after other edits. */
const reopened = new Error("The form was opened again.");

async function post(path, value, signal = null) {
  const body = stringify(value);
  const limit = AbortSignal.timeout(patienceInMilliseconds + body.length / slowestCharactersInMillisecond);
  const headers = { "Content-Type": "application/json" };
  const response = await send(path, { method: "POST", body, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit });
  return parse(await response.text());
}

/** Gives an edit its `answer`, a promise, and returns it. */
function promise(edit) {
  edit.answer ??= new Promise((resolve, reject) => Object.assign(edit, { resolve, reject }));
  // A caller that needs the refusal waits for the answer.
  edit.answer.catch(() => {});
  return edit;
}

/** Opens a form for an object, or with `input` for a new one; returns `{id}`. A form that was left with edits is that form again. */
export async function openForm(form, { object = null, input = {} } = {}) {
  const isOf = ({ isChanged, log: { record } }) => isChanged && record?.form === form && record.object === object;
  const left = object && allDrafts().find(([, draft]) => isOf(draft));
  return left ? { id: left[0] } : post("/forms", { form, object, input });
}

/** Closes a form that is not shown: nothing of it is left. */
export function discardForm(id) {
  keepDraft(id, null);
  // The server drops it after a minute in any case.
  post(`/forms/${id}/cancel`, {}).catch(() => {});
}

export class Form {
  state = null;
  lists = {};
  #abort = new AbortController();
  #delivery = null;
  #reopening = null;
  #isEnding = false;
  #arrival = Promise.withResolvers();
  /** Resolves when edits may be sent. */
  #begun;
  #wake = null;

  /**
   * `stored` is what `log.stored()` of an earlier page returned. Handlers: `form(state)` with the object and what can be undone,
   * `list(name, list, changes)` as a `ListView` shows them, `kept()` when there is something new to store, `connection(step)`,
   * `refused(words)` for edits that a form that was opened again could not repeat, `lost()` for one that was too large to store,
   * `gone(problem)` when it cannot be opened again.
   */
  constructor(id, handlers, stored = null) {
    this.id = id;
    this.handlers = handlers;
    this.log = new FormLog(stored);
    for (const edit of this.log.edits) promise(edit);
    keepConnected((connected) => this.#read(connected), this.#abort.signal, (step) => this.#isEnding || this.#report(step));
    // Of a lost edit, only a state says whether the server has it.
    this.#begun = this.log.hasLost ? this.arrived : Promise.resolve();
    this.#deliver();
  }

  /** Resolves when the form has a state, or is not shown any more. */
  get arrived() {
    return this.#arrival.promise;
  }

  /** Sets attributes; returns the edit, whose `answer` is a promise. An edit with the same `key` may replace it until it is sent. */
  set(values, key = null) {
    return this.#add("edit", { set: values }, key);
  }

  act(action, input = {}, key = null) {
    return this.#add("edit", { action, input }, key);
  }

  undo() {
    return this.#add("undo");
  }

  redo() {
    return this.#add("redo");
  }

  /** Holds the order of a list while a person picks from it, or releases it. */
  hold(list, held) {
    return this.#add("hold", { list, held });
  }

  /** Decides all conflicts: `{key: "mine" | "theirs"}`. */
  resolve(decisions) {
    return this.#add("resolve", { decisions });
  }

  /** Resolves when all edits are answered. */
  async settled() {
    while (this.log.next && !this.#abort.signal.aborted) await this.#deliver();
  }

  /**
   * Saves the edits as one commit; throws `Problem` where they are refused, and the form stays open. As long as the server cannot
   * be reached it is tried again: the id of the commit makes that one commit.
   */
  async save(author) {
    this.log.saving ??= { commitID: crypto.randomUUID(), author };
    this.handlers.kept();
    // The server ends the stream before it answers, which is no lost connection.
    this.#isEnding = true;
    try {
      const answer = await this.#save();
      this.close();
      return answer;
    } catch (problem) {
      if (!this.#abort.signal.aborted) this.log.saving = null;
      this.handlers.kept();
      throw problem;
    } finally {
      this.#isEnding = this.#abort.signal.aborted;
    }
  }

  async #save() {
    for (;;) {
      await this.settled();
      try {
        return await this.#request(`/forms/${this.id}/save`, this.log.saving);
      } catch (problem) {
        if (problem !== reopened) throw problem;
      }
    }
  }

  /** Stops showing the form; the server drops it after a while. */
  close() {
    this.#abort.abort(new Error("The form is not shown any more."));
    this.#arrival.resolve();
    this.#wake?.();
  }

  #add(path, body = {}, key = null) {
    const edit = promise(this.log.add(path, body, key));
    this.handlers.kept();
    this.#deliver();
    return edit;
  }

  /** Sends the edits without an answer, one after the other. */
  #deliver() {
    this.#delivery ??= this.#deliverAll().finally(() => {
      this.#delivery = null;
      if (this.log.next && !this.#abort.signal.aborted) this.#deliver();
    });
    return this.#delivery;
  }

  async #deliverAll() {
    await this.#begun;
    for (let edit = this.log.next; edit && !this.#abort.signal.aborted; edit = this.log.next) {
      const { path, page, number, body } = edit;
      edit.isSent = true;
      try {
        await this.#request(`/forms/${this.id}/${path}`, { page, number, ...body }, isPassingOfEdits);
        edit.isAnswered = true;
        edit.resolve();
      } catch (problem) {
        if (this.#abort.signal.aborted) return;
        if (problem === reopened) continue;
        edit.isAnswered = true;
        edit.reject(problem);
      }
      this.handlers.kept();
    }
  }

  /** Sends a request until it is answered; throws `reopened` where the form had to be opened again. */
  async #request(path, body, isAgain = isPassing) {
    for (let wait = 500;; wait = Math.min(5000, wait * 2)) {
      try {
        return await post(path, body, this.#abort.signal);
      } catch (problem) {
        if (this.#abort.signal.aborted) throw problem;
        if (problem.body?.isClosed) {
          await this.#reopen();
          throw reopened;
        }
        if (!isAgain(problem)) throw problem;
        this.#report({ state: "lost", error: problem });
        await this.#pause(wait);
      }
    }
  }

  /** Resolves after a time, or as soon as the stream is connected or the form is closed. */
  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #report(step) {
    if (step.state === "live") this.#wake?.();
    this.handlers.connection?.(step);
  }

  /** Opens the form again from its record; the stream and the edits may both find that it is closed. */
  #reopen() {
    this.#reopening ??= this.#reopenOnce().finally(() => {
      this.#reopening = null;
    });
    return this.#reopening;
  }

  async #reopenOnce() {
    try {
      if (!this.log.record) throw new Error("The form is closed.");
      const { refused } = await this.#request("/forms", { id: this.id, record: this.log.record });
      this.log.sendAgain();
      if (refused.length) this.handlers.refused?.(refused);
      this.#deliver();
    } catch (problem) {
      if (this.#abort.signal.aborted) throw problem;
      this.close();
      this.handlers.gone?.(problem);
      throw problem;
    }
  }

  async #read(connected) {
    const open = (signal) => send(`/forms/${this.id}/stream`, { signal });
    await readStream(
      (signal) =>
        open(signal).catch(async (problem) => {
          if (!problem.body?.isClosed) throw problem;
          await this.#reopen();
          return open(signal);
        }),
      this.#abort.signal,
      connected,
      (event) => this.#take(event),
    );
  }

  #take({ event, data }) {
    const value = parse(data);
    if (event === "form") {
      this.state = value;
      this.log.take(value.record);
      if (this.log.hasLost) this.handlers.lost?.();
      this.#arrival.resolve();
      this.handlers.form?.(value);
      this.handlers.kept();
    } else if (event === "state") {
      this.#show(value.list, { ...value, sections: value.sections.map(({ name, objects }) => ({ name, rows: objects })), offset: 0 }, null);
    } else if (event === "difference") {
      // A difference that does not fit ends the connection, and the next one begins with the state.
      const sections = applyDifference(this.lists[value.list].sections, value, ({ id }, old) => value.objects[id] ?? old);
      this.#show(value.list, { position: value.to, total: value.total, sections, offset: 0 }, changesOf(value));
    }
  }

  #show(name, list, changes) {
    this.lists[name] = list;
    this.handlers.list?.(name, list, changes);
  }
}
