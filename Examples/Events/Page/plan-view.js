// A list view that knows nothing but the steps that it is told to perform, and the calls that led to them.
import { element } from "/page/elements.js";
import { shortTime } from "/page/format.js";
import { address, send } from "/page/server.js";
import { keepConnected, readStream } from "/page/stream.js";
import { visible } from "/support/words.js";

/** The most calls that are shown. */
const mostCalls = 400;

/** Performs the steps of a view plan on sections of rows, as a list view does: deletes count in the old list, inserts in the new. */
export function perform(sections, steps) {
  const of = (change) => steps.filter((step) => step.change === change);
  const moved = [...of("move")];
  const gone = new Set([...of("delete"), ...moved].map(({ from }) => String(from)));
  const dropped = new Set(of("delete section").map(({ index }) => index));
  const result = sections.map(({ name, rows }, section) => ({ name, rows: rows.filter((_, row) => !gone.has(`${section},${row}`)) })).filter((_, index) => !dropped.has(index));
  for (const { index, section } of of("insert section").sort((a, b) => a.index - b.index)) result.splice(index, 0, { name: section.name, rows: [...section.rows] });
  const put = [...of("insert"), ...moved].sort((a, b) => a.to[0] - b.to[0] || a.to[1] - b.to[1]);
  for (const { to: [section, row], row: cell } of put) result[section].rows.splice(row, 0, cell);
  for (const { to: [section, row], row: cell } of of("update")) result[section].rows[row] = cell;
  return result;
}

export class PlanView {
  sections = [];
  #abort = null;
  #position = 0;

  constructor(app, stream, input, isSectioned) {
    Object.assign(this, { app, stream, input, isSectioned });
    this.calls = element("div", { class: "calls", role: "log", tabindex: "0", "aria-label": "Delegate calls" });
    this.rows = element("div", { class: "plan", tabindex: "0", "aria-label": "View plan" });
    this.verdict = element("span", { class: "verdict", role: "status" });
    this.element = element(
      "aside",
      { class: "beside" },
      element("section", {}, element("h2", {}, "Delegate calls"), this.calls),
      element("section", {}, element("h2", {}, "Performs the view plan alone ", this.verdict), this.rows),
    );
  }

  /** The view follows the head; while the list shows the past it stays where it is. */
  show({ at }) {
    this.isPast = Boolean(at);
    if (this.#abort) return;
    this.#abort = new AbortController();
    keepConnected((connected) => this.#read(connected, this.#abort.signal), this.#abort.signal, () => {});
  }

  hide() {
    this.#abort?.abort();
    this.#abort = null;
  }

  #read(connected, signal) {
    const path = address(`/streams/${this.stream}`, { input: JSON.stringify(this.input) });
    return readStream((stop) => send(path, { signal: stop }), signal, connected, ({ data }) => this.#take(JSON.parse(data)));
  }

  #take({ position, calls, sections, steps }) {
    this.sections = sections ?? perform(this.sections, steps);
    this.#position = position;
    for (const call of calls) this.calls.append(element("div", { class: kindOf(call) }, call));
    while (this.calls.children.length > mostCalls) this.calls.firstChild.remove();
    this.calls.scrollTop = this.calls.scrollHeight;
    this.rows.replaceChildren(...this.sections.flatMap(({ name, rows }) =>
      [
        this.isSectioned && element("h3", {}, name),
        ...rows.map(({ id, time, title }) => element("div", { class: "plan-row", "data-id": id }, `${shortTime(time)} ${visible(title)}`)),
      ].filter(Boolean)
    ));
    this.#judge();
  }

  /** Compares with the list beside it, which applies the differences. */
  compare(list) {
    this.list = list;
    this.#judge();
  }

  #judge() {
    const words = (sections) => JSON.stringify(sections.map(({ name, rows }) => [name, rows.map((row) => [row.id, row.values?.title ?? row.title, new Date(row.values?.time ?? row.time).getTime()])]));
    // The two come over streams of their own: while one is ahead there is nothing to compare.
    if (!this.list || this.isPast || (this.list.position < this.#position)) return;
    const isEqual = words(this.sections) === words(this.list.sections);
    this.verdict.textContent = isEqual ? "✓ equal" : "…";
    this.verdict.dataset.equal = isEqual;
  }
}

const kindOf = (call) => ["delete", "insert", "move", "update"].find((kind) => call.startsWith(kind)) ?? "quiet";
