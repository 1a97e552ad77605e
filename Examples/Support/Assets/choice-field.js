// A choice of one object in a form. What was picked stays chosen until a state of the form includes it, so that no state that is
// older than the pick can take it away.
import { element } from "/page/elements.js";

export class ChoiceField {
  #shown = "";

  /** `view` is the form; its action `action` takes the pick as the input `name`, which is the object's link, too; `properties` are those of the element. */
  constructor(view, { name, action, properties = {} }) {
    Object.assign(this, { view, name, action });
    this.input = element("select", {
      id: name,
      ...properties,
      onchange: () => {
        view.flush();
        view.edit(view.form.act(action, { [name]: this.input.value || null }));
      },
    });
  }

  /** Shows what can be picked, as `[identity, name]`, and what is picked. */
  show(options) {
    const { log, state } = this.view.form;
    const words = JSON.stringify(options);
    // New elements would close an open list.
    if (words !== this.#shown) this.input.replaceChildren(...options.map(([id, name]) => element("option", { value: id }, name)));
    this.#shown = words;
    const picked = log.pending(this.action).at(-1) ?? state?.object?.links;
    this.input.value = picked?.[this.name] ?? "";
  }
}
