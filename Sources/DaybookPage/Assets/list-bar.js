// The bar over a list: entity, filter, sort, section and columns of its request.
import { choice, element } from "./elements.js";
import { sectionChoices, sortChoices } from "./columns.js";
import { inWords } from "./events.js";
import { joined, proposals } from "./filter.js";
import { plural } from "./format.js";
import { go } from "./place.js";

/** A filter is asked for when typing rests. */
const rest = 250;

export class ListBar {
  constructor(page, { rows = true } = {}) {
    this.page = page;
    this.input = element("input", {
      type: "search",
      "aria-label": "Filter",
      placeholder: "Words, or a filter such as: servings >= 4",
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
      "aria-describedby": "filter-problem",
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": "filter-proposals",
      oninput: () => this.#typed(),
      onscroll: () => this.#place(),
      onblur: () => this.#propose([]),
      onkeydown: (event) => this.#key(event),
    });
    this.list = element("ul", { id: "filter-proposals", role: "listbox", "aria-label": "What may come next", class: "proposals", hidden: true });
    this.caret = element("div", { class: "caret", "aria-hidden": "true" });
    this.words = element("div", { class: "message", id: "filter-problem", role: "alert" });
    this.filter = element("div", { class: "filter grow" }, this.input, this.list, this.caret, this.words);
    this.controls = element("div", { class: "actions" });
    this.total = element("span", { class: "end quiet total" });
    this.entity = element("div");
    this.element = element("div", { class: "bar", role: "search" }, this.entity, this.filter, this.controls, rows && this.total);
    this.clearProblem();
  }

  show(place, request, columns) {
    const model = this.page.model;
    this.place = place;
    const key = JSON.stringify([place.entity, place.sort, place.section, place.columns, place.at && model.entities.length]);
    if (document.activeElement !== this.input && this.input.value !== (place.where ?? "")) this.input.value = place.where ?? "";
    if (key === this.key) return;
    this.key = key;
    const { entity } = place;
    const entities = model.entities.map(({ name }) => [name, name]);
    this.entity.replaceChildren(choice(entities, entity, (value) => {
      this.input.value = "";
      go({ entity: value, where: null, sort: null, section: null, columns: null, object: null });
    }, { "aria-label": "Entity" }));
    const sorts = sortChoices(model, entity);
    const sort = request.sort[0] ?? "";
    if (sort && !sorts.some(([term]) => term === sort)) sorts.push([sort, sort]);
    const sections = [["", "no sections"], ...sectionChoices(model, entity)];
    if (place.section && !sections.some(([term]) => term === place.section)) sections.push([place.section, place.section]);
    this.controls.replaceChildren(
      choice(sorts.map(([term, label]) => [term, `sort ${label}`]), sort, (value) => go({ sort: [value] }), { "aria-label": "Sort" }),
      choice(sections.map(([term, label]) => [term, term ? `section ${label}` : label]), place.section ?? "", (value) => go({ section: value || null }), { "aria-label": "Section" }),
      columns ? this.#columns(model, entity, columns) : "",
    );
  }

  #columns(model, entity, columns) {
    const chosen = new Set(columns.map((column) => column.key));
    const boxes = model.columns(entity).map(({ key }) =>
      element(
        "label",
        {},
        element("input", {
          type: "checkbox",
          checked: chosen.has(key),
          onchange: (event) => {
            if (event.target.checked) chosen.add(key);
            else chosen.delete(key);
            // In the model's order: the order of ticking would be an accident.
            const names = model.columns(entity).map((column) => column.key).filter((name) => chosen.has(name));
            this.isOpen = true;
            go({ columns: names });
          },
        }),
        key,
      )
    );
    const menu = element("details", { class: "menu columns", open: this.isOpen }, element("summary", {}, "columns"), element("div", {}, boxes));
    this.isOpen = false;
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    });
    return menu;
  }

  #typed() {
    const { start, words } = proposals(this.page.model, this.place.entity, this.input.value);
    // Words are proposed at the end only, where the caret is while a filter is written.
    this.#propose(this.input.selectionStart === this.input.value.length ? words : [], start);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#apply(), rest);
  }

  /** Shows the words that may stand in place of the text from `start` on; none is chosen until an arrow key goes to it. */
  #propose(words, start = 0) {
    const items = words.map((word, index) =>
      element("li", {
        role: "option",
        id: `proposal-${index}`,
        "aria-selected": "false",
        onpointerdown: (event) => {
          event.preventDefault();
          this.#complete(word, start);
        },
      }, word)
    );
    this.list.replaceChildren(...items);
    this.list.hidden = items.length === 0;
    this.input.setAttribute("aria-expanded", String(items.length > 0));
    this.input.removeAttribute("aria-activedescendant");
    this.start = start;
  }

  #complete(word, start) {
    this.input.value = `${this.input.value.slice(0, start)}${word} `;
    this.#typed();
  }

  #key(event) {
    const items = [...this.list.children];
    const index = items.findIndex((item) => item.ariaSelected === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && index < 0) {
      this.#propose([]);
      this.#apply();
    } else if (event.key === "Escape") {
      if (items.length) this.#propose([]);
      else this.input.blur();
      event.stopPropagation();
    } else if (items.length && step) {
      const next = (index + step + items.length + (index < 0 && step < 0 ? 1 : 0)) % items.length;
      items.forEach((item, place) => item.setAttribute("aria-selected", String(place === next)));
      this.input.setAttribute("aria-activedescendant", items[next].id);
    } else if (index >= 0 && (event.key === "Enter" || event.key === "Tab")) {
      this.#complete(items[index].textContent, this.start);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Adds a condition to the filter. */
  add(condition) {
    this.input.value = joined(this.page.model, this.place.entity, this.place.where, condition);
    this.#apply();
  }

  #apply() {
    clearTimeout(this.timer);
    go({ where: this.input.value.trim() || null }, { replace: true });
  }

  count(total) {
    this.total.textContent = total === null ? "" : plural(total, "row");
  }

  /** Marks the column of the filter that is wrong; other problems are shown in words alone. */
  problem(problem) {
    const column = problem.body?.column ?? 0;
    this.column = column;
    this.caret.hidden = !column;
    this.words.hidden = false;
    this.words.replaceChildren(...inWords(problem, this.page));
    this.input.setAttribute("aria-invalid", column ? "true" : "false");
    this.#place();
  }

  #place() {
    this.caret.textContent = this.column ? `${" ".repeat(this.column - 1)}^` : "";
    this.caret.scrollLeft = this.input.scrollLeft;
  }

  clearProblem() {
    this.column = 0;
    this.caret.hidden = this.words.hidden = true;
    this.words.textContent = "";
    this.input.removeAttribute("aria-invalid");
  }

  focus() {
    this.input.focus();
    this.input.select();
  }
}
