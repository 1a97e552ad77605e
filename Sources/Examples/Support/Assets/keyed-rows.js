// A short list whose rows stay the same elements: a field keeps what is typed in it, and a row that moves slides.
import { reducedMotion } from "/page/elements.js";

export const rowsOf = (list) => list?.sections.flatMap(({ rows }) => rows) ?? [];

/**
 * Shows rows in an element, an item each; `made(row)` returns the item of a new row, `fill(item, row)` writes its contents.
 * `changes` is the difference that led to the rows, or nothing for rows that are not to be marked.
 */
export function showRows(parent, rows, { made, fill }, difference = null) {
  const old = new Map([...parent.children].map((item) => [item.dataset.id, { item, top: item.offsetTop }]));
  const changes = new Map((difference?.rows ?? []).map(({ id, change }) => [id, change]));
  const focused = document.activeElement;
  const items = rows.map((row) => {
    const item = old.get(row.id)?.item ?? made(row);
    item.dataset.id = row.id;
    fill(item, row);
    for (const change of ["insert", "move", "update"]) item.classList.toggle(`flash-${change}`, changes.get(row.id) === change);
    return item;
  });
  for (const { item } of old.values()) if (!items.includes(item)) item.remove();
  items.forEach((item, index) => parent.children[index] !== item && parent.insertBefore(item, parent.children[index] ?? null));
  // A browser takes the focus from an element that is put elsewhere.
  if (parent.contains(focused) && document.activeElement !== focused) focused.focus({ preventScroll: true });
  if (!difference || reducedMotion.matches) return;
  for (const item of items) {
    const step = (old.get(item.dataset.id)?.top ?? item.offsetTop) - item.offsetTop;
    if (step) item.animate([{ transform: `translateY(${step}px)` }, { transform: "none" }], { duration: 180, easing: "ease-out" });
  }
}
