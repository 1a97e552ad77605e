// The store: what it holds, what it takes, who reads it, its projections, and its activity by day.
import { element, redraw, table } from "./elements.js";
import { bytes, number, person, plural, position } from "./format.js";
import { drawCalendar } from "./calendar.js";
import { link, place, ungrouped } from "./place.js";
import { get } from "./server.js";

/** The figures are read again this often while they are in view, in milliseconds. */
const refreshTime = 5000;

export class Part {
  constructor(page) {
    this.page = page;
    this.content = element("div", { class: "scroll" });
    this.element = element("section", { class: "part", "aria-label": "Store" }, this.content);
  }

  show({ at }) {
    this.at = at;
    this.#load();
    this.timer ??= setInterval(() => this.#load(), refreshTime);
  }

  hide() {
    clearInterval(this.timer);
    this.timer = null;
  }

  moved() {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.timer && this.#load(), 400);
  }

  async #load() {
    try {
      const [statistics, activity] = await this.page.waiting(Promise.all([get("/api/stats"), get("/api/activity", { sums: true })]));
      this.#draw(statistics, activity);
    } catch (problem) {
      if (!this.content.hasChildNodes()) this.page.fail(problem);
    }
  }

  #draw(statistics, activity) {
    const { head, events, objects = {}, bytes: sizes = {}, readers, oldestReaderLag, stateHash, hash } = statistics;
    const all = Object.values(objects).reduce((sum, count) => sum + count, 0);
    const used = (name) => (sizes[name] ? bytes(sizes[name].used ?? sizes[name]) : "—");
    const tiles = [["head", position(head)], ["events", number(events)], ["objects", number(all)], ["journal", used("journal")], ["projections", used("projections")], [
      "readers",
      readers ? `${readers}${oldestReaderLag > 0 ? `, ${number(oldestReaderLag)} behind` : ""}` : "none",
    ]];
    redraw(
      this.content,
      this.at && element("p", { class: "notice" }, `All figures here are of the present, ${position(head)}, and not of ${position(this.at)}.`),
      element("ul", { class: "tiles" }, tiles.map(([name, value]) => element("li", { class: "tile" }, element("span", { class: "quiet" }, name), element("strong", {}, value)))),
      this.page.session.imports && element("p", {}, element("a", { href: "#/import" }, "Import a file…")),
      element(
        "div",
        { class: "blocks" },
        this.#objects(objects, all),
        this.#projections(statistics.projections ?? []),
        this.#calendar(activity),
        this.#authors(activity),
        this.#hashes({ "hash of the head": hash, "hash of the state": stateHash }),
      ),
    );
  }

  #objects(objects, all) {
    const rows = Object.entries(objects).sort(([, a], [, b]) => b - a).map(([name, count]) =>
      element(
        "tr",
        {},
        element(
          "th",
          { scope: "row" },
          element("a", { href: link({ ...place(), part: "list", entity: name, where: null, ...ungrouped }) }, name),
        ),
        element("td", { class: "number" }, number(count)),
        element("td", {}, meter(count, all)),
      )
    );
    return titled("Objects", ["entity", "count", "share"], rows);
  }

  #projections(projections) {
    const rows = projections.map(({ name, checkpoint, lag, rebuilding, quarantined, state }) => {
      const words = rebuilding ? `rebuilding, at ${position(checkpoint)}` : lag === 0 ? "up to date" : `${plural(lag, "commit")} behind`;
      const more = quarantined ? `, ${plural(quarantined, "commit")} in quarantine` : "";
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, name),
        element("td", { class: "number" }, checkpoint === null || checkpoint === undefined ? "—" : position(checkpoint)),
        element("td", { class: lag > 0 ? "update" : "" }, state && typeof state === "string" ? `${state}, ` : "", words, more, (rebuilding || lag > 0) && meter(checkpoint, checkpoint + lag)),
      );
    });
    return titled("Projections", ["name", "at", "lag"], rows);
  }

  #calendar({ days = [] }) {
    return element(
      "section",
      { class: "wide" },
      element("h2", {}, "Activity by day"),
      element("div", { class: "calendar", tabindex: "0", role: "group", "aria-label": "Activity by day" }, drawCalendar(days)),
    );
  }

  #authors({ authors = [] }) {
    const sorted = authors.slice(0, 12);
    const greatest = sorted[0]?.commits ?? 1;
    return titled(
      "Authors",
      ["author", "commits", "share"],
      sorted.map(({ author, commits }) =>
        element("tr", {}, element("th", { scope: "row", title: author }, person(author) || "unknown"), element("td", { class: "number" }, number(commits)), element("td", {}, meter(commits, greatest)))
      ),
    );
  }

  #hashes(hashes) {
    return element(
      "section",
      {},
      element("h2", {}, "Hashes"),
      element(
        "ul",
        { class: "form" },
        Object.entries(hashes).filter(([, value]) => value).map(([name, value]) => element("li", {}, element("div", { class: "quiet" }, name), element("div", { class: "code message" }, value))),
      ),
    );
  }
}

function meter(value, all) {
  const bar = element("i");
  bar.style.width = `${all > 0 ? Math.min(100, (value / all) * 100) : 0}%`;
  return element("div", { class: "meter", "aria-hidden": "true" }, bar);
}

const titled = (title, heads, rows) => element("section", {}, element("h2", {}, title), table(title, heads, rows, 1));
