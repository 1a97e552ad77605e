// The bar over a list: entity, filter, groups and their values, sort, section, its order, and columns of its request.
import { choice, element, field, redraw } from "./elements.js";
import { allColumns, sectionChoices, sortChoices } from "./columns.js";
import { inWords } from "./events.js";
import { joined, proposals } from "./filter.js";
import { plural } from "./format.js";
import { go, ungrouped } from "./place.js";

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
    const key = JSON.stringify([place.entity, place.sort, place.section, place.sectionOrder, place.columns, place.group, place.values, place.having, place.at && model.entities.length, model.marks]);
    if (document.activeElement !== this.input && this.input.value !== (place.where ?? "")) this.input.value = place.where ?? "";
    if (key === this.key) return;
    this.key = key;
    const { entity, section, sectionOrder, values, having } = place;
    const group = place.group ?? [];
    const entities = model.entities.map(({ name }) => [name, model.label(name)]);
    this.entity.replaceChildren(choice(entities, entity, (value) => {
      this.input.value = "";
      go({ entity: value, where: null, ...ungrouped, object: null });
    }, { "aria-label": "Entity" }));
    const input = (name, value, placeholder) => element("input", { placeholder, value, onchange: ({ target }) => go({ [name]: target.value.trim() }) });
    const keys = sectionChoices(model, entity);
    const groupKeys = keys.filter((key) => !key.includes(":"));
    const byValue = group.length > 0 && columns.flatMap(({ key }) => [key, `${key}:desc`]);
    redraw(
      this.controls,
      ...columns
        ? [...group, ""].slice(0, 4).map((key, index) => {
          const others = group.filter((other) => other !== key);
          const change = (value) => {
            const chosen = [...group.slice(0, index), ...value ? [value, ...group.slice(index + 1)] : []];
            go({ ...ungrouped, ...chosen.length && { group: chosen, values, having } });
          };
          return terms("Group", ["", ...groupKeys.filter((choice) => !others.includes(choice))], key, change, index ? "and by" : "no groups", index ? "and by" : "group by");
        })
        : [],
      byValue && this.#menu("show", [
        field("Values", input("values", values, "count, sum:servings"), "count, sum, average, min, max, distinct, first or last"),
        field("Only groups with", input("having", having, "count > 3")),
      ]),
      terms("Sort", byValue ? ["", ...byValue] : sortChoices(model, entity), request.sort[0], (value) => go({ sort: value && [value] }), "sort by keys"),
      terms("Section", ["", ...byValue ? group.slice(0, 1) : keys], section, (value) => go({ section: value, sectionOrder: value && sectionOrder }), "no sections"),
      section && this.#menu("order", field("Sections first", input("sectionOrder", sectionOrder, 'Soup, "Fish, grilled"'), "in this order, then all others")),
      columns && !byValue && this.#columns(model, entity, columns),
    );
  }

  /** Returns what opens below its name, and stays open while it changes. */
  #menu(name, content) {
    const former = this.controls.querySelector(`.${name}[open]`);
    const box = element("div", {}, content);
    const menu = element("details", { class: `menu ${name}`, open: former !== null }, element("summary", {}, name), box);
    if (former) box.style.cssText = former.lastChild.style.cssText;
    // Wherever the bar puts the menu, its content is in the window.
    menu.firstChild.addEventListener("click", () => {
      const { left, right } = menu.getBoundingClientRect(), width = document.documentElement.clientWidth;
      const sides = left + right < width ? ["0", "auto", width - left] : ["auto", "0", right];
      box.style.cssText = `left: ${sides[0]}; right: ${sides[1]}; min-width: 0; max-width: ${sides[2] - 8}px`;
    });
    menu.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
    });
    return menu;
  }

  #columns(model, entity, columns) {
    const all = allColumns(model, entity).map(({ key }) => key);
    // In the model's order: the order of ticking would be an accident.
    const onchange = () => go({ columns: all.filter((_, index) => boxes[index].checked) });
    const boxes = all.map((key) => element("input", { type: "checkbox", checked: columns.some((column) => column.key === key), onchange }));
    return this.#menu("columns", all.map((key, index) => element("label", {}, boxes[index], key)));
  }

  #typed() {
    const { start, words } = proposals(this.page.model, this.place.entity, this.input.value);
    // Words are proposed at the end only, where the caret is while a filter is written.
    this.#propose(this.input.selectionStart === this.input.value.length ? words : [], start);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#apply(), rest);
  }

  /** Shows the words that may stand in place of the text from `start` on; none is chosen before an arrow key. */
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
    const { parameter, column } = problem.body ?? {};
    const isFilter = parameter === "where";
    this.column = isFilter ? column : 0;
    this.caret.hidden = !this.column;
    this.words.hidden = false;
    this.words.replaceChildren(column && !isFilter ? `${parameter}: ` : "", ...inWords(problem, this.page));
    this.input.setAttribute("aria-invalid", !this.caret.hidden);
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

/** Returns a choice among terms, also one that only the address has; `none` is what no term is called. */
function terms(name, choices, value, change, none, words = name.toLowerCase()) {
  const all = value && !choices.includes(value) ? [...choices, value] : choices;
  return choice(all.map((term) => [term, term ? `${words} ${worded(term)}` : none]), value ?? "", change, { "aria-label": name });
}

/** Returns a term in words: `due ↓, empty first`. */
const worded = (term) => term.replace(/\.(day|week|month|year|initial)(?=:|$)/, " by $1").replace(":desc", " ↓").replace(":nils-", ", empty ").replace(":other-", ", # ");
