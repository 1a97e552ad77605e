// Activity as a calendar: a square a day, a column a week, the last year that has any.
import { drawn } from "./elements.js";
import { plural, utcDay } from "./format.js";

const size = 13;
const weeks = 53;
const oneDay = 86_400_000;
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Returns a drawing of the days of `activity`, `[{day, commits, events}]`. */
export function drawCalendar(days) {
  const sums = new Map(days.map(({ day, commits, events }) => [day, { commits, events }]));
  const last = new Date(`${[...sums.keys()].sort().pop() ?? new Date().toISOString().slice(0, 10)}T00:00:00Z`);
  // Weeks begin on Monday.
  const start = new Date(last - ((last.getUTCDay() + 6) % 7) * oneDay - (weeks - 1) * 7 * oneDay);
  const greatest = Math.max(1, ...[...sums.values()].map(({ commits }) => commits));
  const nodes = [];
  for (let time = start.getTime(); time <= last.getTime(); time += oneDay) {
    const date = new Date(time);
    const key = date.toISOString().slice(0, 10);
    const sum = sums.get(key);
    const index = Math.round((time - start) / oneDay);
    const [column, row] = [Math.floor(index / 7), index % 7];
    const level = sum ? Math.max(1, Math.ceil((Math.sqrt(sum.commits) / Math.sqrt(greatest)) * 4)) : 0;
    if (date.getUTCDate() === 1) nodes.push(drawn("text", { x: column * size, y: 10 }, months[date.getUTCMonth()]));
    nodes.push(
      drawn(
        "rect",
        { x: column * size, y: 16 + row * size, width: size - 2, height: size - 2, rx: 2, class: `l${level}` },
        drawn("title", {}, sum ? `${utcDay(date)}: ${plural(sum.commits, "commit")}, ${plural(sum.events, "event")}` : `${utcDay(date)}: nothing`),
      ),
    );
  }
  return drawn("svg", { width: weeks * size, height: 16 + 7 * size, role: "img", "aria-label": `Commits of a year; ${plural(sums.size, "day")} in all had some` }, nodes);
}
