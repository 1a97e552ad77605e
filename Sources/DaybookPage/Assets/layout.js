// Where rows and section headers of a list stand, for lists of which only a window is in the page.

/** The greatest height that a browser gives an element; beyond it, scrolling is scaled. */
export const greatestHeight = 8_000_000;

export class Layout {
  /**
   * `counts` is `[{name, count}]` of all sections, or null for a list without headers.
   */
  constructor({ total = 0, counts = null, row = 32, header = 40 } = {}) {
    this.row = row;
    this.header = counts ? header : 0;
    this.sections = counts ?? [{ name: "", count: total }];
    this.starts = [0];
    for (const { count } of this.sections) this.starts.push(this.starts[this.starts.length - 1] + count);
    this.total = this.starts[this.sections.length];
    this.height = this.total * row + (counts ? this.sections.length * header : 0);
  }

  /** Returns the index of the section of a row. */
  sectionOf(index) {
    let [low, high] = [0, this.sections.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle] <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  top(index) {
    return index * this.row + (this.sectionOf(index) + 1) * this.header;
  }

  headerTop(section) {
    return this.starts[section] * this.row + section * this.header;
  }

  /** Returns the row at a height, the first of its section where a header stands there. */
  indexAt(y) {
    let [low, high] = [0, this.sections.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.headerTop(middle) <= y) low = middle;
      else high = middle - 1;
    }
    const inside = Math.floor((y - this.headerTop(low) - this.header) / this.row);
    const last = Math.max(0, (this.sections[low]?.count ?? 1) - 1);
    return this.starts[low] + Math.min(last, Math.max(0, inside));
  }

  /** Returns what stands between two heights: `{first, end, headers}`, rows by index, headers by section. */
  between(from, to) {
    if (this.total === 0) return { first: 0, end: 0, headers: [] };
    const first = this.indexAt(Math.max(0, from));
    const end = Math.min(this.total, this.indexAt(Math.max(0, to)) + 1);
    const headers = [];
    if (this.header) {
      for (let section = this.sectionOf(first); section < this.sections.length && this.headerTop(section) < to; section++) {
        headers.push(section);
      }
    }
    return { first, end, headers };
  }
}
