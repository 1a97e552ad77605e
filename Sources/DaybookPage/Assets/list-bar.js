// The bar over a list: entity, filter, sort, section and columns of its request.
import { choice, element } from "./elements.js";
import { sectionChoices, sortChoices } from "./columns.js";
import { plural } from "./format.js";
import { go } from "./place.js";

/** A filter is asked for when typing rests. */
const rest = 250;

export class ListBar {
  constructor(page, { rows = true } = {}) {
    this.page = page;
    this.input = element("input", {
      type: "search", "aria-label": "Filter", placeholder: "Filter, such as: name CONTAINS[c] \"a\"", spellcheck: "false",
      autocapitalize: "off", "aria-describedby": "filter-problem",
      oninput: () => this.#typed(),
      onscroll: () => this.#place(),
      onkeydown: (event) => {
        if (event.key === "Enter") this.#apply();
        if (event.key === "Escape") this.input.blur();
      },
    });
    this.caret = element("div", { class: "caret", "aria-hidden": "true" });
    this.words = element("div", { class: "message", id: "filter-problem", role: "alert" });
    this.filter = element("div", { class: "filter grow" }, this.input, this.caret, this.words);
    this.controls = element("div", { class: "actions" });
    this.total = element("span", { class: "end quiet total" });
    this.entity = element("div");
    this.element = element("div", { class: "bar", role: "search" }, this.entity, this.filter, this.controls, rows && this.total);
    this.clearProblem();
  }

  show(place, request, columns) {
    const model = this.page.model;
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
      choice(sections.map(([term, label]) => [term, term ? `section ${label}` : label]), place.section ?? "",
        (value) => go({ section: value || null }), { "aria-label": "Section" }),
      columns ? this.#columns(model, entity, columns) : "");
  }

  #columns(model, entity, columns) {
    const chosen = new Set(columns.map((column) => column.key));
    const boxes = model.columns(entity).map(({ key }) => element("label", {}, element("input", {
      type: "checkbox", checked: chosen.has(key), onchange: (event) => {
        if (event.target.checked) chosen.add(key);
        else chosen.delete(key);
        // In the model's order: the order of ticking would be an accident.
        const names = model.columns(entity).map((column) => column.key).filter((name) => chosen.has(name));
        this.isOpen = true;
        go({ columns: names });
      },
    }), key));
    const menu = element("details", { class: "menu columns", open: this.isOpen }, element("summary", {}, "columns"), element("div", {}, boxes));
    this.isOpen = false;
    menu.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
    });
    return menu;
  }

  #typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#apply(), rest);
  }

  #apply() {
    clearTimeout(this.timer);
    go({ where: this.input.value.trim() || null }, { replace: true });
  }

  count(total) {
    this.total.textContent = plural(total, "row");
  }

  /** Marks the column of the filter that is wrong; other problems are shown in words alone. */
  problem(problem) {
    const column = problem.body?.column ?? Number(/column (\d+)/.exec(problem.message)?.[1] ?? 0);
    this.column = column;
    this.caret.hidden = !column;
    this.words.hidden = false;
    this.words.textContent = [problem.message.replace(/^filter: /, ""), problem.advice].filter(Boolean).join(" ");
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
