// A request as a list at a position: the head, which is followed, or an earlier one. Every step is a difference.
import { applyDifference } from "/page/difference.js";
import { follow } from "/page/follow.js";
import { get, requestAddress } from "/page/server.js";

/** The most rows that the server gives at once. */
const limit = 10_000;
/** Changed rows are read by id, so many at a time as a request line has room for; of more than that, all rows are read. */
const rowsByID = 80;

export class LiveList {
  /** `{position, total, sections: [{name, rows}]}`, or null before the first answer. */
  list = null;
  #at;
  #turn = 0;
  #following = null;

  /**
   * Handlers: `show(list, difference)` with null for a list that replaces all of the former one, `head(position)`,
   * `connection(step)` as in `follow`, `error(problem)`. `held` is what another request showed: the first list of this one is
   * shown as what has changed since.
   */
  constructor(request, handlers, held = null) {
    this.request = { limit, ...request };
    this.handlers = handlers;
    this.list = held;
    this.isOther = Boolean(held);
  }

  /** Moves the list to a position, or to the head and on with it; resolves when it is there, or goes there no more. */
  goTo(at) {
    if (this.#turn > 0 && at === this.#at) return this.settled;
    const turn = ++this.#turn;
    this.#at = at;
    this.#following?.close();
    this.#following = null;
    this.settled = at ? this.#read(at, turn) : this.#follow(turn);
    return this.settled;
  }

  close() {
    this.#turn += 1;
    this.#following?.close();
    this.#following = null;
  }

  #take(list, difference) {
    this.list = list;
    this.isOther = false;
    this.handlers.show(list, difference);
  }

  async #read(at, turn) {
    try {
      const held = this.list;
      const step = held && !this.isOther && (await this.#difference(held.position, at));
      if (turn !== this.#turn) return;
      const isWhole = !step || step.reset;
      // A difference does not say how many rows there are beyond a window.
      const isRead = isWhole || this.#isWindow || changed(step).length > rowsByID;
      const state = isRead ? await get(requestAddress("fetch", this.request, { at })) : null;
      const objects = state ? rowsOf(state.sections, "objects") : await this.#objects(changed(step), at);
      if (turn !== this.#turn) return;
      if (isWhole) return this.#take({ position: at, total: state.total, sections: state.sections.map(({ name, objects: rows }) => ({ name, rows })) }, null);
      const byID = new Map(objects.map((row) => [row.id, row]));
      const sections = applyDifference(held.sections, step, ({ id }, old) => byID.get(id) ?? old);
      this.#take({ position: at, total: state?.total ?? rowsOf(sections).length, sections }, step);
    } catch (problem) {
      if (turn === this.#turn) this.handlers.error?.(problem);
    }
  }

  /** Whether the request has a limit of its own. */
  get #isWindow() {
    return this.request.limit !== limit;
  }

  #difference(from, to) {
    return get(requestAddress("diff", { ...this.request, limit: this.#isWindow ? this.request.limit : null }, { from, to }));
  }

  async #objects(ids, at) {
    if (ids.length === 0) return [];
    const where = `id IN {${ids.map((id) => `"${id}"`).join(", ")}}`;
    const found = await get(requestAddress("fetch", { entity: this.request.entity, where, limit: rowsByID }, { at }));
    return rowsOf(found.sections, "objects");
  }

  #follow(turn) {
    const isPresent = () => turn === this.#turn;
    this.#following = follow(this.request, {
      state: (list) => isPresent() && this.#take(list, this.list && comparison(this.list, list)),
      difference: (list, difference) => isPresent() && this.#take(list, difference),
      position: (head) => this.handlers.head?.(head),
      connection: (step) => this.handlers.connection?.(step),
      error: (problem) => isPresent() && this.handlers.error?.(problem),
    });
    return this.#following.arrived;
  }
}

const changed = (difference) => (difference.rows ?? []).filter(({ to }) => to).map(({ id }) => id);
const rowsOf = (sections, key = "rows") => sections.flatMap((section) => section[key]);

/** Returns what happened between two states, as far as rows that came, went and changed. */
function comparison(before, after) {
  const old = new Map(rowsOf(before.sections).map((row) => [row.id, row]));
  const now = new Map(rowsOf(after.sections).map((row) => [row.id, row]));
  const rows = [];
  for (const [id, row] of now) {
    if (!old.has(id)) rows.push({ id, change: "insert" });
    else if (old.get(id).changedAt !== row.changedAt) rows.push({ id, change: "update" });
  }
  for (const id of old.keys()) if (!now.has(id)) rows.push({ id, change: "delete" });
  return { rows };
}
