// The bar of time: a slider over all positions under the activity of the store, and buttons to step and play.
import { button, choice, drawn, element } from "./elements.js";
import { commit } from "./facts.js";
import { day, exactTime, plural, position, shortTime } from "./format.js";
import { go } from "./place.js";
import { get } from "./server.js";

/** Stores with no more commits than this show each of them; others show days. */
const fewCommits = 400;
const speeds = [["1", "× 1"], ["4", "× 4"], ["16", "× 16"], ["64", "× 64"]];

export class Timeline {
  head = 0;
  at = null;
  #speed = 4;
  #timer = null;
  #bars = [];

  constructor(page) {
    this.page = page;
    this.slider = element("input", { type: "range", min: 1, max: 1, step: 1, "aria-label": "Position", oninput: () => this.#dragged() });
    this.drawing = drawn("svg", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.labels = element("div", { class: "labels", "aria-hidden": "true" });
    this.back = button("‹", () => this.step(-1), { title: "One commit back ([)", "aria-label": "One commit back" });
    this.forward = button("›", () => this.step(1), { title: "One commit forward (])", "aria-label": "One commit forward" });
    this.first = button("⇤", () => this.goTo(1), { title: "To the first commit", "aria-label": "To the first commit", class: "far" });
    this.player = button("▶", () => this.toggle(), { title: "Play (Space)", "aria-label": "Play" });
    this.now = button("now", () => this.goTo(null), { title: "Follow the head" });
    const speed = choice(speeds, String(this.#speed), (value) => this.#setSpeed(Number(value)), { "aria-label": "Commits a second", class: "speed" });
    this.element = element("div", { class: "timeline" },
      element("div", { class: "buttons" }, this.first, this.back, this.player, this.forward), speed,
      element("div", { class: "track" }, this.drawing, this.slider, this.labels), this.now);
    new ResizeObserver(() => this.#draw()).observe(this.element);
  }

  show(at) {
    this.at = at ?? null;
    this.slider.value = at ?? this.head;
    this.now.disabled = this.at === null;
    this.back.disabled = (this.at ?? this.head) <= 1;
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
    this.slider.max = head;
    this.show(this.at);
    clearTimeout(this.reload);
    this.reload = setTimeout(() => this.#load(), isFirst ? 0 : 1500);
  }

  goTo(at) {
    this.pause();
    this.#go(at);
  }

  #go(at) {
    go({ at: at === null || at > this.head ? null : Math.max(1, at) }, { replace: true });
  }

  step(count) {
    this.pause();
    const next = (this.at ?? this.head) + count;
    this.#go(next >= this.head && count > 0 ? null : next);
  }

  get isPlaying() {
    return this.#timer !== null;
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

  /** Each step waits for the one before it: a slow server plays slower, and never piles up requests. */
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

  #setSpeed(speed) {
    this.#speed = speed;
  }

  #drawPlayer() {
    this.player.textContent = this.isPlaying ? "❚❚" : "▶";
    this.player.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
  }

  #dragged() {
    this.pause();
    const value = Number(this.slider.value);
    // A drag passes many positions between two frames, and only the last of them is shown.
    this.wanted = value >= this.head ? null : value;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.#go(this.wanted);
    });
  }

  async #load() {
    this.#bars = await (this.head <= fewCommits ? this.#commitBars() : this.#dayBars()).catch(() => this.#bars);
    this.#draw();
  }

  async #commitBars() {
    const { commits } = await get("/api/commits", { from: 1, limit: fewCommits });
    return commits.map((line) => ({
      start: line.position - 1, count: 1, weight: line.events?.length ?? 1, time: line.happenedAt ?? line.recordedAt,
      words: `${position(line.position)}: ${plural(line.events?.length ?? 1, "event")}`,
    }));
  }

  /** Days in the order of positions: each is as wide as it has commits. */
  async #dayBars() {
    const { days } = await get("/api/activity");
    const byDay = new Map();
    for (const { day, commits, events } of days) {
      const sum = byDay.get(day) ?? { commits: 0, events: 0 };
      byDay.set(day, { commits: sum.commits + commits, events: sum.events + events });
    }
    let start = 1;
    return [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([time, { commits, events }]) => {
      const bar = { start, count: commits, weight: commits, time, words: `${day(time)}: ${plural(commits, "commit")}, ${plural(events, "event")}` };
      start += commits;
      return bar;
    });
  }

  #draw() {
    const bars = this.#bars;
    const width = this.drawing.clientWidth;
    if (bars.length === 0 || width === 0) return;
    // The thumb of a slider stops half its width from the ends, so the bars do, too.
    const [margin, height] = [8, 30];
    const span = Math.max(1, this.head - 1);
    const x = (position) => margin + ((position - 1) / span) * (width - 2 * margin);
    const greatest = Math.max(...bars.map((bar) => bar.weight));
    const busy = bars.map((bar) => bar.weight).sort((a, b) => b - a)[Math.floor(bars.length / 10)];
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height + 2}`);
    this.drawing.replaceChildren(...bars.map((bar) => {
      const middle = x(bar.start + 1);
      const wide = Math.max(1.5, (bar.count / span) * (width - 2 * margin) - 1.5);
      const tall = Math.max(2, Math.sqrt(bar.weight / greatest) * height);
      const left = bar.count === 1 ? middle - Math.min(wide, 8) / 2 : middle;
      const node = drawn("rect", { x: left, y: height - tall, width: bar.count === 1 ? Math.min(wide, 8) : wide, height: tall, rx: 1, class: bar.weight >= busy ? "busy" : "" },
        drawn("title", {}, bar.words));
      node.start = bar.start + 1;
      return node;
    }));
    this.#drawLabels(bars, x, width);
    this.#colour();
  }

  #drawLabels(bars, x, width) {
    const room = 132;
    let last = -room;
    const labels = [];
    const days = new Set(bars.map((bar) => bar.time?.slice(0, 10)));
    for (const bar of bars) {
      const left = x(bar.start + 1);
      if (left - last < room || (left > width - room && labels.length)) continue;
      last = left;
      const label = element("span", {}, days.size === 1 && bar.count === 1 ? shortTime(bar.time) : day(bar.time));
      label.style.left = `${left}px`;
      labels.push(label);
    }
    this.labels.replaceChildren(...labels);
  }

  #colour() {
    const at = this.at ?? this.head;
    this.slider.style.setProperty("--fill", `${this.head > 1 ? ((at - 1) / (this.head - 1)) * 100 : 100}%`);
    for (const node of this.drawing.children) node.classList.toggle("before", node.start <= at);
  }
}

/** Fills the line that says that the page shows the past. */
export function drawAsOf(node, at) {
  node.hidden = !at;
  if (!at || node.at === at) return;
  node.at = at;
  const words = element("span", {}, "as of ", element("a", { href: "#", onclick: (event) => {
    event.preventDefault();
    go({ commit: at, object: null });
  } }, position(at)));
  node.replaceChildren(words, button("now", () => go({ at: null }, { replace: true })));
  commit(at).then((line) => {
    if (node.at !== at) return;
    const time = line.happenedAt ?? line.recordedAt;
    words.append(element("span", { title: exactTime(time) }, `, ${shortTime(time)}`));
  }).catch(() => {});
}
