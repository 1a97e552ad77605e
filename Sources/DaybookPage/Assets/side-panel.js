// What stands beside a part: an object or a commit, as the place says.
import { narrowScreen } from "./elements.js";

export class SidePanel {
  #view = null;
  #key = "";

  constructor(page, element) {
    this.page = page;
    this.element = element;
  }

  async show({ object, commit, at }) {
    const key = object ? `object ${object}` : commit ? `commit ${commit}` : "";
    if (key !== this.#key) {
      this.#key = key;
      const view = await this.#make(object, commit);
      // Another place may have been shown while the module was loaded.
      if (key !== this.#key) return;
      this.#view?.hide?.();
      this.#view = view;
      this.element.hidden = !key;
      this.element.replaceChildren(...(this.#view ? [this.#view.element] : []));
      this.element.scrollTop = 0;
      if (key && narrowScreen.matches) this.element.querySelector("button")?.focus();
    }
    this.#view?.show(at);
  }

  async #make(object, commit) {
    if (object) return new (await import("./object-view.js")).ObjectView(this.page, object);
    return commit ? new (await import("./commit-view.js")).CommitView(this.page, commit) : null;
  }

  /** Shows the same thing again after it was changed here. */
  reload() {
    this.#view?.show(this.page.at, true);
  }

  moved(head) {
    if (this.#view && !this.page.at) this.#view.moved(head);
  }
}
