// One object: its values and links, who set each and when, and its whole history.
import { drawBetween } from "./object-between.js";
import { deletion, EditForm } from "./object-edit.js";
import { draftOf, keepDraft } from "./drafts.js";
import { announce, button, element, field, redraw } from "./elements.js";
import { byLine, commitLink, complain, eventWords, objectLink, panelHead, refreshLinks, signOf, timeOf } from "./events.js";
import { called, Names } from "./facts.js";
import { ago, exactTime, person, position, shortID, text } from "./format.js";
import { go, place } from "./place.js";
import { stringify } from "./json.js";
import { getAt, getLines } from "./server.js";

/** Links of a to-many relationship that are shown at once. */
const mostLinks = 50;

export class ObjectView {
  #turn = 0;
  #shown = null;
  #form = null;
  #abort = null;
  #key = null;

  constructor(page, id) {
    this.page = page;
    this.id = id;
    this.element = element("div", { class: "panel object" }, panelHead(shortID(id)));
  }

  /** Reads the object as it was at a position, or is. */
  async show(at, isForced = false) {
    if (!isForced && this.#shown !== null && this.#shown.at === at) return;
    const turn = ++this.#turn;
    this.#abort?.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      const path = `/api/objects/${encodeURIComponent(this.id)}`;
      const missing = (problem) => (problem.status === 404 ? { value: null, position: this.page.head } : Promise.reject(problem));
      // The history is read again when the head has moved.
      const history = this.#shown && this.#shown.head === this.page.head ? this.#shown.history : getLines(`${path}/log`, {}, { signal }).catch((problem) => problem);
      const head = this.page.head;
      const found = await this.page.waiting(Promise.all([
        getAt(path, { at }, { signal }).catch(missing),
        history,
        getAt(`${path}/blame`, { at }, { signal }).catch(() => ({ value: { lines: [] } })),
      ]));
      if (turn !== this.#turn) return;
      const [{ value: object, position: readAt }, log, { value: blame }] = found;
      // No event is of a derived object.
      const lines = Array.isArray(log) ? log : [];
      if (lines !== log && (log.status !== 404 || !(object || this.#shown))) throw log;
      const isFirst = !this.#shown;
      this.#shown = { at, head, object, history: lines, blame, position: readAt };
      // What is the same is not drawn again: somebody may be about to press one of its buttons.
      const former = this.#key;
      this.#key = stringify([at, object, blame, lines.length]);
      this.names = new Names(at, this.page.model, () => refreshLinks(this.element, this.names));
      if (this.#form && !at && object) this.#form.meet(object, readAt);
      else if (isFirst && this.#canWrite && draftOf(this.id)) this.#edit();
      else if (isFirst || this.#key !== former) this.#draw();
    } catch (problem) {
      if (turn !== this.#turn) return;
      const words = element("p", { class: "wrong", role: "alert" });
      if (!this.#form) this.element.replaceChildren(panelHead(shortID(this.id)), words);
      complain(words, problem, this.page);
    }
  }

  /** The head has moved: reads the object again, at most twice a second. A form that is being filled in stays. */
  moved() {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.show(this.page.at, true);
    }, 500);
  }

  /** Another object, or none, is shown from now on. */
  hide() {
    this.#abort?.abort();
    this.#turn += 1;
    if (this.#form?.isChanged) announce(`What was typed for ${this.#form.name} is kept; the link at the top leads back to it.`);
  }

  get #canWrite() {
    return this.page.session.writing && !this.#shown.at && this.#shown.object;
  }

  #draw() {
    if (this.#form) return;
    const { object, history, at } = this.#shown;
    const { model } = this.page;
    const last = history[history.length - 1];
    const entity = object?.entity ?? last?.events.find((event) => event.object === this.id)?.entity ?? "";
    const title = object ? model.nameOf(object) : this.#formerName();
    const header = panelHead(
      title,
      element(
        "div",
        { class: "quiet" },
        `${entity}  `,
        element("span", { class: "code", title: this.id }, shortID(this.id)),
        object ? [", created ", element("time", { title: exactTime(object.createdAt) }, ago(object.createdAt))] : "",
      ),
    );
    const canWrite = this.#canWrite;
    const draft = !at && !canWrite && draftOf(this.id);
    redraw(
      this.element,
      header,
      object ? this.#values(object) : element("p", {}, this.#absence(history, at)),
      draft && this.#typed(draft),
      canWrite && this.#actions(object),
      history.length > 0 && this.#history(history, at),
      // It is kept with what is typed in it.
      history.length > 1 && (this.between ??= drawBetween(this.id, history, this.page, () => this.names)),
    );
  }

  #formerName() {
    for (const line of [...this.#shown.history].reverse()) {
      for (const event of line.events) {
        const name = event.object === this.id && event.values?.[this.page.model.nameAttribute(event.entity)];
        if (name) return called(this.id, Array.isArray(name) ? name[1] : name);
      }
    }
    return shortID(this.id);
  }

  #absence(history, at) {
    const events = history.flatMap((line) => line.events.map((event) => ({ line, event })));
    const gone = events.filter(({ line, event }) => event.event === "deleted" && event.object === this.id && (!at || line.position <= at)).pop();
    if (!gone) return `Not there ${history.length > 0 ? "yet " : ""}at ${position(at ?? this.page.head)}.`;
    const before = button(`see it at ${position(gone.line.position - 1)}`, () => go({ at: gone.line.position - 1 }));
    return element("span", { class: "actions" }, element("span", {}, "Deleted in ", byLine(gone.line), "."), before);
  }

  #values(object) {
    const lines = new Map(this.#shown.blame.lines?.map((line) => [line.attribute ?? line.link, line]));
    const rows = [...Object.entries(object.values), ...Object.entries(object.links ?? {})].map(([name, value]) => {
      const relationship = this.page.model.relationships(object.entity).find((other) => other.name === name);
      const line = lines.get(name);
      const isNew = line && line.position === (this.#shown.at ?? this.page.head);
      const by = line && element("span", { class: "by", title: line.message ?? "" }, byLine(line));
      return element(
        "li",
        {},
        element("span", { class: "term" }, name),
        element("div", { class: isNew && "changed" }, this.#value(value, relationship, this.page.model.type(object.entity, name)), by),
      );
    });
    return element("ul", { class: "values" }, rows);
  }

  #value(value, relationship, type) {
    if (!relationship) return element("span", { class: "value" }, value === null ? element("span", { class: "quiet" }, "—") : value === "" ? "“”" : text(value, type));
    const name = (id) => objectLink(this.names, relationship.to, id);
    if (!Array.isArray(value)) return element("span", { class: "value" }, value ? ["→ ", name(value)] : element("span", { class: "quiet" }, "—"));
    if (value.length === 0) return element("span", { class: "quiet" }, "none");
    const more = value.length - mostLinks;
    return element("span", { class: "chips" }, value.slice(0, mostLinks).map((id) => element("span", {}, name(id))), more > 0 && `and ${more} more`);
  }

  #history(history, at) {
    const items = [...history].reverse().map((line) => {
      const isLater = at && line.position > at;
      const events = line.events.filter((event) => event.object === this.id || event.from === this.id || event.to === this.id);
      const model = this.page.model;
      return element(
        "li",
        { class: isLater && "later" },
        commitLink(line.position),
        element(
          "div",
          {},
          events.map((event) => {
            const [sign, kind] = signOf(event);
            const from = event.object === this.id ? "" : [objectLink(this.names, event.entity, event.object), " "];
            return element("div", {}, element("span", { class: `sign ${kind}`, "aria-hidden": "true" }, sign), " ", from, eventWords(event, model, this.names));
          }),
          element(
            "small",
            { title: line.message ?? "" },
            person(line.author) || "unknown",
            ", ",
            timeOf(line),
            isLater && " (later)",
            "  ",
            line.position !== at && button("see then", () => go({ at: line.position }), { class: "link", "aria-label": `See it as of ${position(line.position)}` }),
          ),
        ),
      );
    });
    return element("section", {}, element("h2", {}, "History"), element("ol", { class: "history" }, items));
  }

  /** What was typed for an object that cannot be changed here any more, to be read and copied. */
  #typed({ typed, message }) {
    const fields = Object.entries({ ...typed, ...(message ? { message } : {}) }).map(([name, words]) =>
      field(name, element("textarea", { readonly: true, rows: Math.min(12, (words ?? "").split("\n").length), dir: "auto", value: words ?? "", placeholder: words === null ? "no value" : "" }))
    );
    const discard = () => {
      keepDraft(this.id, null);
      this.#draw();
    };
    return element("section", { class: "form typed" }, element("h2", {}, "Typed and not saved"), fields, element("div", { class: "actions" }, button("Discard", discard)));
  }

  #actions(object) {
    if (this.page.model.isDerived(object.entity)) return element("p", { class: "quiet" }, this.page.model.label(object.entity));
    return element("div", { class: "actions" }, button("Edit", () => this.#edit()), deletion(this.page, object));
  }

  #edit() {
    const { object, position } = this.#shown;
    this.#form = new EditForm(this.page, object, position, () => {
      this.#form = this.#key = null;
      this.show(place().at, true);
    });
    this.element.replaceChildren(panelHead(this.page.model.nameOf(object)), this.#form.element);
    this.#form.focus();
  }
}
