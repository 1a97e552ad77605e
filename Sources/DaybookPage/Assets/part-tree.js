// The tree: parents and children, opened on demand, live or at a position of the past.
import { followCommits } from "./commit-feed.js";
import { button, element, reducedMotion } from "./elements.js";
import { number, visible } from "./format.js";
import { go } from "./place.js";
import { get } from "./server.js";

/** Children that are drawn at once under one node. */
const mostChildren = 500;
/** The tree is read again at most this often, in milliseconds. */
const restTime = 200;

export class Part {
  streams = true;
  #roots = [];
  #open = new Set();
  #children = new Map();
  #at = undefined;
  #following = null;
  #turn = 0;
  #changes = new Map();

  constructor(page) {
    this.page = page;
    this.list = element("ul", { class: "tree", role: "tree", "aria-label": "Objects", onkeydown: (event) => this.#key(event), onclick: (event) => this.#clicked(event) });
    this.empty = element(
      "div",
      { class: "empty", hidden: true },
      element("h2", {}, "No tree here"),
      "A tree needs a to-many relationship that deletes what it holds (“onDelete”: “cascade”) and objects in it.",
    );
    this.element = element(
      "section",
      { class: "part", "aria-label": "Tree" },
      element("div", { class: "bar" }, button("Close all", () => this.#closeAll())),
      element("div", { class: "scroll" }, this.list, this.empty),
    );
  }

  show(place) {
    this.place = place;
    const isElsewhen = this.#at !== place.at;
    this.#at = place.at;
    if (isElsewhen || !this.#following) this.#load();
    else this.#draw();
  }

  hide() {
    this.#turn += 1;
    this.#following?.close();
    this.#following = null;
  }

  /**
   * Reads the roots and what is open, and then follows the commits: after each, what is open is read again. A tree here may
   * have objects of several entities under each other, which the server's stream of one relationship does not have.
   */
  async #load() {
    const turn = ++this.#turn;
    this.#following?.close();
    this.#following = null;
    try {
      await this.page.waiting(this.#read(turn));
    } catch (problem) {
      if (turn === this.#turn) this.page.fail(problem);
      return;
    }
    if (turn !== this.#turn) return;
    this.#following = this.#at ? { close() {} } : followCommits({ from: this.page.head }, {
      commit: (line) => {
        this.page.moved(line.position);
        this.#readSoon(turn);
      },
      position: (head) => this.page.moved(head),
      connection: (step) => this.page.connection(step),
    });
  }

  #readSoon(turn) {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      if (turn === this.#turn) this.#read(turn).catch(() => {});
    }, restTime);
  }

  async #read(turn) {
    const at = this.#at;
    const { nodes } = await get("/api/tree", { at, depth: 1 });
    const children = new Map();
    const isFirst = this.#roots.length === 0;
    // A single root is open from the start: closed it would show nothing.
    if (isFirst && nodes.length === 1) this.#open.add(nodes[0].id);
    const read = async (list) =>
      Promise.all(
        list.filter(({ id, childCount }) => this.#open.has(id) && childCount > 0).map(async ({ id }) => {
          const answer = await get("/api/tree", { root: id, at, depth: 1 });
          children.set(id, answer.nodes);
          await read(answer.nodes);
        }),
      );
    await read(nodes);
    if (turn !== this.#turn) return;
    const before = this.#places();
    this.#roots = nodes;
    this.#children = children;
    this.#compare(before, isFirst);
    this.#draw(before);
  }

  /** The parent and name of each node that is shown. */
  #places() {
    const places = new Map();
    const walk = (list, parent) => {
      for (const node of list) {
        places.set(node.id, { parent, name: node.name });
        if (this.#open.has(node.id)) walk(this.#children.get(node.id) ?? [], node.id);
      }
    };
    walk(this.#roots, null);
    return places;
  }

  #compare(before, isFirst) {
    this.#changes = new Map();
    if (isFirst) return;
    for (const [id, { parent, name }] of this.#places()) {
      const old = before.get(id);
      if (!old && (parent === null || before.has(parent))) this.#changes.set(id, "insert");
      else if (old && old.parent !== parent) this.#changes.set(id, "move");
      else if (old && old.name !== name) this.#changes.set(id, "update");
    }
  }

  #draw() {
    const tops = new Map([...this.list.querySelectorAll("li")].map((item) => [item.dataset.id, item.getBoundingClientRect().top]));
    const focused = document.activeElement?.closest?.("[role=treeitem]")?.dataset.id;
    this.empty.hidden = this.#roots.length > 0;
    this.list.hidden = !this.empty.hidden;
    this.list.replaceChildren(...this.#items(this.#roots, 0));
    const items = [...this.list.querySelectorAll("li")];
    const current = items.find((item) => item.dataset.id === (focused ?? this.place.object)) ?? items[0];
    if (current) current.tabIndex = 0;
    if (focused) current?.focus();
    if (this.#changes.size && this.#changes.size <= 60 && !reducedMotion.matches) this.#slide(items, tops);
    this.#changes = new Map();
  }

  /** A node slides from where it was, with its children. */
  #slide(items, tops) {
    for (const item of items) {
      const old = tops.get(item.dataset.id);
      const parent = item.parentElement.closest("li");
      const moved = old === undefined ? 0 : old - item.getBoundingClientRect().top;
      const parentMoved = parent && tops.has(parent.dataset.id) ? tops.get(parent.dataset.id) - parent.getBoundingClientRect().top : 0;
      const step = moved - parentMoved;
      if (step) item.animate([{ transform: `translateY(${step}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
    }
  }

  #items(nodes, depth) {
    const items = nodes.slice(0, mostChildren).map((node) => this.#item(node, depth));
    if (nodes.length > mostChildren) items.push(element("li", { role: "none", class: "bar quiet" }, `and ${number(nodes.length - mostChildren)} more`));
    return items;
  }

  #item(node, depth) {
    const { id, entity, name, childCount } = node;
    const isOpen = this.#open.has(id) && childCount > 0;
    const change = this.#changes.get(id);
    const line = element(
      "div",
      { class: ["node", change && `${change} flash-${change}`] },
      element("span", { class: "twist", "aria-hidden": "true" }, childCount > 0 ? "▸" : ""),
      change && element("span", { class: `sign ${change}`, "aria-hidden": "true" }, { insert: "+", move: "↕", update: "~" }[change]),
      element("span", { class: "name" }, visible(name ?? "") || "—"),
      element("span", { class: "quiet" }, entity, childCount > 0 && `, ${number(childCount)}`),
    );
    line.style.setProperty("--depth", depth);
    return element(
      "li",
      { role: "treeitem", "data-id": id, tabindex: "-1", "aria-expanded": childCount > 0 ? String(isOpen) : null, "aria-level": depth + 1, "aria-selected": String(id === this.place.object) },
      line,
      isOpen && element("ul", { role: "group" }, this.#items(this.#children.get(id) ?? [], depth + 1)),
    );
  }

  #clicked(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    item.focus();
    if (event.target.closest(".twist")) this.#toggle(item);
    else go({ object: item.dataset.id, commit: null });
  }

  async #toggle(item, isOpen = item.getAttribute("aria-expanded") !== "true") {
    const { id } = item.dataset;
    if (!item.hasAttribute("aria-expanded")) return;
    if (!isOpen) {
      this.#open.delete(id);
      this.#draw();
      return;
    }
    this.#open.add(id);
    if (!this.#children.has(id)) {
      const turn = this.#turn;
      const { nodes } = await this.page.waiting(get("/api/tree", { root: id, at: this.#at, depth: 1 })).catch(() => ({ nodes: [] }));
      if (turn !== this.#turn) return;
      this.#children.set(id, nodes);
    }
    this.#draw();
  }

  #closeAll() {
    this.#open.clear();
    this.#draw();
  }

  #key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    const isOpen = item.getAttribute("aria-expanded") === "true";
    if (event.key === "ArrowDown") this.step(1);
    else if (event.key === "ArrowUp") this.step(-1);
    else if (event.key === "ArrowRight" && !isOpen) this.#toggle(item, true);
    else if (event.key === "ArrowRight") this.step(1);
    else if (event.key === "ArrowLeft" && isOpen) this.#toggle(item, false);
    else if (event.key === "ArrowLeft") item.parentElement.closest("[role=treeitem]")?.focus();
    else if (event.key === "Enter") go({ object: item.dataset.id, commit: null });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  step(count) {
    const items = [...this.list.querySelectorAll("[role=treeitem]")];
    const index = items.indexOf(document.activeElement?.closest?.("[role=treeitem]"));
    items[Math.max(0, Math.min(items.length - 1, index + count))]?.focus();
  }
}
