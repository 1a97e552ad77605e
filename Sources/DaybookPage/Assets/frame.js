// The frame of a page: its parts, the bar of time, the panel, and what they share. The place in the address decides
// what is shown.
import { followCommits } from "./commit-feed.js";
import { element } from "./elements.js";
import { model, Names } from "./facts.js";
import { stringify } from "./json.js";
import { onPlace, place } from "./place.js";
import { get } from "./server.js";
import { SidePanel } from "./side-panel.js";
import { drawAsOf, Timeline } from "./timeline.js";

/** A wait shorter than this shows nothing. */
const patience = 200;
/** The model is read again when the head has rested for so long. */
const modelRest = 1000;
/** Where the server did not answer at all, it is asked again after so long. */
const retryTime = 2000;

/**
 * A part has an `element`, `show(place)`, `hide()`, and if it likes `refresh()` for names that have come; `streams` says that it
 * has a stream of its own while it shows the present. A page is a subclass, which has `fail(problem)`, `connection(step)`,
 * `drawn(place)` for each place, and `turned(name)` for another part.
 */
export class Frame {
  head = 0;
  at = undefined;
  model = null;
  names = null;
  /** Who is signed in, and whether this page may write. */
  session = { writing: false };
  #made = new Map();
  #part = null;
  #waits = new Set();
  #turn = 0;
  #commits = null;

  /** `parts` are functions by the name of a part, each called with this when it is first shown. */
  constructor(parts) {
    this.parts = parts;
    this.main = document.getElementById("main");
    this.top = document.getElementById("top");
    this.side = new SidePanel(this, document.getElementById("side"));
    this.timeline = new Timeline(this);
    this.asOf = element("div", { class: "as-of", role: "status", hidden: true });
    this.waitingBar = element("div", { class: "waiting", role: "progressbar", "aria-label": "Waiting for the server", hidden: true });
    this.state = element("span", { class: "live", "data-state": "wait", role: "status" }, "connecting");
    this.main.append(this.waitingBar, this.asOf);
    document.getElementById("time").append(this.timeline.element);
    onPlace(() => this.go());
  }

  get part() {
    return this.#part;
  }

  /** Whether positions pass by faster than what happened between them is shown. */
  get isDragged() {
    return this.timeline.isDragging;
  }

  /** Reads what never changes, and shows the first place; it tries until the server answers. */
  async start() {
    try {
      await this.read();
      await (this.showing = this.#show(place()));
    } catch (problem) {
      if (problem.status === 401) return;
      if (problem.status < 500) return this.fail(problem);
      this.connection({ state: "lost", retryAt: Date.now() + retryTime, error: problem });
      setTimeout(() => this.start(), retryTime);
    }
  }

  /** Reads the head of the store. */
  async read() {
    const { commits } = await get("/api/commits", { reverse: true, limit: 1 });
    this.moved(commits[0]?.position ?? 0);
  }

  /** Shows the place that is in the address. */
  go() {
    this.showing = this.#show(place()).catch((problem) => this.fail(problem));
  }

  async #show(current) {
    const turn = ++this.#turn;
    const { at } = current;
    if (this.at !== at || !this.model) {
      const found = await this.waiting(model(at));
      if (turn !== this.#turn) return;
      this.#take(found, at);
    }
    this.timeline.show(at);
    drawAsOf(this.asOf, at);
    document.body.classList.toggle("is-past", Boolean(at));
    this.drawn(current);
    const name = Object.hasOwn(this.parts, current.part) ? current.part : "list";
    if (!this.#made.has(name)) this.#made.set(name, this.parts[name](this));
    const part = await this.waiting(this.#made.get(name));
    if (turn !== this.#turn) return;
    if (part !== this.#part) this.#turnTo(part, name);
    // A stream of a derived entity ends where its projection does.
    this.#followHead(this.#part.streams && !at && !this.model.isDerived(current.entity));
    await Promise.all([this.#part.show(current), this.side.show(current)]);
  }

  #take(found, at) {
    [this.model, this.at] = [found, at];
    this.names = new Names(at, found, () => this.#part?.refresh?.(), this.names);
  }

  #turnTo(part, name) {
    this.#part?.hide?.();
    this.#part?.element.remove();
    this.main.append(part.element);
    this.#part = part;
    this.turned(name);
  }

  /** Where the part in view has no stream, the commits are followed: a page always knows the head. */
  #followHead(partStreams) {
    if (partStreams) {
      this.#commits?.close();
      this.#commits = null;
    } else {
      this.#commits ??= followCommits({ from: this.head }, {
        commit: (line) => this.moved(line.position),
        position: (head) => this.moved(head),
        connection: (step) => this.connection(step),
      });
    }
  }

  /** The head has moved to a position. */
  moved(head) {
    if (head > this.head) {
      this.head = head;
      this.timeline.setHead(head);
      this.#part?.moved?.(head);
      this.side.moved(head);
    } else if (!this.model?.lags) return;
    clearTimeout(this.modelTimer);
    if (this.model && !this.at) this.modelTimer = setTimeout(() => this.#reloadModel(), modelRest);
  }

  async #reloadModel() {
    const found = await model().catch(() => null);
    if (!found || this.at || stringify(found.entities) === stringify(this.model.entities)) return;
    this.#take(found);
    this.go();
  }

  setState(state, words) {
    if (this.state.dataset.state === state && this.state.textContent === words) return;
    this.state.dataset.state = state;
    this.state.textContent = words;
  }

  /** Returns what a promise returns, and shows a bar while it takes longer than a glance. */
  async waiting(promise) {
    const timer = setTimeout(() => (this.waitingBar.hidden = false), patience);
    const wait = Promise.resolve(promise).finally(() => {
      clearTimeout(timer);
      this.#waits.delete(wait);
      if (this.#waits.size === 0) this.waitingBar.hidden = true;
    });
    this.#waits.add(wait);
    return wait;
  }

  /** Resolves when the place is shown and nothing is waited for. */
  async settled() {
    let shown;
    do {
      shown = this.showing;
      await shown;
      while (this.#waits.size > 0) await Promise.allSettled([...this.#waits]);
    } while (shown !== this.showing);
  }
}
