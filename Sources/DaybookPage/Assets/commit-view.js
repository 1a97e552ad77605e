// One commit in full: who, when and why, what it did, what led to it and what came of it.
import { button, element, redraw } from "./elements.js";
import { commitLink, complain, eventWords, linked, objectLink, panelHead, refreshLinks, signOf, timeOf } from "./events.js";
import { called, commit, Names } from "./facts.js";
import { exactTime, person, plural, position, text } from "./format.js";
import { go } from "./place.js";
import { get, post } from "./server.js";

/** Events that are drawn at once; a commit may have a million. */
const mostEvents = 200;
/** Commits after this one that are searched for consequences. */
const searchedCommits = 1000;

export class CommitView {
  #line = null;
  #consequences = null;

  constructor(page, number) {
    this.page = page;
    this.number = number;
    this.element = element("div", { class: "panel commit" }, this.#header());
  }

  async show() {
    if (this.#line) return;
    try {
      this.#line = await this.page.waiting(commit(this.number));
      // Names as they were with this commit: what it deleted has its last name in the event.
      this.names = new Names(this.number, this.page.model, () => refreshLinks(this.element, this.names));
      this.#draw();
      this.#consequences = this.number < this.page.head ? await consequencesOf(this.#line).catch(() => []) : [];
      if (this.#consequences.length) this.#draw();
    } catch (problem) {
      this.element.replaceChildren(this.#header(), element("p", { class: "wrong", role: "alert" }, problem.message));
    }
  }

  moved() {}

  #header() {
    return panelHead(`Commit ${position(this.number)}`);
  }

  #draw() {
    const line = this.#line;
    redraw(
      this.element,
      this.#header(),
      element("p", { class: "message", dir: "auto" }, line.message?.trim() ? linked(line.message.trim(), this.page) : element("span", { class: "quiet" }, "no message")),
      this.#facts(line),
      this.#actions(line),
      this.#reasons(line),
      this.#events(line),
    );
  }

  #facts(line) {
    const rows = [["author", person(line.author) || "unknown", line.author]];
    if (line.happenedAt) rows.push(["happened", exactTime(line.happenedAt)]);
    rows.push(["recorded", exactTime(line.recordedAt)]);
    for (const [key, value] of Object.entries(line.metadata ?? {})) rows.push([key, text(value)]);
    if (line.correlation) rows.push(["flow", line.correlation]);
    if (line.commitID) rows.push(["commit id", element("span", { class: "code" }, line.commitID)]);
    rows.push(["hash", element("span", { class: "code", title: line.hash }, line.hash.slice(0, 16))]);
    return element("dl", { class: "facts" }, rows.map(([name, value, title]) => [element("dt", {}, name), element("dd", { title }, value)]));
  }

  #actions({ position: number, model }) {
    const problem = element("p", { class: "wrong", role: "alert", hidden: true });
    const revert = async () => {
      try {
        const answer = await post("/api/revert", { position: number });
        this.page.moved(answer.position);
        go({ commit: answer.position, at: null });
      } catch (error) {
        complain(problem, error, this.page);
      }
    };
    return element(
      "div",
      { class: "actions" },
      button("See the store then", () => go({ at: number })),
      button("Compare with before", () => go({ part: "compare", from: Math.max(1, number - 1), to: number })),
      this.page.session.writing && !model && button("Revert", revert, { class: "danger", title: "What it brings back has new times of creation and change" }),
      problem,
    );
  }

  #reasons(line) {
    const causes = [["caused by", line.causation], ["undoes", line.undoes], ["redoes", line.redoes]]
      .flatMap(([words, value]) => [value ?? []].flat().map((cause) => [words, cause]));
    const list = (rows) => element("ul", {}, rows.map(([words, value]) => element("li", {}, `${words} `, typeof value === "number" ? commitLink(value) : String(value))));
    const consequences = this.#consequences ?? [];
    if (causes.length + consequences.length === 0) return null;
    return element(
      "section",
      {},
      causes.length > 0 && [element("h2", {}, "What led to it"), list(causes)],
      consequences.length > 0 && [
        element("h2", {}, "What came of it"),
        element(
          "ul",
          {},
          consequences.map(([words, other]) => element("li", {}, commitLink(other.position), ` ${words}: ${other.message?.split("\n")[0] ?? person(other.author)}, `, timeOf(other))),
        ),
      ],
    );
  }

  #events(line) {
    if (line.model) {
      return element(
        "section",
        {},
        element("h2", {}, "The model"),
        element("p", {}, `${plural(line.model.entities?.length ?? 0, "entity", "entities")}. `, element("a", { href: `#/model?at=${line.position}` }, "See the drawing")),
      );
    }
    const events = line.events ?? [];
    const items = events.slice(0, mostEvents).map((event) => {
      const [sign, kind] = signOf(event);
      const own = event.event === "renamed" ? event.to : event.values?.[this.page.model.nameAttribute(event.entity)];
      const name = typeof own === "string" ? called(event.object, own) : undefined;
      return element(
        "li",
        {},
        element("span", { class: `sign ${kind}`, "aria-hidden": "true" }, sign),
        element("div", {}, objectLink(this.names, event.entity, event.object, name), element("small", {}, ` ${event.entity}`), element("div", {}, eventWords(event, this.page.model, this.names))),
      );
    });
    const more = events.length - mostEvents;
    return element(
      "section",
      {},
      element("h2", {}, plural(events.length, "event")),
      element("ol", { class: "history" }, items),
      more > 0 && element("p", { class: "quiet" }, `and ${plural(more, "more event", "more events")}`),
    );
  }
}

/** Returns the commits that a commit caused, that undo it, or of the same flow, as `[words, line]`. */
async function consequencesOf(line) {
  const next = await get("/api/commits", { from: line.position + 1, limit: searchedCommits });
  const flow = line.correlation ? (await get("/api/commits", { correlation: line.correlation, from: line.position + 1, limit: 20 })).commits : [];
  const isNamed = (value) => [value ?? []].flat().some((cause) => cause === line.position || (line.commitID && cause === line.commitID));
  const found = next.commits.flatMap((other) => {
    if (isNamed(other.causation)) return [["caused", other]];
    if (isNamed(other.undoes)) return [["undone", other]];
    return isNamed(other.redoes) ? [["redone", other]] : [];
  });
  const named = new Set(found.map(([, other]) => other.position));
  return [...found, ...flow.filter((other) => !named.has(other.position)).map((other) => ["same flow", other])].slice(0, 50);
}
