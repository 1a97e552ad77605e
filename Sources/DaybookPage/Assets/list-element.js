// The element `<daybook-list>`: a request as a live list, for other pages.
import { element } from "./elements.js";
import { follow } from "./follow.js";
import { text, visible } from "./format.js";
import { showRows } from "./keyed-rows.js";

const className = { insert: "inserted", move: "moved", update: "updated" };

/**
 * A live list of objects.
 *
 *     <daybook-list entity="Recipe" where="servings >= 4" section="type.name" sort="name servings:desc" columns="name servings">
 *     </daybook-list>
 *
 * Attributes: `entity`, `where`, `variable` (`text=cake` for `$text` in `where`), `section`, `sort` and `columns` (separated by spaces; a column is an attribute, by
 * default the first term of `sort`, else `name`), `timezone`, `limit` (1,000 by default). Its elements carry the classes
 * `section`, `row`, `inserted`, `moved`, `updated` and `problem`, so that a page can draw them as it likes. It sends the events `state`,
 * `difference` and `connection` with what happened in `detail`. Rows stay the same elements when they move.
 */
export class DaybookList extends HTMLElement {
  static observedAttributes = ["entity", "where", "variable", "section", "sort", "columns", "timezone", "limit"];
  #following = null;

  connectedCallback() {
    this.setAttribute("role", "list");
    this.#restart();
  }

  disconnectedCallback() {
    this.#following?.close();
    this.#following = null;
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#restart();
  }

  #words(name) {
    return (this.getAttribute(name) ?? "").split(/[\s,]+/).filter(Boolean);
  }

  /** The request that the attributes describe. */
  get request() {
    const value = (name) => this.getAttribute(name);
    return {
      entity: value("entity"),
      where: value("where"),
      variable: value("variable"),
      section: value("section"),
      sort: this.#words("sort"),
      timezone: value("timezone"),
      limit: value("limit") ?? 1000,
    };
  }

  get #columns() {
    const columns = this.#words("columns");
    return columns.length > 0 ? columns : [(this.request.sort[0] ?? "name").split(":")[0]];
  }

  #restart() {
    this.#following?.close();
    this.replaceChildren();
    if (!this.request.entity) return;
    this.#following = follow(this.request, {
      state: (list) => this.#show(list, null),
      difference: (list, difference) => this.#show(list, difference),
      connection: (step) => this.#tell("connection", step),
      error: (problem) => this.replaceChildren(element("p", { class: "problem", role: "alert" }, problem.message)),
    });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #show(list, difference) {
    const isSectioned = Boolean(this.request.section);
    const changes = new Map((difference?.rows ?? []).map(({ id, change }) => [id, change]));
    // The header of a section is a row, too, which its name identifies.
    const rows = list.sections.flatMap((section) => (isSectioned ? [{ id: `§${section.name}`, section }, ...section.rows] : section.rows));
    showRows(this, rows, { made: () => element("div", { role: "listitem" }), fill: (item, row) => this.#fill(item, row, changes.get(row.id)) });
    this.#tell(difference ? "difference" : "state", difference ?? list);
  }

  #fill(item, row, change) {
    const { section } = row;
    item.className = section ? "section" : `row ${className[change] ?? ""}`.trim();
    if (section) item.replaceChildren(visible(section.name), " ", element("span", { class: "count" }, String(section.rows.length)));
    else item.replaceChildren(...this.#columns.map((name) => element("span", {}, text(row.values?.[name] ?? row[name] ?? null))));
  }
}

customElements.define("daybook-list", DaybookList);
