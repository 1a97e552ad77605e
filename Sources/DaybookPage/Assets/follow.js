// Following requests: one stream for all that a page follows, since a browser allows six connections to a host.
import { applyDifference, DifferenceError } from "./difference.js";
import { parse } from "./json.js";
import { address, followValue, identified, requestAddress, send } from "./server.js";
import { keepConnected, readStream } from "./stream.js";

/**
 * Follows a fetch request until `close()` is called on what this returns.
 *
 *     const following = follow({ entity: "Recipe", sort: ["name"] }, {
 *       state(list) { draw(list.sections) },
 *       difference(list, difference) { animate(list.sections, difference) },
 *     })
 *
 * `list` is `{position, total, counts, sections: [{name, rows}]}`; rows are objects as `fetch` prints them, or groups with the text of their key as `id`. Handlers, all
 * optional: `state(list)` for the first state and after a reset, `difference(list, difference)` for each change,
 * `position(number)` when the head moved without one, `connection({state, retryAt, error})` when it is `"live"`, `"lost"`
 * until `retryAt`, or `"refused"`, and `error(problem)` for a request that the server cannot answer.
 *
 * What is returned has also `arrived`, a promise that resolves when there is nothing to wait for any more: with the first state,
 * with an error, when the connection is lost, and when the request is not followed any more.
 *
 * Requests with the same `stream` step together.
 */
export function follow(request, handlers, stream = "") {
  const follower = new Follower(request, handlers);
  if (!hubs.has(stream)) hubs.set(stream, new Hub());
  const hub = hubs.get(stream);
  hub.add(follower);
  const close = () => {
    hub.remove(follower);
    follower.arrive();
  };
  return { arrived: follower.arrived, close };
}

/** One request, and the list as far as it was delivered. */
class Follower {
  list = null;

  constructor(request, handlers) {
    this.request = request;
    this.handlers = handlers;
    const { promise, resolve } = Promise.withResolvers();
    [this.arrived, this.arrive] = [promise, resolve];
  }

  takeState(state) {
    this.arrive();
    const sections = state.sections.map(({ name, objects }) => ({ name, rows: objects }));
    this.list = { position: state.position, total: state.total, counts: state.counts, sections };
    this.handlers.state?.(this.list);
  }

  /** Applies a difference; throws `DifferenceError` where it does not continue the list. */
  takeDifference(difference) {
    if (!this.list) throw new DifferenceError("a difference before the state");
    // What leads nowhere is of rows that have taken the place of others.
    const isReplacement = difference.from === difference.to && difference.to === this.list.position;
    if (difference.to <= this.list.position && !isReplacement) return;
    const rowOf = (change, old) => difference.objects?.[change.id] ?? old ?? { id: change.id, values: {}, links: {} };
    const sections = applyDifference(this.list.sections, difference, rowOf);
    const total = difference.total ?? this.list.total;
    this.list = { position: difference.to, total, counts: difference.counts ?? this.list.counts, sections };
    this.handlers.difference?.(this.list, difference);
  }

  connection(step) {
    if (step.state !== "live") this.arrive();
    this.handlers.connection?.(step);
  }

  fail(problem) {
    this.arrive();
    this.handlers.error?.(problem);
  }
}

/** One stream, with all of its followers in lock-step. */
class Hub {
  #followers = [];
  #cursor = null;
  #abort = null;
  #isScheduled = false;

  add(follower) {
    this.#followers.push(follower);
    this.#schedule();
  }

  remove(follower) {
    this.#followers = this.#followers.filter((other) => other !== follower);
    this.#schedule();
  }

  /** Opens the stream again when all changes of this turn are made. */
  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#abort?.abort();
      if (this.#followers.length === 0) {
        this.#cursor = null;
        return;
      }
      const abort = new AbortController();
      this.#abort = abort;
      keepConnected((connected) => this.#connect(abort, connected), abort.signal, (step) => this.#report(step));
    });
  }

  #report(step) {
    for (const follower of this.#followers) follower.connection(step);
  }

  async #connect(abort, connected) {
    await this.#loadStates(abort.signal);
    const followers = [...this.#followers];
    // A stream that was replaced while states were read must not be opened: nothing would end it.
    if (followers.length === 0 || abort.signal.aborted) return;
    const path = address("/api/changes", { follow: followers.map((follower) => followValue(follower.request)) });
    const open = (signal) => send(path, { signal, headers: { "Last-Event-ID": this.#cursor } });
    try {
      await readStream(open, abort.signal, connected, (event) => this.#take(event, followers));
    } catch (error) {
      // What does not fit is read again from the start; the connection itself is sound.
      if (!(error instanceof DifferenceError)) throw error;
      console.warn(error);
      this.#cursor = null;
      for (const follower of followers) follower.list = null;
    }
  }

  /** Reads the state of each request that has none, at the position that the others are at. */
  async #loadStates(signal) {
    for (const follower of [...this.#followers]) {
      if (follower.list && this.#cursor) continue;
      const at = this.#cursor?.split("-")[0];
      try {
        const response = await send(requestAddress("fetch", follower.request, { at }), { signal });
        const state = identified(parse(await response.text()));
        this.#cursor ??= response.headers.get("ETag")?.replace(/^W\/|"/g, "") || String(state.position);
        if (signal.aborted) return;
        follower.takeState(state);
      } catch (problem) {
        if (signal.aborted) return;
        if (problem.status === 404 && at) {
          // The store has no such position any more: it was replaced. Everything is read again.
          this.#cursor = null;
          for (const other of this.#followers) other.list = null;
          throw problem;
        }
        if (problem.status !== 400 && problem.status !== 404) throw problem;
        this.#followers = this.#followers.filter((other) => other !== follower);
        follower.fail(problem);
      }
    }
  }

  #take({ event, data, id }, followers) {
    const value = identified(parse(data));
    const follower = followers[value.request ?? 0];
    if (event === "state") follower.takeState(value);
    else if (event === "difference") follower.takeDifference(value);
    else if (event === "position") { for (const { handlers } of followers) handlers.position?.(value.position); }
    // Only now is the event delivered: a cursor that was moved earlier would lose it when the connection breaks.
    if (id) this.#cursor = id;
  }
}

/** The streams of the page by name. */
const hubs = new Map();
