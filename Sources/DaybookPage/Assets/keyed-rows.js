// A short list whose rows stay the same elements: a field keeps what is typed in it, and a row that moves slides.
import { reducedMotion } from "./elements.js";

/**
 * Shows rows in an element, an item each; `made(row)` returns the item of a new row, `fill(item, row)` writes its contents.
 * `changes` is what happened to rows, as `Map(id, {change})`, or nothing for rows that are not to be marked.
 */
export function showRows(parent, rows, { made, fill }, changes = null) {
  const old = new Map([...parent.children].map((item) => [item.dataset.id, { item, top: item.offsetTop }]));
  const focused = document.activeElement;
  const items = rows.map((row) => {
    const item = old.get(row.id)?.item ?? made(row);
    item.dataset.id = row.id;
    const change = changes?.get(row.id)?.change;
    for (const kind of ["insert", "move", "update"]) item.classList.toggle(`flash-${kind}`, change === kind);
    fill(item, row);
    return item;
  });
  for (const { item } of old.values()) if (!items.includes(item)) item.remove();
  items.forEach((item, index) => parent.children[index] !== item && parent.insertBefore(item, parent.children[index] ?? null));
  // A browser takes the focus from an element that is put elsewhere.
  if (parent.contains(focused) && document.activeElement !== focused) focused.focus({ preventScroll: true });
  if (!changes || reducedMotion.matches) return;
  for (const item of items) {
    const step = (old.get(item.dataset.id)?.top ?? item.offsetTop) - item.offsetTop;
    if (step) item.animate([{ transform: `translateY(${step}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
  }
}
