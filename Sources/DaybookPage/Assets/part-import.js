// Importing a CSV file, or JSON objects: the server shows what a file would become before anything is written.
import { announce, choice, element, field, table } from "./elements.js";
import { inWords } from "./events.js";
import { plural, text } from "./format.js";
import { parse } from "./json.js";
import { go, ungrouped } from "./place.js";
import { address, send } from "./server.js";

/** The media types of files, by the ends of their names. */
const media = { csv: "text/csv", tsv: "text/tab-separated-values", tab: "text/tab-separated-values", json: "application/json", jsonl: "application/x-ndjson", ndjson: "application/x-ndjson" };
const types = ["string", "integer", "double", "decimal", "boolean", "date", "uuid", "data", "codable"];
/** What is typed is shown after a rest of so many milliseconds. */
const restTime = 300;

export class Part {
  #turn = 0;
  #abort = null;
  #timer = null;
  /** The choices by the name of a column: `{type, link, isKey}`. */
  #columns = new Map();
  /** The types that the server found, by the name of a column. */
  #found = new Map();
  /** What the table of columns shows: while it stays the same, so do its controls, one of which may be open. */
  #shown = "";

  constructor(page) {
    this.page = page;
    const soon = () => this.#soon();
    this.file = element("input", { type: "file", accept: Object.keys(media).map((end) => `.${end}`).join(), onchange: () => this.#take() });
    this.entity = element("input", { list: "import-entities", autocomplete: "off", oninput: soon });
    this.entities = element("datalist", { id: "import-entities" });
    this.delimiter = choice([["", "comma"], [";", "semicolon"], ["tab", "tab"], ["|", "|"]], "", soon);
    this.nested = element("input", { type: "checkbox", onchange: soon });
    this.message = element("input", { placeholder: "why (optional)" });
    this.problem = element("p", { class: "wrong", role: "alert", hidden: true });
    this.summary = element("p", { role: "status" });
    this.columns = element("div", { class: "scrolled" });
    this.rows = element("div", { class: "scrolled" });
    this.save = element("button", { class: "primary", disabled: true }, "Import");
    this.ofTable = field("Cells end with", this.delimiter);
    this.ofObjects = element("label", {}, this.nested, " nested objects become objects of entities of their own");
    const form = element(
      "form",
      {
        class: "form",
        onsubmit: (event) => {
          event.preventDefault();
          this.#import();
        },
      },
      field("File", this.file, "CSV with the names of columns in its first line, or JSON objects."),
      field("Entity", this.entity, "One of the store, whose types count, or a new one."),
      this.entities,
      this.ofTable,
      this.ofObjects,
      field("Message", this.message),
      this.problem,
      element("div", { class: "actions" }, this.save, this.summary),
    );
    this.element = element(
      "section",
      { class: "part", "aria-label": "Import" },
      element(
        "div",
        { class: "scroll blocks" },
        element("section", {}, element("h2", {}, "Import a file"), form),
        element("section", { class: "rest" }, element("h2", {}, "What it becomes"), this.columns, this.rows),
      ),
    );
    this.#offer();
    this.#draw(null);
  }

  show() {
    const { imports } = this.page.session;
    for (const input of [this.file, this.entity]) input.disabled = !imports;
    if (!imports) this.#complain({ message: "This server imports no files from here.", advice: "It must write, and you must be signed in." });
    this.entities.replaceChildren(...this.page.model.entities.filter(({ derived }) => !derived).map(({ name }) => element("option", { value: name })));
  }

  hide() {
    this.#stop();
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#turn += 1;
    this.#abort?.abort();
  }

  /** A file was chosen: its name proposes the entity. */
  #take() {
    const name = this.file.files[0]?.name.replace(/\.[^.]*$/, "") ?? "";
    const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
    this.entity.value = words.map((word) => word[0].toUpperCase() + word.slice(1)).join("") || "Row";
    this.#columns = new Map();
    this.#found = new Map();
    this.#shown = "";
    this.#preview();
  }

  #soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#preview(), restTime);
  }

  get #type() {
    return media[this.file.files[0]?.name.split(".").pop().toLowerCase()] ?? "text/csv";
  }

  #post(more) {
    const chosen = [...this.#columns];
    const path = address(`/api/import/${encodeURIComponent(this.entity.value.trim())}`, {
      key: chosen.filter(([, { isKey }]) => isKey).map(([name]) => name).join(),
      type: chosen.filter(([, { type }]) => type).map(([name, { type }]) => `${name}=${type}`),
      link: chosen.filter(([, { link }]) => link).map(([name, { link }]) => `${name}=${link}`),
      delimiter: this.#type.startsWith("text/") ? this.delimiter.value : null,
      nested: this.nested.checked,
      source: this.file.files[0].name,
      ...more,
    });
    this.#abort = new AbortController();
    return send(path, { method: "POST", body: this.file.files[0], headers: { "Content-Type": this.#type }, signal: this.#abort.signal });
  }

  async #preview() {
    this.#stop();
    const turn = this.#turn;
    this.save.disabled = true;
    this.#offer();
    if (!this.file.files[0] || !this.entity.value.trim()) return this.#draw(null);
    try {
      const answer = parse(await (await this.page.waiting(this.#post({ preview: true }))).text());
      if (turn === this.#turn) this.#draw(answer);
    } catch (problem) {
      if (turn === this.#turn && problem.name !== "AbortError") this.#complain(problem);
    }
  }

  /** Offers the choices of the kind of file. */
  #offer() {
    const [isThere, isText] = [Boolean(this.file.files[0]), this.#type.startsWith("text/")];
    this.ofTable.hidden = !isThere || !isText;
    this.ofObjects.hidden = !isThere || isText;
  }

  #complain({ message, advice }) {
    this.problem.hidden = false;
    this.problem.replaceChildren(...inWords({ message, advice }, this.page));
    this.summary.textContent = "";
  }

  #draw(answer) {
    this.problem.hidden = true;
    this.#drawColumns(answer?.columns ?? []);
    this.rows.replaceChildren(answer ? this.#rowTable(answer) : element("p", { class: "quiet" }, "A file that is chosen is shown here. Nothing is written before “Import” is pressed."));
    this.summary.textContent = answer?.report ? summary(answer.report) : "";
    if (answer?.problem) this.#complain({ message: answer.problem.detail, advice: answer.problem.advice });
    this.save.disabled = !answer?.report;
  }

  #drawColumns(answered) {
    const columns = answered.map(({ name, attribute, type }) => {
      // An answer has the chosen type of a column that has one.
      if (!this.#columns.get(name)?.type) this.#found.set(name, type);
      return { name, attribute, type: this.#found.get(name) ?? type };
    });
    const links = this.page.model.entities.flatMap(({ name, unique = [] }) => unique.filter((key) => key.length === 1).map(([attribute]) => `${name}.${attribute}`));
    const shown = JSON.stringify([columns, links]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.columns.replaceChildren(...(columns.length > 0 ? [this.#columnTable(columns, links)] : []));
  }

  #columnTable(columns, links) {
    const rows = columns.map(({ name, attribute, type }) => {
      const chosen = this.#columns.get(name) ?? {};
      const set = (change) => {
        this.#columns.set(name, { ...this.#columns.get(name), ...change });
        this.#preview();
      };
      const label = (words) => ({ "aria-label": `${name}: ${words}` });
      return element(
        "tr",
        {},
        element("th", { scope: "row" }, name, attribute !== name && element("small", { class: "quiet" }, ` as ${attribute}`)),
        element("td", {}, choice([["", `${type}, as found`], ...types.map((other) => [other, other])], chosen.type ?? "", (value) => set({ type: value }), label("type"))),
        element("td", {}, element("input", { type: "checkbox", checked: chosen.isKey, onchange: (event) => set({ isKey: event.target.checked }), ...label("identifies a row") })),
        element("td", {}, links.length > 0 && choice([["", "a value"], ...links.map((link) => [link, link])], chosen.link ?? "", (value) => set({ link: value }), label("names an object"))),
      );
    });
    return table("Columns", ["column", "type", "identifies", links.length > 0 ? "is" : ""], rows);
  }

  #rowTable({ columns, rows }) {
    return table(
      "Rows",
      columns.map(({ attribute }) => attribute),
      rows.map((row) => element("tr", {}, row.map((value, index) => element("td", { class: "cell" }, text(value, columns[index].type))))),
    );
  }

  async #import() {
    if (this.save.disabled) return;
    this.#stop();
    this.save.disabled = true;
    const entity = this.entity.value.trim();
    try {
      const answer = parse(await (await this.page.waiting(this.#post({ message: this.message.value }))).text());
      if (answer.position) this.page.moved(answer.position);
      announce(summary(answer.report));
      go({ part: "list", entity, at: null, object: null, commit: null, where: null, ...ungrouped });
    } catch (problem) {
      if (problem.name !== "AbortError") this.#complain(problem);
    }
  }
}

/** Returns what a report says in a line. */
const summary = ({ entities, notes = [] }) => {
  const objects = entities.map(({ as, objects, inserted, changed }) => `${plural(objects, "row")} of ${as}${inserted === undefined ? "" : `, ${inserted} inserted, ${changed} changed`}`);
  return [`${objects.join("; ")}.`, ...notes.map((note) => note.replaceAll("--", ""))].join(" ");
};
