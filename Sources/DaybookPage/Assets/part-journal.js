// The journal: commits as they come, newest first, with filters.
import { followCommits } from "./commit-feed.js";
import { button, choice, element, redraw } from "./elements.js";
import { complain, timeOf } from "./events.js";
import { person, plural, position } from "./format.js";
import { go } from "./place.js";
import { get } from "./server.js";

const pageSize = 100;
/** Commits that come while the journal is open push the oldest out beyond this. */
const mostLines = 1000;
const kinds = ["inserted", "renamed", "set", "related", "unrelated", "deleted", "recorded", "model"];
const names = ["author", "message", "entity", "kind", "event", "correlation", "condition"];

export class Part {
  streams = true;
  #lines = [];
  #next = null;
  #filters = null;
  #following = null;
  #turn = 0;
  /** The position of the commit at the cursor. */
  #cursor = null;
  /** The elements of the commits, by position. */
  #items = new Map();
  #abort = null;

  constructor(page) {
    this.page = page;
    this.form = element("div", { class: "bar", role: "search" });
    this.problem = element("div", { class: "scroll wrong", role: "alert", hidden: true });
    this.list = element("ol", { class: "journal", "aria-label": "Commits", onclick: (event) => this.#clicked(event) });
    this.more = button("Older commits", () => this.#loadMore(), { hidden: true });
    this.empty = element("p", { class: "empty", hidden: true }, "No commit matches.");
    setInterval(() => this.#items.forEach((item) => item.querySelector(".when").replaceChildren(timeOf(item.line))), 60_000);
    this.element = element(
      "section",
      { class: "part", "aria-label": "Journal" },
      this.form,
      this.problem,
      element("div", { class: "scroll" }, this.list, this.empty, element("p", { class: "bar" }, this.more)),
    );
  }

  show(place) {
    const filters = { at: place.at };
    for (const name of names) filters[name] = place[name] ?? null;
    const isOther = JSON.stringify(filters) !== JSON.stringify(this.#filters);
    this.chosen = place.commit;
    this.#drawForm(place);
    if (!isOther && this.#following) return this.#mark();
    this.#filters = filters;
    return this.#load();
  }

  hide() {
    this.#turn += 1;
    this.#abort?.abort();
    this.#following?.close();
    this.#following = null;
  }

  get #parameters() {
    const { at, condition, ...filters } = this.#filters;
    return { ...filters, where: condition };
  }

  async #load() {
    this.hide();
    const turn = this.#turn;
    const { signal } = (this.#abort = new AbortController());
    const { at } = this.#filters;
    try {
      const { commits, next } = await this.page.waiting(get("/api/commits", { ...this.#parameters, to: at ?? null, reverse: true, limit: pageSize }, { signal }));
      if (turn !== this.#turn) return;
      this.#lines = commits;
      this.#next = next;
      this.problem.hidden = true;
      this.#draw();
    } catch (problem) {
      if (turn !== this.#turn) return;
      complain(this.problem, problem, this.page);
      if (!at) this.page.setState("wait", "not followed");
      return;
    }
    this.#following = at ? { close() {} } : followCommits({ ...this.#parameters, from: this.page.head }, {
      commit: (line) => turn === this.#turn && this.#take(line),
      position: (head) => this.page.moved(head),
      connection: (step) => this.page.connection(step),
    });
  }

  #take(line) {
    this.page.moved(line.position);
    if (this.#lines.some((other) => other.position === line.position)) return;
    this.#lines.unshift(line);
    this.#lines.length = Math.min(this.#lines.length, mostLines);
    // Writers in a hurry make many lines a frame; they are drawn once.
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw(true);
    });
  }

  async #loadMore() {
    const turn = this.#turn;
    try {
      const { commits, next } = await this.page.waiting(get("/api/commits", { ...this.#parameters, to: this.#next, reverse: true, limit: pageSize }));
      if (turn !== this.#turn) return;
      this.#lines.push(...commits);
      this.#next = next;
      this.#draw();
    } catch (problem) {
      complain(this.problem, problem, this.page);
    }
  }

  #drawForm(place) {
    const key = JSON.stringify(this.page.model.entities.map(({ name }) => name));
    if (this.formKey === key) {
      for (const control of this.form.querySelectorAll("input, select")) if (control !== document.activeElement) control.value = place[control.name] ?? "";
      return;
    }
    this.formKey = key;
    const set = (name, value) => go({ [name]: value || null, ...(name === "entity" ? { where: null } : {}) }, { replace: true });
    const text = (name, words) => {
      let timer = null;
      return element("input", {
        type: "search",
        name,
        "aria-label": name,
        placeholder: words,
        value: place[name] ?? "",
        size: 12,
        oninput: (event) => {
          clearTimeout(timer);
          timer = setTimeout(() => set(name, event.target.value.trim()), 250);
        },
      });
    };
    this.search = text("message", "message");
    const entities = [["", "any entity"], ...this.page.model.entities.map(({ name }) => [name, name])];
    redraw(
      this.form,
      this.search,
      text("author", "author"),
      choice(entities, place.entity ?? "", (value) => set("entity", value), { name: "entity", "aria-label": "Entity" }),
      choice([["", "any event"], ...kinds.map((kind) => [kind, kind])], place.kind ?? "", (value) => set("kind", value), { name: "kind", "aria-label": "Kind" }),
      text("correlation", "flow"),
      element("div", { class: "grow" }, text("condition", "metadata.ticket == 12")),
    );
  }

  /** Brings the list to the commits: what stays are the same elements, and what was in view stays where it is. */
  #draw(isLive = false) {
    this.empty.hidden = this.#lines.length > 0;
    this.list.hidden = !this.empty.hidden;
    this.more.hidden = this.#next === null;
    const scroller = this.page.main;
    const edge = scroller.getBoundingClientRect().top;
    const anchor = scroller.scrollTop > 0 ? [...this.list.children].find((item) => item.getBoundingClientRect().bottom > edge) : null;
    const top = anchor?.getBoundingClientRect().top;
    const wanted = new Set(this.#lines.map(({ position }) => position));
    for (const [position, item] of this.#items) {
      if (wanted.has(position)) continue;
      item.remove();
      this.#items.delete(position);
    }
    let next = this.list.firstChild;
    for (const line of this.#lines) {
      let item = this.#items.get(line.position);
      if (!item) this.#items.set(line.position, item = this.#item(line, isLive && next !== null));
      if (item === next) next = next.nextSibling;
      else this.list.insertBefore(item, next);
    }
    if (anchor?.isConnected) scroller.scrollTop += anchor.getBoundingClientRect().top - top;
    this.#mark();
  }

  #item(line, isNew) {
    const item = element(
      "li",
      { "data-position": line.position, class: isNew && "flash-insert" },
      element("a", { href: `#/journal?commit=${line.position}`, class: "position" }, position(line.position)),
      element("span", { class: "when quiet" }, timeOf(line)),
      element("span", { class: "who", title: line.author }, person(line.author) || "—"),
      element("span", { class: "subject", title: line.message, dir: "auto" }, line.message?.split("\n")[0] ?? (line.model ? "the model" : summary(line))),
      sums(line),
    );
    item.line = line;
    return item;
  }

  #mark() {
    for (const [position, item] of this.#items) {
      item.classList.toggle("chosen", position === this.chosen);
      item.classList.toggle("at", position === this.#cursor);
    }
  }

  #clicked(event) {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    go({ commit: Number(item.dataset.position), object: null });
  }

  step(count) {
    const index = this.#lines.findIndex(({ position }) => position === this.#cursor);
    const line = this.#lines[Math.max(0, Math.min(this.#lines.length - 1, index + count))];
    if (!line) return;
    this.#cursor = line.position;
    this.#mark();
    this.#items.get(line.position).querySelector("a").focus();
    if (this.chosen) go({ commit: line.position }, { replace: true });
  }

  enter() {
    if (this.#items.has(this.#cursor)) go({ commit: this.#cursor, object: null });
  }

  focusFilter() {
    this.search?.focus();
  }
}

function summary({ events = [] }) {
  const first = events[0];
  if (!first) return "no change";
  return `${first.event} ${first.entity}${events.length > 1 ? ` and ${plural(events.length - 1, "more event")}` : ""}`;
}

/** Returns how much a commit inserted, changed and deleted. */
function sums({ events = [], model }) {
  if (model) return element("span", { class: "sums quiet" }, "model");
  const counts = { "+": 0, "−": 0, "~": 0 };
  for (const { event } of events) counts[event === "inserted" ? "+" : event === "deleted" ? "−" : "~"] += 1;
  const classes = { "+": "insert", "−": "delete", "~": "update" };
  return element("span", { class: "sums" }, Object.entries(counts).filter(([, count]) => count).map(([sign, count]) => element("span", { class: classes[sign] }, sign + count)));
}
