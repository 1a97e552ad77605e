// The frame of an application: beyond the one of all pages, its title, the name of the author, undo, and what its parts use.
import { allDrafts, onDrafts } from "/page/drafts.js";
import { button, element } from "/page/elements.js";
import { linked } from "/page/events.js";
import { Frame } from "/page/frame.js";
import { listenToKeys, showKeys } from "/page/keyboard.js";
import { go, place } from "/page/place.js";
import { address, get, post } from "/page/server.js";
import { discardForm, openForm } from "./form.js";
import { wordsOf } from "./words.js";

/** Shows an application; `parts` as `Frame` takes them. Its parts may have `key(event)` for keys outside of fields. */
export function start(parts) {
  const app = new Application(parts);
  listenToKeys(app, keys, (event, isPlain) => isPlain && app.key(event));
  app.start();
  return app;
}

const keys = [
  ["↑ ↓", "rows"],
  ["Enter", "open"],
  ["a", "add"],
  ["e", "Edit mode"],
  ["Delete", "delete the row"],
  ["i", "history of the row"],
  ["u", "undo the last save"],
  ["r", "redo it"],
  ["[ ]", "one commit back or forward"],
  ["n", "now"],
  ["Esc", "back"],
  ["?", "these keys"],
];

class Application extends Frame {
  title = document.documentElement.dataset.title;
  #requests = new Map();

  constructor(parts) {
    super(parts);
    this.notice = element("div", { class: "toast", role: "status", hidden: true });
    this.unsaved = element("ul", { class: "unsaved", "aria-label": "Not saved", hidden: true });
    this.main.append(this.unsaved, this.notice);
    onDrafts(() => this.#drawUnsaved());
    this.#drawTop();
  }

  #drawTop() {
    this.undoButton = button("Undo", () => this.undo(), { title: "Undo the last save (u)" });
    this.redoButton = button("Redo", () => this.undo("redo"), { title: "Redo it (r)", class: "wide" });
    this.name = element("input", {
      value: this.author,
      maxlength: 100,
      "aria-label": "Your name",
      title: "The author of what you save",
      class: "author",
      onchange: () => {
        localStorage.setItem("daybook-author", this.name.value.trim());
        this.name.value = this.author;
      },
    });
    this.top.append(
      element("a", { class: "brand", href: "/", title: "All applications" }, element("img", { src: "/page/icon.svg", alt: "All applications" })),
      element("a", { class: "brand", href: "#/list" }, this.title),
      element(
        "div",
        { class: "state" },
        this.undoButton,
        this.redoButton,
        this.name,
        this.state,
        button("?", () => showKeys(keys), { class: "plain help wide", title: "Keys (?)", "aria-label": "Keys" }),
      ),
    );
  }

  /** Who is the author of what is saved here. */
  get author() {
    return localStorage.getItem("daybook-author") || "local";
  }

  /** Lists are short here: a drag, too, shows what happened. */
  get isDragged() {
    return false;
  }

  drawn({ at, form }) {
    this.#drawUnsaved();
    this.undoButton.disabled = this.redoButton.disabled = Boolean(at);
    // A form has an undo of its own.
    this.undoButton.hidden = this.redoButton.hidden = Boolean(form);
  }

  turned() {
    document.title = this.title;
  }

  /** Offers the forms that were left with edits, the newest first. */
  #drawUnsaved() {
    const { form, at } = place();
    const left = allDrafts().filter(([id, { isChanged }]) => isChanged && (id !== form || at)).sort(([, a], [, b]) => b.time - a.time);
    const words = JSON.stringify(left.map(([id, { title }]) => [id, title]));
    if (words === this.shownUnsaved) return;
    this.shownUnsaved = words;
    this.unsaved.hidden = left.length === 0;
    this.unsaved.replaceChildren(
      ...left.map(([id, { title, place: former }]) =>
        element(
          "li",
          {},
          element("span", {}, "Not saved: ", element("strong", {}, title)),
          button("Continue", () => go({ ...former, form: id, at: null }), { "aria-label": `Continue ${title}` }),
          button("Discard", () => discardForm(id), { "aria-label": `Discard ${title}` }),
        )
      ),
    );
  }

  connection({ state, error }) {
    this.setState(state, { live: "live", lost: "offline", refused: "refused" }[state]);
    this.state.title = error?.message ?? "";
  }

  fail(problem) {
    this.say(wordsOf(problem));
  }

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
    if (!this.#requests.has(path)) {
      this.#requests.set(
        path,
        get(path).catch((problem) => {
          this.#requests.delete(path);
          throw problem;
        }),
      );
    }
    return this.#requests.get(path);
  }

  /** Performs an action of the application, as one commit. */
  async act(name, input = {}) {
    const answer = await post(`/actions/${encodeURIComponent(name)}`, { input, author: this.author });
    this.moved(answer.position);
  }

  /** Deletes an object by an action, after a question where `question(deleted)` returns one, as `ask` takes it; returns whether it did. */
  async remove(action, id, name, question) {
    const input = { object: id };
    try {
      const asked = await question(() => post(`/actions/${encodeURIComponent(action)}/preview`, { input }));
      if (asked && !(await this.ask(...asked, "Delete"))) return false;
      await this.act(action, input);
      this.say(`Deleted ${name}.`, { undo: true });
      return true;
    } catch (problem) {
      this.say(wordsOf(problem, name));
      return false;
    }
  }

  /** Takes back the last save of this author, or with "redo" does it again. */
  async undo(direction = "undo") {
    if (this.at || place().form) return;
    try {
      await post(`/api/${direction}`, { author: this.author });
      await this.read();
      this.say(direction === "undo" ? "Undone." : "Redone.", { undo: direction !== "undo" });
    } catch (problem) {
      this.say(problem.status === 404 ? problem.message : wordsOf(problem));
    }
  }

  /** Performs an action, and says so with a button that performs another one, which takes it back. */
  async perform(name, input, words, undo) {
    try {
      await this.act(name, input);
      this.say(words, undo && { undo: () => this.perform(undo, input, "Undone.") });
    } catch (problem) {
      this.say(wordsOf(problem));
    }
  }

  /** Says something for some seconds, with names for identities; with a button that undoes it, by a function or the last save. */
  say(words, { undo = false } = {}) {
    clearTimeout(this.silence);
    this.notice.hidden = false;
    this.notice.replaceChildren(...linked(words, this), undo ? button("Undo", () => (undo === true ? this.undo() : undo()), { class: "plain" }) : "");
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
      const dialog = element(
        "dialog",
        { role: "alertdialog", "aria-label": question, oncancel: end(false) },
        element("h1", {}, question),
        element("p", {}, words),
        element("div", { class: "actions" }, button(label, end(true), { class: "danger" }), button("Cancel", end(false))),
      );
      this.main.append(dialog);
      dialog.showModal();
    });
  }

  key(event) {
    const acts = { u: () => this.undo(), r: () => this.undo("redo") };
    if (event.key === "Escape" && (place().object || place().commit)) go({ object: null, commit: null });
    else if (acts[event.key]) acts[event.key]();
    else return Boolean(this.part?.key?.(event));
    return true;
  }
}
