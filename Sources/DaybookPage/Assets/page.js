// The page: its frame, its parts, and what they share. The place in the address decides what is shown.
import { followCommits } from "./commit-feed.js";
import { allDrafts, onDrafts } from "./drafts.js";
import { button, element, narrowScreen } from "./elements.js";
import { linked } from "./events.js";
import { model, Names } from "./facts.js";
import { number, plural, position } from "./format.js";
import { stringify } from "./json.js";
import { listenToKeys } from "./keyboard.js";
import { go, link, onPlace, place } from "./place.js";
import { get, server } from "./server.js";
import { SidePanel } from "./side-panel.js";
import { askForToken, drawAccount, session } from "./sign-in.js";
import { drawAsOf, Timeline } from "./timeline.js";

/**
 * The parts by their name in the address, each loaded when it is first shown; `streams` have a stream of their own while
 * they show the present.
 */
const parts = {
  list: { label: "Lists", load: () => import("./part-list.js"), streams: true },
  tree: { label: "Tree", load: () => import("./part-tree.js"), streams: true },
  journal: { label: "Journal", load: () => import("./part-journal.js"), streams: true },
  compare: { label: "Compare", load: () => import("./part-compare.js") },
  model: { label: "Model", load: () => import("./part-model.js") },
  store: { label: "Store", load: () => import("./part-store.js") },
};
/** The parts that have the same filter. */
const lists = new Set(["list", "compare"]);
/** Drafts that are named at the top; more are counted. */
const mostDrafts = 3;
/** A wait shorter than this shows nothing. */
const patience = 200;

class Page {
  head = 0;
  at = undefined;
  model = null;
  names = null;
  session = { writing: false };
  #made = new Map();
  #part = null;
  #waits = new Set();
  #turn = 0;
  #commits = null;

  constructor() {
    this.main = document.getElementById("main");
    this.side = new SidePanel(this, document.getElementById("side"));
    this.timeline = new Timeline(this);
    this.asOf = element("div", { class: "as-of", role: "status", hidden: true });
    this.waitingBar = element("div", { class: "waiting", role: "progressbar", "aria-label": "Waiting for the server", hidden: true });
    this.notice = element("div", { class: "empty", role: "alert", hidden: true });
    this.heading = element("h1", { class: "hidden" });
    this.main.append(this.heading, this.waitingBar, this.asOf, this.notice);
    document.getElementById("time").append(this.timeline.element);
    this.#drawTop();
    const bottom = document.getElementById("time");
    new ResizeObserver(() => document.documentElement.style.setProperty("--time-height", `${bottom.offsetHeight}px`)).observe(bottom);
  }

  #drawTop() {
    this.links = Object.entries(parts).map(([name, { label }]) => element("a", { "data-part": name }, label));
    this.counts = element("span", { class: "counts" });
    this.state = element("span", { class: "live", "data-state": "wait", role: "status" }, "connecting");
    this.number = element("a", { title: "The last commit" });
    this.account = element("span");
    this.store = element("span", { class: "store" });
    this.drafts = element("span", { class: "drafts" });
    this.nav = element("nav", { "aria-label": "Parts" }, this.links);
    const top = document.getElementById("top");
    top.append(
      element("a", { class: "brand", href: "#/list" }, element("img", { src: "/page/icon.svg", alt: "" }), "daybook"), this.store, this.counts,
      element("div", { class: "state" }, this.drafts, this.account, this.state, this.number,
        button("⌕", () => this.find(), { class: "plain find", title: "Go to a position, date, identity or name (Ctrl-K)", "aria-label": "Go to" }),
        button("?", () => this.help(), { class: "plain help", title: "Keys (?)", "aria-label": "Keys" })));
    // The parts come where they are seen: at the top, or on a narrow screen above the bar of time.
    const place = () => (narrowScreen.matches ? document.getElementById("time").before(this.nav) : this.counts.before(this.nav));
    narrowScreen.addEventListener("change", place);
    place();
    onDrafts(() => this.#drawDrafts());
    this.#drawDrafts();
  }

  /** The ways back to what is typed and not saved. */
  #drawDrafts() {
    const drafts = allDrafts();
    const ways = drafts.slice(0, mostDrafts).map(([id, { name, entity }]) =>
      button(name, () => go({ part: "list", entity, object: id, commit: null, at: null }), { class: "link", title: `${entity} ${name}: typed and not saved` }));
    const more = drafts.length - mostDrafts;
    this.drafts.replaceChildren(...(drafts.length ? ["not saved: ", ...ways.flatMap((way, index) => [index ? ", " : "", way]), more > 0 ? ` and ${more} more` : ""] : []));
  }

  /** Reads what never changes with the place, and shows the first one. */
  async start() {
    try {
      const [statistics, current] = await Promise.all([get("/api/stats"), session()]);
      this.session = current;
      drawAccount(this.account, current);
      this.store.textContent = current.store ?? "";
      this.notice.hidden = true;
      this.moved(statistics.head);
      this.#drawCounts(statistics);
      await (this.showing = this.show(place()));
    } catch (problem) {
      if (problem.status === 401) return;
      this.#connectionLost(problem);
    }
  }

  /** The server did not answer at all: it is asked again until it does. */
  #connectionLost(problem, wait = 2) {
    const retryAt = Date.now() + wait * 1000;
    this.connection({ state: "lost", retryAt, error: problem });
    this.notice.hidden = false;
    this.notice.replaceChildren(element("h2", {}, "The server does not answer"), problem.message);
    setTimeout(() => this.start(), wait * 1000);
  }

  /** Shows a place. */
  async show(current) {
    const turn = ++this.#turn;
    const { at } = current;
    if (this.at !== at || !this.model) {
      const found = await this.waiting(model(at)).catch((problem) => this.fail(problem));
      if (turn !== this.#turn || !found) return;
      this.model = found;
      this.names = new Names(at, found, () => this.#part?.refresh?.(), this.names);
      this.at = at;
    }
    this.timeline.show(at);
    drawAsOf(this.asOf, at);
    document.body.classList.toggle("is-past", Boolean(at));
    this.#drawLinks(current);
    this.notice.hidden = true;
    const name = Object.hasOwn(parts, current.part) ? current.part : "list";
    const part = await this.#partNamed(name);
    if (turn !== this.#turn) return;
    if (this.#part !== part) {
      this.#part?.hide?.();
      this.#part?.element.remove();
      this.main.append(part.element);
      this.#part = part;
    }
    this.heading.textContent = parts[name].label;
    document.title = [parts[name].label, this.session.store, "daybook"].filter(Boolean).join(" · ");
    this.#followHead(Boolean(parts[name].streams) && !at);
    const shown = part.show(current);
    await Promise.all([shown, this.side.show(current)]);
  }

  async #partNamed(name) {
    const { Part } = await this.waiting(parts[name].load());
    if (!this.#made.has(name)) this.#made.set(name, new Part(this));
    return this.#made.get(name);
  }

  #drawLinks(current) {
    const { at, entity, object } = current;
    for (const node of this.links) {
      const { part } = node.dataset;
      node.href = link({ part, at, entity, object, ...(part === current.part || lists.has(part) && lists.has(current.part) ? { where: current.where } : {}) });
      if (part === current.part) node.setAttribute("aria-current", "page");
      else node.removeAttribute("aria-current");
    }
    if (at) this.setState("past", "past");
    else if (this.state.dataset.state === "past") this.setState("live", "live");
  }

  /** Where the part in view has no stream, the commits are followed: a page holds one stream, and always knows the head. */
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
    if (head <= this.head) return;
    this.head = head;
    this.number.textContent = position(head);
    this.number.href = link({ part: "journal", commit: head });
    this.timeline.setHead(head);
    this.#part?.moved?.(head);
    this.side.moved(head);
    clearTimeout(this.countsTimer);
    this.countsTimer = setTimeout(() => get("/api/stats").then((statistics) => this.#drawCounts(statistics)).catch(() => {}), 3000);
    clearTimeout(this.modelTimer);
    if (this.model && !this.at) this.modelTimer = setTimeout(() => this.#reloadModel(), 1000);
  }

  async #reloadModel() {
    const found = await model().catch(() => null);
    if (!found || this.at || stringify(found.entities) === stringify(this.model.entities)) return;
    this.model = found;
    this.names = new Names(null, found, () => this.#part?.refresh?.(), this.names);
    this.show(place());
  }

  #drawCounts({ objects = {}, events = 0 }) {
    const all = Object.values(objects).reduce((sum, count) => sum + count, 0);
    this.counts.textContent = `${plural(all, "object")}, ${plural(events, "event")}`;
    this.counts.title = Object.entries(objects).map(([name, count]) => `${name}: ${number(count)}`).join("\n");
  }

  /** Shows the state of the stream; while it is lost, the time until the next try. */
  connection({ state, retryAt }) {
    clearInterval(this.countdown);
    if (state === "refused") return this.setState("lost", "signed out");
    if (state === "live") return this.at ? this.setState("past", "past") : this.setState("live", "live");
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
      this.setState("lost", seconds > 0 ? `connection lost, again in ${seconds} s` : "connection lost, trying…");
    };
    tick();
    this.countdown = setInterval(tick, 500);
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

  fail(problem) {
    if (problem.status === 401) return null;
    this.notice.hidden = false;
    this.notice.replaceChildren(element("h2", {}, problem.status === 404 ? "This is not there" : "That did not work"),
      ...linked([problem.message, problem.advice].filter(Boolean).join(" "), this));
    return null;
  }

  get part() {
    return this.#part;
  }

  help() {
    this.keys.showModal();
  }

  /** Asks where to go. */
  async find() {
    (await import("./go-to.js")).askWhere(this);
  }
}

const page = new Page();
page.keys = listenToKeys(page);
server.refused = () => askForToken(() => location.reload());
onPlace((current) => (page.showing = page.show(current)));
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open]")) go({ object: null, commit: null });
});
page.start();
