// A form on a page of its own, named in the address: it is there again after a reload, with what was typed.
import { element } from "/page/elements.js";
import { go } from "/page/place.js";
import { FormView } from "./form-view.js";

/** A subclass has `options`, as `FormView` takes them, and `left(answer)`, the place after Save, or with null after Cancel. */
export class FormPart {
  streams = true;
  view = null;

  constructor(app, label, look = "form-page scroll") {
    this.app = app;
    this.element = element("section", { class: `part ${look}`, "aria-label": label });
  }

  show({ form, at }) {
    // The past is not edited: the form is offered as one that was left.
    if (!form || at) return go({ ...this.left(null), form: null }, { replace: true });
    if (this.view?.id === form) return null;
    this.hide();
    this.view = new FormView(this.app, form, { ...this.options, done: (answer) => go({ ...this.left(answer), form: null }, { replace: true }) });
    this.element.replaceChildren(this.view.element);
    this.view.focus();
    return null;
  }

  hide() {
    this.view?.close();
    this.view = null;
    this.element.replaceChildren();
  }

  /** Performs an action of the form after what was typed; `key` as in `Form`. */
  act(action, input, key = null) {
    // An edit that has a key is what was typed, and is sent with the rest.
    if (!key) this.view.flush();
    this.view.problem.textContent = "";
    const edit = this.view.form.act(action, input, key);
    this.view.edit(edit);
    return edit;
  }

  key(event) {
    if (event.key === "Escape") this.view?.leave();
    return event.key === "Escape";
  }
}
