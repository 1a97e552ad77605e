// The cursor of a list: the row that the arrow keys move, which need not be an element yet.

const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity };

/** Returns by how many rows a key moves the cursor; nothing for all other keys. */
export const stepOf = ({ key }) => steps[key];

export class Cursor {
  #index = null;
  #row = null;

  /** `rows` are the `Rows` within the element `grid`; the element of the row at the cursor has the identity `id`. */
  constructor(rows, grid, id) {
    Object.assign(this, { rows, grid, id });
  }

  /** The place of the row in the list, or null. */
  get index() {
    return this.#index;
  }

  set index(index) {
    this.#index = index;
    this.#row = this.row?.id;
  }

  /** Follows its row to its new place; where the row is gone, the next one takes its place. */
  follow() {
    if (this.#index === null) return;
    const index = this.rows.indexOf(this.#row) ?? Math.min(this.#index, this.rows.layout.total - 1);
    this.index = index < 0 ? null : index;
  }

  /** The row at the cursor, or null where there is none or it is not loaded. */
  get row() {
    return this.index === null ? null : this.rows.rowAt(this.index);
  }

  /** Moves by some rows, and into view. */
  step(count) {
    const last = this.rows.layout.total - 1;
    if (last < 0) return;
    const start = this.index ?? (count > 0 ? -1 : 0);
    this.index = Math.max(0, Math.min(last, start + count));
    this.rows.reveal(this.index);
    this.rows.refresh();
    this.grid.setAttribute("aria-activedescendant", this.id);
  }

  /** Marks the element of a row that is at the cursor, and no other one. */
  mark(node, index) {
    const isHere = index === this.index;
    node.classList.toggle("at", isHere);
    if (isHere) node.id = this.id;
    else node.removeAttribute("id");
  }
}
