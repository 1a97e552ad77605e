// The element `<daybook-list>`: a request as a live list, for other pages.
import { element } from "./elements.js";
import { follow } from "./follow.js";
import { text, visible } from "./format.js";

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
  #rows = new Map();

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

  /** The request that the attributes describe. */
  get request() {
    const words = (name) => (this.getAttribute(name) ?? "").split(/[\s,]+/).filter(Boolean);
    const value = (name) => this.getAttribute(name);
    return {
      entity: value("entity"), where: value("where"), variable: value("variable"), section: value("section"), sort: words("sort"),
      timezone: value("timezone"), limit: value("limit") ?? 1000,
    };
  }

  get #columns() {
    const columns = (this.getAttribute("columns") ?? "").split(/[\s,]+/).filter(Boolean);
    return columns.length > 0 ? columns : [(this.request.sort[0] ?? "name").split(":")[0]];
  }

  #restart() {
    this.#following?.close();
    this.#rows.clear();
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
    const changes = new Map((difference?.rows ?? []).map((change) => [change.id, change.change]));
    const rows = new Map();
    const isSectioned = Boolean(this.request.section);
    const children = [];
    for (const section of list.sections) {
      if (isSectioned) children.push(this.#header(section));
      for (const row of section.rows) {
        const item = this.#item(row, changes.get(row.id));
        rows.set(row.id, item);
        children.push(item);
      }
    }
    this.#rows = rows;
    this.replaceChildren(...children);
    this.#tell(difference ? "difference" : "state", difference ?? list);
  }

  #header(section) {
    const count = element("span", { class: "count" }, String(section.rows.length));
    return element("div", { class: "section", role: "listitem" }, visible(section.name), " ", count);
  }

  #item(row, change) {
    const item = this.#rows.get(row.id) ?? element("div", { role: "listitem" });
    item.className = `row ${className[change] ?? ""}`.trim();
    item.dataset.id = row.id;
    const cells = this.#columns.map((name) => element("span", {}, text(row.values?.[name] ?? row[name] ?? null)));
    item.replaceChildren(...cells);
    return item;
  }
}

customElements.define("daybook-list", DaybookList);
