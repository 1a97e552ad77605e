// The bar of time: a slider over all positions under the activity of the store, and buttons to step, play and zoom.
import { button, choice, drawn, element } from "./elements.js";
import { commit, noteModels } from "./facts.js";
import { day, exactTime, plural, position, shortTime } from "./format.js";
import { go } from "./place.js";
import { get } from "./server.js";

/** Bars of the histogram; stores with fewer commits show one for each. */
const mostBars = 240;
/** The fewest positions that the slider has when it is zoomed. */
const leastSpan = 20;
/** The time of a position is read when the slider rests for so long, in milliseconds. */
const restTime = 120;
const speeds = [["1", "× 1"], ["4", "× 4"], ["16", "× 16"], ["64", "× 64"]];

export class Timeline {
  head = 0;
  at = null;
  #speed = 4;
  #timer = null;
  #bars = [];
  /** The first and the last position of the slider; null while it has all of them. */
  #zoom = null;
  #wanted = null;
  #isGoing = false;
  #release = null;
  #turn = 0;

  constructor(page) {
    this.page = page;
    this.slider = element("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "Position", oninput: () => this.#dragged(), onchange: () => this.#wanted && this.#release?.() });
    this.drawing = drawn("svg", { preserveAspectRatio: "none", "aria-hidden": "true", onpointerdown: (event) => this.#pressed(event), ondblclick: () => this.zoom(null) });
    this.labels = element("div", { class: "labels", "aria-hidden": "true" });
    this.back = button("‹", () => this.step(-1), { title: "One commit back ([)", "aria-label": "One commit back" });
    this.forward = button("›", () => this.step(1), { title: "One commit forward (])", "aria-label": "One commit forward" });
    this.first = button("⇤", () => this.goTo(1), { title: "To the first commit", "aria-label": "To the first commit", class: "far" });
    this.player = button("▶", () => this.toggle(), { title: "Play (Space)", "aria-label": "Play" });
    this.now = button("now", () => this.goTo(null), { title: "Follow the head" });
    this.closer = button("+", () => this.zoomBy(0.5), { title: "Fewer commits on the bar (+)", "aria-label": "Zoom in", class: "far" });
    this.wider = button("−", () => this.zoomBy(2), { title: "More commits on the bar (−)", "aria-label": "Zoom out", class: "far" });
    const speed = choice(speeds, String(this.#speed), (value) => (this.#speed = Number(value)), { "aria-label": "Commits a second", class: "speed" });
    this.track = element(
      "div",
      {
        class: "track",
        onwheel: (event) => {
          event.preventDefault();
          this.zoomBy(event.deltaY > 0 ? 1.25 : 0.8, this.#positionAt(event));
        },
      },
      this.drawing,
      this.slider,
      this.labels,
    );
    this.element = element("div", { class: "timeline" }, element("div", { class: "buttons" }, this.first, this.back, this.player, this.forward, this.closer, this.wider), speed, this.track, this.now);
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  get #span() {
    return this.#zoom ?? [1, Math.max(1, this.head)];
  }

  show(at) {
    this.at = at ?? null;
    const place = this.at ?? this.head;
    const [low, high] = this.#span;
    if (this.#zoom && !this.#wanted && this.at !== null && (place < low || place > high)) this.zoom(null);
    // A thumb that is being dragged is ahead of what is shown.
    if (!this.#wanted) this.slider.value = place;
    this.now.disabled = this.at === null;
    this.back.disabled = place <= 1;
    this.first.disabled = this.back.disabled;
    this.forward.disabled = this.at === null;
    this.slider.setAttribute("aria-valuetext", this.at === null ? `now, ${position(this.head)}` : `as of ${position(this.at)}`);
    this.#colour();
    if (this.at === null) this.pause();
  }

  setHead(head) {
    if (head === this.head) return;
    const isFirst = this.head === 0;
    this.head = head;
    if (!this.#zoom) this.slider.max = head;
    this.show(this.at);
    clearTimeout(this.reload);
    this.reload = setTimeout(() => this.#load(), isFirst ? 0 : 1500);
  }

  goTo(at) {
    this.pause();
    this.#go(at);
  }

  #go(at) {
    go({ at: at === null || at >= this.head ? null : Math.max(1, at) }, { replace: true });
  }

  step(count) {
    this.pause();
    const next = (this.at ?? this.head) + count;
    this.#go(next >= this.head && count > 0 ? null : next);
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  /** Whether a drag passes through positions faster than they are shown. */
  get isDragging() {
    return this.#isGoing;
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.#play();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#drawPlayer();
  }

  /** Each step waits for the one before it. */
  async #play() {
    if (this.at === null) this.#go(1);
    const tick = async () => {
      const started = performance.now();
      await this.page.settled();
      if (this.#timer === null) return;
      if (this.at === null || this.at >= this.head) return this.goTo(null);
      this.#go(this.at + 1);
      if (this.#timer !== null) this.#timer = setTimeout(tick, Math.max(0, 1000 / this.#speed - (performance.now() - started)));
    };
    this.#timer = setTimeout(tick, 1000 / this.#speed);
    this.#drawPlayer();
  }

  #drawPlayer() {
    this.player.textContent = this.isPlaying ? "❚❚" : "▶";
    this.player.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
  }

  #dragged() {
    this.pause();
    this.#want(Number(this.slider.value));
  }

  /**
   * Shows one position at a time: of those that a drag passes before it has come, only the last is asked for. When the thumb
   * is released, the last position is not waited for any longer.
   */
  async #want(at) {
    this.#wanted = { at };
    if (this.#isGoing) return;
    this.#isGoing = true;
    while (this.#wanted) {
      const { at } = this.#wanted;
      this.#wanted = null;
      this.#go(at);
      await Promise.race([this.page.settled(), new Promise((resolve) => (this.#release = resolve))]);
    }
    this.#isGoing = false;
    this.#release = null;
  }

  // What is zoomed: the slider and the bars have a part of all positions.

  zoomBy(factor, middle = this.at ?? this.head) {
    const [low, high] = this.#span;
    const span = Math.round((high - low) * factor);
    if (factor > 1 && span >= this.head - 1) return this.zoom(null);
    const first = Math.round(middle - (middle - low) * factor);
    this.zoom([first, first + Math.max(leastSpan, span)]);
  }

  /** Shows some positions, or with null all. */
  zoom(span) {
    const width = span && span[1] - span[0];
    const first = span && Math.max(1, Math.min(span[0], this.head - width));
    this.#zoom = span && width < this.head - 1 ? [first, first + width] : null;
    [this.slider.min, this.slider.max] = this.#span;
    this.slider.value = this.at ?? this.head;
    this.wider.disabled = !this.#zoom;
    this.#draw();
    clearTimeout(this.reload);
    this.reload = setTimeout(() => this.#load(), 100);
  }

  #positionAt({ clientX }) {
    const { left, width } = this.drawing.getBoundingClientRect();
    const [low, high] = this.#span;
    return Math.round(low + Math.max(0, Math.min(1, (clientX - left - margin) / (width - 2 * margin))) * (high - low));
  }

  /** A click goes to a position, a drag over some shows these alone. */
  #pressed(event) {
    const [start, x] = [this.#positionAt(event), event.clientX];
    const ended = (up) => {
      const end = this.#positionAt(up);
      if (Math.abs(up.clientX - x) < 6) this.goTo(start);
      else if (start !== end) this.zoom([Math.min(start, end), Math.max(start, end, Math.min(start, end) + leastSpan)]);
    };
    addEventListener("pointerup", ended, { once: true });
    event.preventDefault();
  }

  async #load() {
    const turn = ++this.#turn;
    const [from, to] = this.#span;
    const found = await get("/api/histogram", { from, to, bins: mostBars }).catch(() => null);
    if (!found) return;
    noteModels(found.position, found.models);
    if (turn !== this.#turn) return;
    this.#bars = found.bins;
    this.#draw();
  }

  #draw() {
    const bars = this.#bars;
    const width = this.drawing.clientWidth;
    if (bars.length === 0 || width === 0) return;
    const height = 30;
    const [low, high] = this.#span;
    const span = Math.max(1, high - low);
    const x = (position) => margin + ((position - low) / span) * (width - 2 * margin);
    const shown = bars.filter(({ from, to }) => to >= low && from <= high);
    const greatest = Math.max(1, ...shown.map(({ events }) => events));
    const busy = shown.map(({ events }) => events).sort((a, b) => b - a)[Math.floor(shown.length / 10)];
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height + 2}`);
    this.drawing.replaceChildren(...shown.map(({ from, to, events, time }) => {
      const wide = Math.max(1.5, ((to - from + 1) / span) * (width - 2 * margin) - 1);
      const tall = Math.max(2, Math.sqrt(events / greatest) * height);
      const left = from === to ? x(from) - Math.min(wide, 8) / 2 : x(from);
      const words = `${position(from)}${to > from ? ` to ${position(to)}` : ""}: ${plural(events, "event")}, from ${exactTime(time)}`;
      const node = drawn("rect", { x: left, y: height - tall, width: from === to ? Math.min(wide, 8) : wide, height: tall, rx: 1, class: events >= busy ? "busy" : "" }, drawn("title", {}, words));
      node.start = from;
      return node;
    }));
    this.#drawLabels(shown, x, width);
    this.#colour();
  }

  #drawLabels(bars, x, width) {
    const isOneDay = new Set(bars.map(({ time }) => day(time))).size === 1;
    const room = isOneDay ? 190 : 132;
    let last = -room;
    const labels = [];
    for (const { from, time } of bars) {
      const left = x(from);
      if (left - last < room || (left > width - room && labels.length)) continue;
      last = left;
      const label = element("span", {}, isOneDay ? shortTime(time) : day(time));
      label.style.left = `${left}px`;
      labels.push(label);
    }
    this.labels.replaceChildren(...labels);
  }

  #colour() {
    const at = this.at ?? this.head;
    const [low, high] = this.#span;
    this.slider.style.setProperty("--fill", `${high > low ? Math.max(0, Math.min(1, (at - low) / (high - low))) * 100 : 100}%`);
    for (const node of this.drawing.children) node.classList.toggle("before", node.start <= at);
  }
}

/** The thumb of a slider stops half its width from the ends, so the bars do, too. */
const margin = 8;

/** Fills the line that says that the page shows the past. */
export function drawAsOf(node, at) {
  node.hidden = !at;
  if (!at || node.at === at) return;
  node.at = at;
  const words = element(
    "span",
    {},
    "as of ",
    element("a", {
      href: "#",
      onclick: (event) => {
        event.preventDefault();
        go({ commit: at, object: null });
      },
    }, position(at)),
  );
  node.replaceChildren(words, button("now", () => go({ at: null }, { replace: true })));
  clearTimeout(node.timer);
  node.timer = setTimeout(() =>
    commit(at).then((line) => {
      if (node.at !== at) return;
      const time = line.happenedAt ?? line.recordedAt;
      words.append(element("span", { title: exactTime(time) }, `, ${shortTime(time)}`));
    }).catch(() => {}), restTime);
}
