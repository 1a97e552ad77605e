// Rows that are put in order by dragging their handles, with a pointer of any kind, or with the arrow keys.

/** Calls `move(id, before)` with the row before which one was put, null for the end. The list itself changes only later. */
export function orderByDragging(list, move) {
  let drag = null;
  const itemOf = (node) => node.closest("li");
  const handleOf = (event) => event.target.closest?.(".handle");

  const targetAt = (y) => [...list.children].find((item) => item !== drag.item && y < item.getBoundingClientRect().top + item.offsetHeight / 2) ?? null;
  const mark = (target) => {
    for (const item of list.children) item.classList.toggle("drop-before", item === target);
    list.classList.toggle("drop-last", !target);
  };
  const end = () => {
    drag.item.classList.remove("dragged");
    drag.item.style.transform = "";
    for (const item of list.children) item.classList.remove("drop-before");
    list.classList.remove("drop-last");
    drag = null;
  };

  list.addEventListener("pointerdown", (event) => {
    if (!handleOf(event) || event.button !== 0) return;
    drag = { item: itemOf(event.target), start: event.clientY, moved: false };
    handleOf(event).setPointerCapture(event.pointerId);
  });
  list.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.moved ||= Math.abs(event.clientY - drag.start) > 3;
    if (!drag.moved) return;
    drag.item.classList.add("dragged");
    drag.item.style.transform = `translateY(${event.clientY - drag.start}px)`;
    mark(targetAt(event.clientY));
  });
  list.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { item, moved } = drag;
    const target = targetAt(event.clientY);
    end();
    if (moved && target !== item.nextElementSibling) move(item.dataset.id, target?.dataset.id ?? null);
  });
  list.addEventListener("pointercancel", () => drag && end());
  list.addEventListener("keydown", (event) => {
    if (!handleOf(event)) return;
    const item = itemOf(event.target);
    const { previousElementSibling: above, nextElementSibling: below } = item;
    if (event.key === "ArrowUp" && above) move(item.dataset.id, above.dataset.id);
    else if (event.key === "ArrowDown" && below) move(item.dataset.id, below.nextElementSibling?.dataset.id ?? null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
