// The journal: commits as they come, newest first, with filters.
import { followCommits } from "./commit-feed.js";
import { button, choice, element } from "./elements.js";
import { timeOf } from "./events.js";
import { person, plural, position } from "./format.js";
import { go } from "./place.js";
import { get } from "./server.js";

const pageSize = 100;
/** Commits that come while the journal is open push the oldest out beyond this. */
const mostLines = 1000;
const kinds = ["inserted", "renamed", "set", "related", "unrelated", "deleted", "recorded", "model"];
const names = ["author", "message", "entity", "kind", "event", "correlation", "condition"];

export class Part {
  #lines = [];
  #next = null;
  #filters = null;
  #following = null;
  #turn = 0;
  #cursor = null;
  #come = new Set();

  constructor(page) {
    this.page = page;
    this.form = element("div", { class: "bar", role: "search" });
    this.problem = element("div", { class: "scroll wrong", role: "alert", hidden: true });
    this.list = element("ol", { class: "journal", "aria-label": "Commits", onclick: (event) => this.#clicked(event) });
    this.more = button("Older commits", () => this.#loadMore(), { hidden: true });
    this.empty = element("p", { class: "empty", hidden: true }, "No commit matches.");
    this.element = element("section", { class: "part", "aria-label": "Journal" }, this.form, this.problem,
      element("div", { class: "scroll" }, this.list, this.empty, element("p", { class: "bar" }, this.more)));
  }

  show(place) {
    const filters = { at: place.at };
    for (const name of names) filters[name] = place[name] ?? null;
    const isOther = JSON.stringify(filters) !== JSON.stringify(this.#filters);
    this.chosen = place.commit;
    this.#drawForm(place);
    if (!isOther && this.#following) return this.#draw();
    this.#filters = filters;
    this.#load();
  }

  hide() {
    this.#turn += 1;
    this.#following?.close();
    this.#following = null;
  }

  get #parameters() {
    const { at, condition, ...filters } = this.#filters;
    return { ...filters, where: condition };
  }

  async #load() {
    const turn = ++this.#turn;
    this.#following?.close();
    this.#following = null;
    const { at } = this.#filters;
    try {
      const { commits, next } = await this.page.waiting(get("/api/commits", { ...this.#parameters, to: at ?? null, reverse: true, limit: pageSize }));
      if (turn !== this.#turn) return;
      this.#lines = commits;
      this.#next = next;
      this.problem.hidden = true;
      this.#draw();
    } catch (problem) {
      if (turn !== this.#turn) return;
      this.problem.hidden = false;
      this.problem.textContent = [problem.message, problem.advice].filter(Boolean).join(" ");
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
    this.#come.add(line.position);
    setTimeout(() => this.#come.delete(line.position), 1600);
    // Writers in a hurry make many lines a frame; they are drawn once.
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#draw();
    });
  }

  async #loadMore() {
    const { commits, next } = await this.page.waiting(get("/api/commits", { ...this.#parameters, to: this.#next, reverse: true, limit: pageSize }));
    this.#lines.push(...commits);
    this.#next = next;
    this.#draw();
  }

  #drawForm(place) {
    const key = JSON.stringify([this.page.model.entities.map(({ name }) => name), place.kind, place.entity]);
    if (this.formKey === key) return;
    this.formKey = key;
    const set = (name, value) => go({ [name]: value || null, ...(name === "entity" ? { where: null } : {}) }, { replace: true });
    const text = (name, words) => {
      let timer = null;
      return element("input", { type: "search", "aria-label": name, placeholder: words, value: place[name] ?? "", size: 12, oninput: (event) => {
        clearTimeout(timer);
        timer = setTimeout(() => set(name, event.target.value.trim()), 250);
      } });
    };
    this.search = text("message", "message");
    const entities = [["", "any entity"], ...this.page.model.entities.map(({ name }) => [name, name])];
    this.form.replaceChildren(this.search, text("author", "author"),
      choice(entities, place.entity ?? "", (value) => set("entity", value), { "aria-label": "Entity" }),
      choice([["", "any event"], ...kinds.map((kind) => [kind, kind])], place.kind ?? "", (value) => set("kind", value), { "aria-label": "Kind" }),
      text("correlation", "flow"), element("div", { class: "grow" }, text("condition", "metadata.ticket == 12")));
  }

  #draw() {
    this.empty.hidden = this.#lines.length > 0;
    this.list.hidden = !this.empty.hidden;
    this.more.hidden = this.#next === null;
    this.list.replaceChildren(...this.#lines.map((line, index) => element("li", {
      class: [line.position === this.chosen && "chosen", this.#come.has(line.position) && "come", index === this.#cursor && "at"], "data-position": line.position,
    }, element("a", { href: `#/journal?commit=${line.position}`, class: "position" }, position(line.position)),
    element("span", { class: "when quiet" }, timeOf(line)), element("span", { class: "who", title: line.author }, person(line.author) || "—"),
    element("span", { class: "subject", title: line.message }, line.message?.split("\n")[0] ?? (line.model ? "the model" : summary(line))), sums(line))));
  }

  #clicked(event) {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    go({ commit: Number(item.dataset.position), object: null });
  }

  step(count) {
    this.#cursor = Math.max(0, Math.min(this.#lines.length - 1, (this.#cursor ?? -1) + count));
    const item = this.list.children[this.#cursor];
    item?.querySelector("a").focus();
    if (this.chosen && item) go({ commit: Number(item.dataset.position) }, { replace: true });
  }

  enter() {
    const line = this.#lines[this.#cursor];
    if (line) go({ commit: line.position, object: null });
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
