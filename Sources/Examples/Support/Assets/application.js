// The frame of an application: its title, the name of the author, undo, the history of an object, and the bar of time.
import { button, element } from "/page/elements.js";
import { linked } from "/page/events.js";
import { model } from "/page/facts.js";
import { go, onPlace, place } from "/page/place.js";
import { address, get, post } from "/page/server.js";
import { SidePanel } from "/page/side-panel.js";
import { drawAsOf, Timeline } from "/page/timeline.js";
import { drafts } from "./drafts.js";
import { discardForm, openForm } from "./form.js";
import { wordsOf } from "./words.js";

/**
 * Shows an application. `parts` are functions by the name of the part in the address, each called once with the application;
 * the one called `list` is shown first. A part has an `element`, `show(place)`, `hide()`, and if it likes `key(event)` for keys
 * outside of fields, and `settled`, a promise of what it shows.
 */
export function start(parts) {
  const app = new Application(parts);
  app.start();
  return app;
}

const keys = [["↑ ↓", "rows"], ["Enter", "open"], ["a", "add"], ["e", "Edit mode"], ["Delete", "delete the row"], ["i", "history of the row"], ["u", "undo the last save"], ["r", "redo it"], ["[ ]", "one commit back or forward"], ["n", "now"], ["Esc", "back"], ["?", "these keys"]];

class Application {
  head = 0;
  at = undefined;
  title = document.documentElement.dataset.title;
  // What is shown of an object's history offers no changes of its own: an application has its forms.
  session = { writing: false };
  #parts = new Map();
  #part = null;
  #requests = new Map();
  #turn = 0;

  constructor(parts) {
    this.parts = parts;
    this.main = document.getElementById("main");
    this.side = new SidePanel(this, document.getElementById("side"));
    this.timeline = new Timeline(this);
    this.asOf = element("div", { class: "as-of", role: "status", hidden: true });
    this.notice = element("div", { class: "toast", role: "status", hidden: true });
    this.unsaved = element("ul", { class: "unsaved", "aria-label": "Not saved", hidden: true });
    this.main.append(this.asOf, this.unsaved, this.notice);
    drafts.onChange(() => this.#drawUnsaved());
    document.getElementById("time").append(this.timeline.element);
    this.#drawTop();
    addEventListener("keydown", (event) => this.#key(event));
  }

  #drawTop() {
    this.undoButton = button("Undo", () => this.undo(), { title: "Undo the last save (u)" });
    this.redoButton = button("Redo", () => this.undo("redo"), { title: "Redo it (r)", class: "wide" });
    this.state = element("span", { class: "live", "data-state": "wait", role: "status" }, "connecting");
    this.name = element("input", { value: this.author, maxlength: 100, "aria-label": "Your name", title: "The author of what you save", class: "author", onchange: () => {
      localStorage.setItem("daybook-author", this.name.value.trim());
      this.name.value = this.author;
    } });
    document.getElementById("top").append(
      element("a", { class: "brand", href: "/", title: "All applications" }, element("img", { src: "/page/icon.svg", alt: "All applications" })),
      element("a", { class: "brand", href: "#/list" }, this.title),
      element("div", { class: "state" }, this.undoButton, this.redoButton, this.name, this.state,
        button("?", () => this.#help(), { class: "plain help wide", title: "Keys (?)", "aria-label": "Keys" })));
  }

  /** Who is the author of what is saved here. */
  get author() {
    return localStorage.getItem("daybook-author") || "local";
  }

  async start() {
    try {
      this.moved((await get("/api/commits", { reverse: true, limit: 1 })).commits[0]?.position ?? 0);
      onPlace((current) => {
        this.showing = this.#show(current);
        this.showing.catch((problem) => this.say(wordsOf(problem)));
      });
      await (this.showing = this.#show(place()));
    } catch (problem) {
      this.connection({ state: "lost", retryAt: Date.now() + 2000, error: problem });
      setTimeout(() => this.start(), 2000);
    }
  }

  async #show(current) {
    const turn = ++this.#turn;
    const at = current.at;
    if (!this.model || this.at !== at) {
      const found = await model(at);
      if (turn !== this.#turn) return;
      this.model = found;
      this.at = at;
    }
    this.timeline.show(at);
    drawAsOf(this.asOf, at);
    this.#drawUnsaved();
    document.body.classList.toggle("is-past", Boolean(at));
    this.undoButton.disabled = this.redoButton.disabled = Boolean(at);
    // A form has an undo of its own.
    this.undoButton.hidden = this.redoButton.hidden = Boolean(current.form);
    const name = Object.hasOwn(this.parts, current.part) ? current.part : "list";
    if (!this.#parts.has(name)) this.#parts.set(name, this.parts[name](this));
    const part = this.#parts.get(name);
    if (part !== this.#part) {
      this.#part?.hide();
      this.#part?.element.remove();
      this.main.append(part.element);
      this.#part = part;
      document.title = this.title;
    }
    await part.show(current);
    this.side.show(current);
  }

  /** Offers the forms that were left with edits. */
  #drawUnsaved() {
    const { form, at } = place();
    const left = drafts.all().filter(({ id, isChanged }) => isChanged && (id !== form || at));
    const words = JSON.stringify(left.map(({ id, title }) => [id, title]));
    if (words === this.shownUnsaved) return;
    this.shownUnsaved = words;
    this.unsaved.hidden = left.length === 0;
    this.unsaved.replaceChildren(...left.map(({ id, title, place: former }) => element("li", {}, element("span", {}, "Not saved: ", element("strong", {}, title)),
      button("Continue", () => go({ ...former, form: id, at: null }), { "aria-label": `Continue ${title}` }),
      button("Discard", () => discardForm(id), { "aria-label": `Discard ${title}` }))));
  }

  // MARK: - What the parts use

  /** Opens a form, as `openForm` does, and goes to it; `name` is what its object is called. */
  async edit(form, what = {}, target = {}, name = "This") {
    try {
      const { id } = await openForm(form, what);
      go({ ...target, form: id });
    } catch (problem) {
      this.say(wordsOf(problem, name));
    }
  }

  /** Returns the request of a list that the application defines. */
  request(name, input = {}) {
    const path = address(`/lists/${encodeURIComponent(name)}`, { input: JSON.stringify(input) });
    if (!this.#requests.has(path)) this.#requests.set(path, get(path).catch((problem) => {
      this.#requests.delete(path);
      throw problem;
    }));
    return this.#requests.get(path);
  }

  /** Performs an action of the application, as one commit. */
  async act(name, input = {}) {
    const answer = await post(`/actions/${encodeURIComponent(name)}`, { input, author: this.author });
    this.moved(answer.position);
    return answer;
  }

  /** Returns what an action would delete: `{deleted: [{entity, count}]}`. */
  preview(name, input = {}) {
    return post(`/actions/${encodeURIComponent(name)}/preview`, { input });
  }

  /** Takes back the last save of this author, or with "redo" does it again. */
  async undo(direction = "undo") {
    if (this.at || place().form) return;
    try {
      await post(`/api/${direction}`, { author: this.author });
      const { commits } = await get("/api/commits", { reverse: true, limit: 1 });
      this.moved(commits[0].position);
      this.say(direction === "undo" ? "Undone." : "Redone.", { undo: direction !== "undo" });
    } catch (problem) {
      this.say(problem.status === 404 ? problem.message : wordsOf(problem));
    }
  }

  /** Says something for some seconds, with names for identities; with a button that undoes it. */
  say(words, { undo = false } = {}) {
    clearTimeout(this.silence);
    this.notice.hidden = false;
    this.notice.replaceChildren(...linked(words, this), undo ? button("Undo", () => this.undo(), { class: "plain" }) : "");
    this.silence = setTimeout(() => {
      this.notice.hidden = true;
    }, 8000);
  }

  /** Asks a question, and returns whether it was answered with the button `label`. */
  ask(question, words, label) {
    return new Promise((resolve) => {
      const end = (answer) => () => {
        // Closing it returns the focus to where it was.
        dialog.close();
        dialog.remove();
        resolve(answer);
      };
      const dialog = element("dialog", { role: "alertdialog", "aria-label": question, oncancel: end(false) }, element("h1", {}, question), element("p", {}, words),
        element("div", { class: "actions" }, button(label, end(true), { class: "danger" }), button("Cancel", end(false))));
      this.main.append(dialog);
      dialog.showModal();
    });
  }

  // MARK: - What the bar of time and the side panel use

  waiting(promise) {
    return promise;
  }

  /** Resolves when the place is shown: the one that was gone to last, also where its model is read first. */
  async settled() {
    let shown;
    do {
      shown = this.showing;
      // What could not be read was said where it failed.
      await Promise.allSettled([shown]);
      await Promise.allSettled([this.#part?.settled]);
    } while (shown !== this.showing);
  }

  moved(head) {
    if (!(head > this.head)) return;
    this.head = head;
    this.timeline.setHead(head);
    this.side.moved(head);
  }

  connection({ state, error }) {
    const words = { live: "live", lost: "offline", refused: "refused" }[state];
    if (this.state.textContent !== words) this.state.textContent = words;
    this.state.dataset.state = state;
    this.state.title = error?.message ?? "";
  }

  // MARK: - Keys

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.matches?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select")) return;
    const acts = { "[": () => this.timeline.step(-1), "]": () => this.timeline.step(1), n: () => this.timeline.goTo(null), u: () => this.undo(), r: () => this.undo("redo"), "?": () => this.#help() };
    if (event.key === "Escape" && (place().object || place().commit)) go({ object: null, commit: null });
    else if (acts[event.key]) acts[event.key]();
    else if (!this.#part?.key?.(event)) return;
    event.preventDefault();
  }

  #help() {
    const rows = keys.map(([key, words]) => [element("dt", {}, key.split(" ").map((part) => [element("kbd", {}, part), " "])), element("dd", {}, words)]);
    const dialog = element("dialog", { "aria-label": "Keys", onclose: () => dialog.remove() }, element("h1", {}, "Keys"), element("dl", { class: "keys" }, rows));
    dialog.append(element("div", { class: "actions end" }, button("Close", () => dialog.close(), { class: "primary" })));
    this.main.append(dialog);
    dialog.showModal();
  }
}
