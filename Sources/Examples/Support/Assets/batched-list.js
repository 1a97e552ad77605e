// A long list of which only the batches around the view are read and followed, each as a window of its own.
import { rowsOf } from "./keyed-rows.js";
import { LiveList } from "./live-list.js";

export class BatchedList {
  #batches = new Map();
  #at = undefined;
  #differences = [];
  #wanted = [0];
  #timer = null;
  #turn = 0;
  #isMoving = false;
  #isShown = true;
  settled = Promise.resolve();

  /** As `LiveList`, with the number of rows of a batch; `show` gets the list with the `offset` of its first row. */
  constructor(request, handlers, size) {
    Object.assign(this, { request, handlers, size });
  }

  goTo(at) {
    this.#at = at;
    return this.#arrange();
  }

  close() {
    this.#turn += 1;
    clearTimeout(this.#timer);
    this.#timer = null;
    for (const { list } of this.#batches.values()) list.close();
    this.#batches.clear();
  }

  /** Takes note of the rows in view: the batches with them are read, all others are left. */
  need(first, end) {
    const [from, to] = [Math.floor(first / this.size), Math.floor(Math.max(first, end - 1) / this.size)];
    const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    if (String(wanted) === String(this.#wanted) || !this.#batches.size) return;
    this.#wanted = wanted;
    this.#arrange();
  }

  #arrange() {
    for (const [number, { list }] of this.#batches) {
      if (this.#wanted.includes(number)) continue;
      list.close();
      this.#batches.delete(number);
    }
    for (const number of this.#wanted) if (!this.#batches.has(number)) this.#batches.set(number, this.#batch(number));
    this.settled = this.#move();
    return this.settled;
  }

  /** Moves all batches, and shows them when each has come: batches at two positions are no list. */
  async #move() {
    const turn = ++this.#turn;
    this.#isMoving = true;
    await Promise.all([...this.#batches.values()].map(({ list }) => list.goTo(this.#at)));
    if (turn !== this.#turn) return;
    this.#isMoving = false;
    this.#show();
  }

  #batch(number) {
    const batch = { shown: null };
    batch.list = new LiveList({ ...this.request, limit: this.size, offset: number * this.size }, {
      ...this.handlers,
      show: (list, difference) => {
        batch.shown = list;
        if (difference) this.#differences.push(difference);
        this.#isShown = false;
        // A commit changes several batches: a row that leaves one comes to the next, and both are shown together.
        this.#timer ??= setTimeout(() => this.#show(), 0);
      },
    });
    return batch;
  }

  #show() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isShown || this.#isMoving) return;
    this.#isShown = true;
    const numbers = [...this.#batches].filter(([, { shown }]) => shown).map(([number]) => number).sort((a, b) => a - b);
    if (numbers.length === 0) return;
    const position = Math.max(...numbers.map((number) => this.#batches.get(number).shown.position));
    const seen = new Set();
    const rows = [];
    let next = numbers[0];
    for (const number of numbers) {
      if (number !== next++) break;
      for (const row of rowsOf(this.#batches.get(number).shown)) if (!seen.has(row.id)) rows.push(row) && seen.add(row.id);
    }
    const { total } = this.#batches.get(numbers.at(-1)).shown;
    this.handlers.show({ position, total, offset: numbers[0] * this.size, sections: [{ name: "", rows }] }, this.#difference());
  }

  /** What happened to the rows of all batches: one that left a batch and came to another has moved. */
  #difference() {
    const rows = new Map();
    const causes = {};
    for (const difference of this.#differences.splice(0)) {
      Object.assign(causes, difference.causes);
      for (const { id, change } of difference.rows) {
        const isMove = rows.has(id) && rows.get(id) !== change;
        rows.set(id, isMove ? "move" : change);
      }
    }
    return { rows: [...rows].map(([id, change]) => ({ id, change })), causes };
  }
}
