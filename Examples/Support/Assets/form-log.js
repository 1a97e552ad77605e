// The edits of one page in a form, numbered: a value that is stored, and whose edits are sent again until the form has them.
//
// The server performs an edit once, however often it comes, and each state of the form says which edits it includes. So an edit
// is kept until a state includes it; and when the server has dropped the form, the record of the last state opens it again, and
// all edits after that are sent once more.

/** A body with more characters is not stored: the picture in it is lost if the page is left before it was sent. */
const mostStoredCharacters = 200_000;

export class FormLog {
  /** What opens the form again, from its last state; null before the first one. */
  record = null;
  /** `{commitID, author}` while it is not known whether the form was saved. */
  saving = null;
  #entries = [];
  #number = 0;

  /** `stored` is what `stored()` of an earlier page returned; `page` names this one, so that no other page numbers its edits alike. */
  constructor(stored = null, page = crypto.randomUUID()) {
    this.page = page;
    if (!stored) return;
    this.record = stored.record;
    this.saving = stored.saving;
    // They may have been sent: no later edit takes the place of one.
    this.#entries = stored.entries.map((entry) => ({ ...entry, isSent: true, isAnswered: false }));
  }

  /** Adds an edit. It takes the place of the last one if that has the same `key` and was not sent yet. */
  add(path, body, key = null) {
    const last = this.#entries.at(-1);
    if (key && last?.key === key && !last.isSent) return Object.assign(last, { body });
    const entry = { page: this.page, number: ++this.#number, path, body, key, isSent: false, isAnswered: false };
    this.#entries.push(entry);
    return entry;
  }

  /** Whether an edit is missing that was too large to store, and that no state includes. */
  get hasLost() {
    return this.#entries.some(({ isLost }) => isLost);
  }

  get edits() {
    return [...this.#entries];
  }

  /** The edit to send: the first one without an answer. */
  get next() {
    return this.#entries.find(({ isAnswered }) => !isAnswered);
  }

  /** Whether there is an edit that no state includes; holding a list is none. */
  get hasEdits() {
    return this.#entries.some(({ path }) => path !== "hold");
  }

  /** Takes the record of a state: the edits that it includes are forgotten. */
  take(record) {
    this.record = record;
    this.#entries = this.#entries.filter((entry) => !this.includes(entry));
  }

  /** Whether the last state includes an edit. */
  includes({ page, number }) {
    return (this.record?.numbers[page] ?? 0) >= number;
  }

  /** Begins anew with the edits after the record: the form was opened again from it. */
  sendAgain() {
    for (const entry of this.#entries) Object.assign(entry, { isSent: true, isAnswered: false });
  }

  /** Returns the inputs of an action's edits that no state includes, in order. */
  pending(action) {
    return this.#entries.filter(({ body }) => body.action === action).map(({ body }) => body.input);
  }

  /** Returns the last edit that sets an attribute and that no state includes. */
  lastSetting(name) {
    return this.#entries.findLast(({ body }) => body.set && Object.hasOwn(body.set, name));
  }

  stored() {
    const entries = this.#entries.map(({ page, number, path, body, key, isLost: wasLost = false }) => {
      const isLost = wasLost || JSON.stringify(body, (_, value) => (typeof value === "bigint" ? String(value) : value)).length > mostStoredCharacters;
      // The numbers after it stay as they are, so an edit without contents takes its place.
      return isLost ? { page, number, path: "edit", body: {}, key: null, isLost } : { page, number, path, body, key };
    });
    return { record: this.record, saving: this.saving, entries };
  }
}
