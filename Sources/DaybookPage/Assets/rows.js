// The rows of a long list: only those in view are elements, and motion shows what a difference did to them.
import { element, reducedMotion } from "./elements.js";
import { greatestHeight, Layout } from "./layout.js";

/** More changes in view than this are shown without motion. */
const greatestMotion = 60;
/** Rows beyond the edges of the view, so that scrolling a little shows no gap. */
const spare = 8;
const signs = { insert: "+", update: "~", move: "↕", delete: "−" };

/**
 * `draw(node, row, index)` fills the element of a row (`row` is null where it is not loaded), `drawHeader(node, section)`
 * that of a section, `need(first, end)` is told which rows are in view, `choose(row)` of a click; `news(cause)` returns what names
 * the commit that changed a row.
 */
export class Rows {
  #layout = new Layout();
  #rows = [];
  #offset = 0;
  #shown = new Map();
  #pool = [];
  #changes = new Map();
  #lastTop = 0;
  #left = 0;
  #frame = null;
  /** How far down the view is in the list; differs from `scrollTop` where scrolling is scaled. */
  top = 0;

  /** `properties` are those of the element that scrolls: it is a grid with the focus, and so the keys, that scroll it. */
  constructor(handlers, properties = {}) {
    this.handlers = handlers;
    this.canvas = element("div", { class: "canvas", role: "presentation" });
    this.element = element("div", { class: "rows", role: "grid", tabindex: "0", ...properties }, this.canvas);
    this.element.addEventListener("scroll", () => {
      this.#scrolled();
      if (this.element.scrollLeft !== this.#left) this.#slid();
    }, { passive: true });
    const width = new ResizeObserver(() => this.#slid());
    width.observe(this.element);
    width.observe(this.canvas);
    this.canvas.addEventListener("click", (event) => {
      const node = event.target.closest(".row");
      if (node?.row) this.handlers.choose(node.row, node.index, event);
    });
    new ResizeObserver(() => this.render()).observe(this.element);
  }

  get layout() {
    return this.#layout;
  }

  rowAt(index) {
    return this.#rows[index - this.#offset] ?? null;
  }

  indexOf(id) {
    const index = this.#rows.findIndex((row) => row.id === id);
    return index < 0 ? null : index + this.#offset;
  }

  /**
   * Shows a window of a list. `changes` are what happened to rows, as `Map(id, {change, cause})`; without it the list is
   * another one, and nothing moves.
   */
  show({ total, counts, rows, offset }, changes = null) {
    const style = getComputedStyle(this.element);
    const height = parseFloat(style.getPropertyValue("--row")) || 32;
    const layout = new Layout({ total, counts, row: height, header: parseFloat(style.getPropertyValue("--header")) || height + 8 });
    const before = new Map([...this.#shown].map(([key, node]) => [key, node.top - this.#shift]));
    const anchor = changes && this.#anchor();
    this.#layout = layout;
    this.#rows = rows;
    this.#offset = offset;
    this.canvas.style.height = `${Math.min(layout.height, greatestHeight)}px`;
    if (anchor) this.#keep(anchor);
    else if (!changes) this.#changes.clear();
    const motion = changes && this.#motion(changes);
    for (const [id, change] of changes ?? []) if (change.change !== "delete") this.#mark(id, change);
    this.render(motion ? { before, changes } : null);
  }

  /** Draws all rows in view again: what they show may have come later. */
  refresh() {
    for (const node of this.#shown.values()) if (node.index !== undefined) this.#fill(node, node.row, node.index, true);
  }

  /** Scrolls so that a row is in view. */
  reveal(index) {
    const top = this.#layout.top(index);
    const header = this.#layout.header;
    const end = top + this.#layout.row - this.element.clientHeight;
    if (top - header < this.top) this.scrollTo(top - header);
    else if (end > this.top) this.scrollTo(end);
  }

  scrollTo(top) {
    const last = Math.max(0, this.#layout.height - this.element.clientHeight);
    this.top = Math.max(0, Math.min(last, top));
    this.element.scrollTop = this.top * this.#scale;
    this.#lastTop = this.element.scrollTop;
    this.render();
  }

  nodeOf(id) {
    return this.#shown.get(id);
  }

  get #scale() {
    const view = this.element.clientHeight;
    const { height } = this.#layout;
    return height <= greatestHeight ? 1 : (greatestHeight - view) / (height - view);
  }

  get #shift() {
    return this.#scale === 1 ? 0 : this.#lastTop - this.top;
  }

  #scrolled() {
    const top = this.element.scrollTop;
    const view = this.element.clientHeight;
    const step = top - this.#lastTop;
    this.#lastTop = top;
    const last = Math.max(0, this.#layout.height - view);
    const isAtEnd = top >= this.element.scrollHeight - view - 1;
    if (this.#scale === 1) this.top = top;
    else if (top <= 0) this.top = 0;
    else if (isAtEnd) this.top = last;
    else if (Math.abs(step) < view * 2) this.top = Math.max(0, Math.min(last, this.top + step));
    else this.top = top / this.#scale;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      this.render();
    });
  }

  /** The right edge of rows and the heads of columns follow a list that is wider than the view. */
  #slid() {
    const { scrollLeft, clientWidth } = this.element;
    this.#left = scrollLeft;
    this.canvas.style.setProperty("--slid", `${scrollLeft}px`);
    this.canvas.style.setProperty("--beyond", `${this.canvas.offsetWidth - clientWidth - scrollLeft}px`);
    this.handlers.slid?.(scrollLeft);
  }

  /** The first row in view that a difference may push elsewhere; none at the top, where new rows shall be seen. */
  #anchor() {
    if (this.top <= 0) return null;
    const index = this.#layout.indexAt(this.top + this.#layout.header);
    const row = this.rowAt(index);
    return row && { id: row.id, distance: this.#layout.top(index) - this.top };
  }

  #keep({ id, distance }) {
    const index = this.indexOf(id);
    if (index === null) return;
    this.top = Math.max(0, this.#layout.top(index) - distance);
    this.element.scrollTop = this.top * this.#scale;
    this.#lastTop = this.element.scrollTop;
  }

  #motion(changes) {
    let inView = 0;
    for (const id of changes.keys()) if (this.#shown.has(id) || this.indexOf(id) !== null) inView += 1;
    return inView <= greatestMotion && !reducedMotion.matches && !document.hidden;
  }

  #mark(id, change) {
    this.#changes.set(id, change);
    setTimeout(() => {
      if (this.#changes.get(id) !== change) return;
      this.#changes.delete(id);
      const node = this.#shown.get(id);
      if (node) this.#fill(node, node.row, node.index, true);
    }, 6000);
  }

  render(motion = null) {
    const view = this.element.clientHeight;
    if (view === 0) return;
    const room = spare * this.#layout.row;
    const { first, end, headers } = this.#layout.between(this.top - room, this.top + view + room);
    const shift = this.#shift;
    const shown = new Map();
    const wanted = new Set(headers.map((section) => `§${this.#layout.sections[section].name}`));
    for (let index = first; index < end; index++) wanted.add(this.rowAt(index)?.id ?? `?${index}`);
    for (const [key, node] of this.#shown) if (!wanted.has(key)) this.#drop(key, node, motion);
    for (const section of headers) {
      const { name } = this.#layout.sections[section];
      const node = this.#shown.get(`§${name}`) ?? this.#made("section");
      this.handlers.drawHeader(node, this.#layout.sections[section]);
      this.#put(shown, `§${name}`, node, this.#layout.headerTop(section) + shift);
    }
    for (let index = first; index < end; index++) {
      const row = this.rowAt(index);
      const key = row?.id ?? `?${index}`;
      const node = this.#shown.get(key) ?? this.#made("row");
      this.#put(shown, key, node, this.#layout.top(index) + shift);
      this.#fill(node, row, index);
    }
    this.#shown = shown;
    this.#order(shown);
    // A group of rows without a row would be announced as broken.
    this.canvas.setAttribute("role", shown.size > 0 ? "rowgroup" : "presentation");
    if (motion) this.#move(motion, shift);
    this.handlers.need(first, end);
  }

  /** Puts the elements into the order in which they are seen, for screen readers. */
  #order(shown) {
    const nodes = [...shown.values()].sort((a, b) => a.top - b.top);
    let next = this.canvas.firstChild;
    for (const node of nodes) {
      while (next && next !== node && (next.hidden || next.top === undefined || next.isGoing)) next = next.nextSibling;
      if (next === node) next = next.nextSibling;
      else this.canvas.insertBefore(node, next);
    }
  }

  #made(kind) {
    if (kind === "row" && this.#pool.length > 0) return this.#pool.pop();
    const node = element("div", { class: kind, role: "row" });
    this.canvas.append(node);
    return node;
  }

  #put(shown, key, node, top) {
    if (node.top !== top) {
      node.style.transform = `translateY(${top}px)`;
      node.top = top;
    }
    if (node.hidden) node.hidden = false;
    shown.set(key, node);
  }

  #drop(key, node, motion) {
    const isDeleted = motion?.changes.get(key)?.change === "delete";
    if (!isDeleted && node.index !== undefined) {
      node.hidden = true;
      node.row = undefined;
      node.removeAttribute("id");
      if (this.#pool.length < 100) this.#pool.push(node);
      else node.remove();
      return;
    }
    if (!motion) {
      node.remove();
      return;
    }
    node.isGoing = true;
    node.classList.add("going", "delete");
    node.removeAttribute("id");
    node.setAttribute("aria-hidden", "true");
    node.querySelector(".sign")?.replaceChildren(signs.delete);
    node.animate([{ opacity: 1 }, { opacity: 0 }], { duration: 180, easing: "ease-out" }).finished
      .finally(() => node.remove());
  }

  #fill(node, row, index, isForced = false) {
    const change = row && this.#changes.get(row.id);
    if (!isForced && node.row === row && node.index === index && node.change === change) return;
    Object.assign(node, { row, index, change });
    this.handlers.draw(node, row, index);
    node.className = ["row", change?.change, row ? "" : "empty-row"].filter(Boolean).join(" ");
    this.handlers.mark(node, row, index);
    node.sign ??= node.appendChild(element("span", { class: "sign", "aria-hidden": "true" }));
    if (node.lastChild !== node.sign && node.sign.parentNode !== node) node.append(node.sign);
    node.sign.textContent = change ? signs[change.change] : "";
    node.news?.remove();
    node.news = change?.cause ? node.appendChild(this.handlers.news(change.cause)) : null;
  }

  /** Slides what moved, grows what came, and flashes what changed. */
  #move({ before, changes }, shift) {
    const timing = { duration: 180, easing: "ease-out" };
    for (const [key, node] of this.#shown) {
      const old = before.get(key);
      const change = changes.get(key)?.change;
      if (old === undefined && (change === "insert" || key.startsWith("§"))) {
        const at = `translateY(${node.top}px)`;
        node.animate([{ opacity: 0, transform: `${at} scaleY(.4)` }, { opacity: 1, transform: at }], timing);
      } else if (old !== undefined && old + shift !== node.top) {
        const from = `translateY(${old + shift}px)`;
        node.animate([{ transform: from }, { transform: `translateY(${node.top}px)` }], timing);
      }
      if (change) node.classList.add(`flash-${change}`);
    }
  }
}
