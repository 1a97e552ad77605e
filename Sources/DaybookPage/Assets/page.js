// The page of `daybook serve`: what its frame has beyond the one of all pages.
import { allDrafts, onDrafts } from "./drafts.js";
import { button, element, narrowScreen } from "./elements.js";
import { inWords } from "./events.js";
import { number, plural, position } from "./format.js";
import { Frame } from "./frame.js";
import { listenToKeys, showKeys } from "./keyboard.js";
import { go, link } from "./place.js";
import { get, server } from "./server.js";
import { askForToken, drawAccount, session } from "./sign-in.js";

/** What parts are called, by their name in the address. The module of each is loaded when it is first shown. */
const parts = { list: "Lists", tree: "Tree", journal: "Journal", compare: "Compare", model: "Model", store: "Store", import: "Import" };
const names = Object.keys(parts);
/** The parts with a link at the top; to the others lead links of these. */
const mainNames = names.filter((name) => name !== "import");
const keys = [
  ["/", "filter"],
  ["j k", "next or previous row"],
  ["Enter", "open the object"],
  ["Esc", "close it; what is typed is kept"],
  ["g g", "go to a position, date, identity or name"],
  ["[ ]", "one commit back or forward"],
  ["Space", "play"],
  ["n", "now"],
  ["+ −", "fewer or more commits on the bar of time"],
  ["=", "only rows with a value of the row at the cursor"],
  ["Alt click", "only rows with this value"],
  ...names.map((name) => [`g ${name[0]}`, parts[name].toLowerCase()]),
  ["?", "this table"],
];
const partOf = Object.fromEntries(names.map((name) => [name[0], name]));
/** The second key of a pair must follow within this many milliseconds. */
const pairTime = 1500;
/** The parts that have the same filter. */
const lists = new Set(["list", "compare"]);
/** Drafts that are named at the top; more are counted. */
const mostDrafts = 3;

class Page extends Frame {
  #pairUntil = 0;

  constructor() {
    super(Object.fromEntries(names.map((name) => [name, async (page) => new (await import(`./part-${name}.js`)).Part(page)])));
    this.notice = element("div", { class: "empty", role: "alert", hidden: true });
    this.heading = element("h1", { class: "hidden" });
    this.main.prepend(this.heading);
    this.main.append(this.notice);
    this.#drawTop();
    const bottom = document.getElementById("time");
    new ResizeObserver(() => document.documentElement.style.setProperty("--time-height", `${bottom.offsetHeight}px`)).observe(bottom);
  }

  #drawTop() {
    this.links = mainNames.map((name) => element("a", { "data-part": name }, parts[name]));
    this.counts = element("span", { class: "counts" });
    this.number = element("a", { title: "The last commit" });
    this.account = element("span");
    this.store = element("span", { class: "store" });
    this.drafts = element("span", { class: "drafts" });
    this.nav = element("nav", { "aria-label": "Parts" }, this.links);
    this.top.append(
      element("a", { class: "brand", href: "#/list" }, element("img", { src: "/page/icon.svg", alt: "" }), "daybook"),
      this.store,
      this.counts,
      element(
        "div",
        { class: "state" },
        this.drafts,
        this.account,
        this.state,
        this.number,
        button("⌕", () => this.find(), { class: "plain find", title: "Go to a position, date, identity or name (Ctrl-K)", "aria-label": "Go to" }),
        button("?", () => showKeys(keys), { class: "plain help", title: "Keys (?)", "aria-label": "Keys" }),
      ),
    );
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
      button(name, () => go({ part: "list", entity, object: id, commit: null, at: null }), { class: "link", title: `${entity} ${name}: typed and not saved` })
    );
    const more = drafts.length - mostDrafts;
    this.drafts.replaceChildren(...(drafts.length ? ["not saved: ", ...ways.flatMap((way, index) => [index ? ", " : "", way]), more > 0 ? ` and ${more} more` : ""] : []));
  }

  async read() {
    const [statistics, current] = await Promise.all([get("/api/stats"), session()]);
    this.session = current;
    drawAccount(this.account, current);
    this.store.textContent = current.store ?? "";
    this.notice.hidden = true;
    this.moved(statistics.head);
    this.#drawCounts(statistics);
  }

  drawn(current) {
    this.#drawLinks(current);
    this.notice.hidden = true;
  }

  turned(name) {
    this.heading.textContent = parts[name];
    document.title = [parts[name], this.session.store, "daybook"].filter(Boolean).join(" · ");
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

  moved(head) {
    if (!(head > this.head)) return;
    super.moved(head);
    this.number.textContent = position(head);
    this.number.href = link({ part: "journal", commit: head });
    clearTimeout(this.countsTimer);
    this.countsTimer = setTimeout(() => get("/api/stats").then((statistics) => this.#drawCounts(statistics)).catch(() => {}), 3000);
  }

  #drawCounts({ objects = {}, events = 0 }) {
    const all = Object.values(objects).reduce((sum, count) => sum + count, 0);
    this.counts.textContent = `${plural(all, "object")}, ${plural(events, "event")}`;
    this.counts.title = Object.entries(objects).map(([name, count]) => `${name}: ${number(count)}`).join("\n");
  }

  /** Shows the state of the stream; while it is lost, the time until the next try. */
  connection({ state, retryAt, error }) {
    clearInterval(this.countdown);
    // Where nothing was read yet, there is nothing else to show.
    if (state === "lost" && !this.model) this.#say("The server does not answer", error?.message ?? "");
    if (state === "refused") return this.setState("lost", "signed out");
    if (state === "live") return this.at ? this.setState("past", "past") : this.setState("live", "live");
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000));
      this.setState("lost", seconds > 0 ? `connection lost, again in ${seconds} s` : "connection lost, trying…");
    };
    tick();
    this.countdown = setInterval(tick, 500);
  }

  fail(problem) {
    if (problem.status === 401) return;
    this.#say(problem.status === 404 ? "This is not there" : "That did not work", ...inWords(problem, this));
  }

  #say(title, ...words) {
    this.notice.hidden = false;
    this.notice.replaceChildren(element("h2", {}, title), ...words);
  }

  /** Asks where to go. */
  async find() {
    (await import("./go-to.js")).askWhere(this);
  }

  /** Performs a key, and returns whether it is one of the page. */
  key(event, isPlain) {
    const { key } = event;
    const isSecond = performance.now() < this.#pairUntil;
    if (key === "Escape") go({ object: null, commit: null });
    const isFind = (event.ctrlKey || event.metaKey) && key === "k";
    if (isFind) this.find();
    if (!isPlain) return isFind;
    this.#pairUntil = 0;
    if (isSecond && key === "g") this.find();
    else if (isSecond && partOf[key]) go({ part: partOf[key] });
    else if (key === "g") this.#pairUntil = performance.now() + pairTime;
    else return this.#run(event);
    return true;
  }

  #run({ key, target }) {
    const { part, timeline } = this;
    // A button or a slider that has the focus keeps its own keys.
    const isControl = target.closest?.("button, a, summary, input, [role=tree]");
    const acts = {
      "/": () => part?.focusFilter?.(),
      j: () => part?.step?.(1),
      k: () => part?.step?.(-1),
      "=": () => part?.chooseValue?.(),
      "+": () => timeline.zoomBy(0.5),
      "-": () => timeline.zoomBy(2),
      ...(isControl ? {} : { Enter: () => part?.enter?.(), " ": () => timeline.toggle() }),
    };
    acts[key]?.();
    return key in acts;
  }
}

const page = new Page();
listenToKeys(page, keys, (event, isPlain) => page.key(event, isPlain));
server.refused = () => askForToken(() => location.reload());
page.start();
