// The names of a list's sections at its side: a click goes to the section.
import { element } from "/page/elements.js";
import { visible } from "./words.js";

export class SectionIndex {
  element = element("nav", { class: "letters", "aria-label": "Sections" });

  /** Shows the sections of a list that a `ListView` shows. */
  show(list, view) {
    const starts = [];
    list.sections.reduce((sum, { rows }) => (starts.push(sum), sum + rows.length), 0);
    const reveal = (index) => {
      view.cursor.index = null;
      view.step(starts[index] + 1);
      view.rows.scrollTo(view.rows.layout.headerTop(index));
    };
    this.element.replaceChildren(...list.sections.map(({ name }, index) => element("button", { type: "button", onclick: () => reveal(index), "aria-label": `To ${visible(name)}` }, visible(name))));
  }
}
