// A request as a list at a position: the head, which is followed, or an earlier one. Rows are read in batches.
import { follow } from "./follow.js";
import { stringify } from "./json.js";
import { get, identified, requestAddress } from "./server.js";

/** A step over more positions than this is shown without saying which commit did what. */
const longestStep = 200;
/** A view that needs other batches within this time of the last ones, in milliseconds, is being dragged. */
const dragTime = 60;

export const rowsOf = (list) => list?.sections.flatMap(({ rows }) => rows) ?? [];

/** Returns what a difference did to each row, and which commit did it: `Map(id, {change, cause})`. */
export function changesOf({ rows = [], causes = {}, from, to }) {
  // The way back undoes what the earliest of the commits did first.
  return new Map(rows.map(({ id, change }) => [id, { change, cause: causes[id]?.at(to < from ? 0 : -1) }]));
}

export class LiveList {
  /** `{position, total, counts, offset, sections: [{name, rows}]}`, or null before the first answer. */
  list = null;
  settled = Promise.resolve();
  #reading = null;
  #coming = null;
  #window = "";

  /**
   * Handlers: `show(list, changes, isOther)`, with what happened to rows, or null where that is not known, and whether it is the
   * list of another request; `error(problem, request)`. `size` is the number of rows of a batch; where the list `keepsRows`, the
   * one of another request is shown as what has changed.
   */
  constructor(frame, { show, error = () => {} }, { size = 10_000, keepsRows = false } = {}) {
    Object.assign(this, { frame, show, error, size, keepsRows });
  }

  /** The request whose list is shown. */
  get request() {
    return this.#reading?.request ?? null;
  }

  /**
   * Moves to a position of a request, or to the head and on with it; resolves when it is there. The list of another request
   * stays, and is followed, until the first answer has come, or where the server refuses this one.
   */
  goTo(request, at) {
    const key = stringify(request);
    this.at = at;
    if (this.#coming?.key !== key) {
      this.#coming?.close();
      this.#coming = this.#reading?.key === key ? null : new Reading(this, request, key);
    }
    if (at && this.#coming) this.#reading?.close();
    this.settled = this.frame.waiting((this.#coming ?? this.#reading).goTo(at));
    return this.settled;
  }

  /** Ends what is under way. */
  close() {
    clearTimeout(this.timer);
    for (const reading of [this.#coming, this.#reading]) reading?.close();
    this.#coming = null;
  }

  /** Notes which rows are in view. */
  need(first, end) {
    if (!this.#reading || end <= first) return;
    const [from, to] = [Math.floor(first / this.size), Math.floor((end - 1) / this.size)];
    const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    if (String(wanted) === String(this.#reading.wanted)) return;
    this.#reading.wanted = wanted;
    clearTimeout(this.timer);
    const now = performance.now();
    const wait = now - (this.asked ?? 0) < dragTime ? dragTime : 0;
    this.asked = now;
    this.timer = setTimeout(() => this.frame.waiting(this.#reading.arrange()), wait);
  }

  /** Shows what a reading has come to; `changes` is null where no difference led to it. */
  take(reading, numbers, list, changes) {
    const isOther = reading !== this.#reading && !(this.keepsRows && this.list);
    if (reading === this.#coming) {
      this.#reading?.close();
      [this.#reading, this.#coming] = [reading, null];
    }
    const held = this.list;
    const isSameWindow = this.#window === numbers;
    [this.list, this.#window] = [list, numbers];
    const isStill = isOther || !isSameWindow || this.frame.isDragged;
    this.show(list, isStill ? null : changes ?? compared(held, list), isOther);
  }

  fail(reading, problem) {
    if (reading === this.#coming) {
      reading.close();
      this.#coming = null;
      if (this.#reading?.request.entity === reading.request.entity) this.#reading.goTo(this.at);
      else if (problem.status === 400) this.#forget();
    }
    this.error(problem, reading.request);
  }

  #forget() {
    this.#reading?.close();
    this.#reading = this.list = null;
  }
}

/** The batches of one request that have rows in view. */
class Reading {
  batches = new Map();
  wanted = [0];
  #changes = [];
  #turn = 0;
  #isMoving = false;
  #timer = null;

  constructor(owner, request, key) {
    Object.assign(this, { owner, request, key });
  }

  goTo(at) {
    this.at = at;
    return this.arrange();
  }

  close() {
    this.#turn += 1;
    clearTimeout(this.#timer);
    this.#timer = null;
    for (const batch of this.batches.values()) batch.close();
  }

  /** Reads the batches that are wanted, and shows them when each has come. */
  async arrange() {
    for (const [number, batch] of this.batches) {
      if (this.wanted.includes(number)) continue;
      batch.close();
      this.batches.delete(number);
    }
    for (const number of this.wanted) if (!this.batches.has(number)) this.batches.set(number, this.#batch(number));
    const turn = ++this.#turn;
    this.#isMoving = true;
    await Promise.all([...this.batches.values()].map((batch) => batch.goTo(this.at)));
    if (turn !== this.#turn) return;
    this.#isMoving = false;
    this.#show();
  }

  #batch(number) {
    const { frame, size } = this.owner;
    const request = { ...this.request, counts: Boolean(this.request.section), limit: size, offset: number * size };
    return new Batch(frame, request, {
      take: (difference) => {
        this.#changes.push(difference?.rows ? changesOf(difference) : null);
        if (this.batches.size === 1) this.#show();
        else this.#timer ??= setTimeout(() => this.#show(), 0);
      },
      fail: (problem) => this.owner.fail(this, problem),
    });
  }

  #show() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isMoving || this.#changes.length === 0) return;
    const first = Math.min(...this.wanted);
    const parts = [];
    for (let number = first; this.batches.get(number)?.list; number += 1) parts.push(this.batches.get(number).list);
    if (parts.length === 0) return;
    const { total, counts } = parts.at(-1);
    const list = { position: Math.max(...parts.map(({ position }) => position)), total, counts, offset: first * this.owner.size, sections: joined(parts) };
    this.owner.take(this, `${first} ${parts.length}`, list, merged(this.#changes.splice(0)));
  }
}

/** Some rows of a request, from its offset on. */
class Batch {
  list = null;
  #isAt = undefined;
  #running = null;
  #following = null;

  constructor(frame, request, { take, fail }) {
    Object.assign(this, { frame, request, take, fail });
  }

  goTo(at) {
    if (this.#running && this.#isAt === at) return this.settled;
    this.close();
    this.#isAt = at;
    const { signal } = (this.#running = new AbortController());
    this.settled = at ? this.#read(at, signal) : this.#follow(signal);
    return this.settled;
  }

  close() {
    this.#running?.abort();
    this.#following?.close();
    this.#running = this.#following = null;
  }

  #take(list, difference) {
    this.list = list;
    this.take(difference);
  }

  async #read(at, signal) {
    const from = this.list?.position;
    const isStep = from && from !== at && Math.abs(from - at) <= longestStep && !this.frame.isDragged;
    try {
      const [state, difference] = await Promise.all([
        get(requestAddress("fetch", this.request, { at }), {}, { signal }).then(identified),
        isStep ? get(requestAddress("diff", { ...this.request, counts: null }, { from, to: at }), {}, { signal }).then(identified).catch(() => null) : null,
      ]);
      if (!signal.aborted) this.#take({ ...state, sections: state.sections.map(({ name, objects }) => ({ name, rows: objects })) }, difference);
    } catch (problem) {
      if (!signal.aborted) this.fail(problem);
    }
  }

  #follow(signal) {
    const { frame } = this;
    const take = (list, difference) => {
      if (signal.aborted) return;
      this.#take(list, difference);
      frame.moved(list.position);
    };
    this.#following = follow(this.request, {
      state: (list) => take(list, null),
      difference: take,
      position: (head) => frame.moved(head),
      connection: (step) => frame.connection(step),
      error: (problem) => signal.aborted || this.fail(problem),
    }, frame.model?.isDerived(this.request.entity) ? this.request.entity : "");
    return this.#following.arrived;
  }
}

/** Returns the sections of batches, one after the other; a row that is in two is of the first. */
function joined(parts) {
  if (parts.length === 1) return parts[0].sections;
  const seen = new Set();
  const sections = [];
  for (const { name, rows } of parts.flatMap((part) => part.sections)) {
    if (sections.at(-1)?.name !== name) sections.push({ name, rows: [] });
    sections.at(-1).rows.push(...rows.filter(({ id }) => !seen.has(id) && seen.add(id)));
  }
  return sections;
}

/** Returns what happened to the rows of all batches, or null where that is not known of one. */
function merged(all) {
  if (all.includes(null)) return null;
  const changes = new Map();
  for (const [id, change] of all.flatMap((map) => [...map])) {
    const isMove = changes.has(id) && changes.get(id).change !== change.change;
    changes.set(id, isMove ? { ...change, change: "move" } : change);
  }
  return changes;
}

/** Returns what happened between two lists, as far as rows that came, went and changed. */
function compared(before, after) {
  const old = new Map(rowsOf(before).map((row) => [row.id, row]));
  const now = new Map(rowsOf(after).map((row) => [row.id, row]));
  const changes = new Map();
  for (const [id, row] of now) {
    if (!old.has(id)) changes.set(id, { change: "insert" });
    else if (stringify(old.get(id)) !== stringify(row)) changes.set(id, { change: "update" });
  }
  for (const id of old.keys()) if (!now.has(id)) changes.set(id, { change: "delete" });
  return changes;
}
