// Rows that are deleted by swiping them to the left, with a finger, a pen or a mouse.

const least = 96;

/** Calls `remove(row)` for a row of a `ListView` within `holder` that was swiped far enough. */
export function deleteBySwiping(holder, remove) {
  let swipe = null;
  const end = () => {
    const { node } = swipe;
    node.style.removeProperty("--swipe");
    node.classList.remove("swiped");
    swipe = null;
  };
  holder.addEventListener("pointerdown", (event) => {
    const node = event.target.closest?.(".row");
    if (node?.row && event.button === 0 && !event.target.closest("button")) swipe = { node, row: node.row, x: event.clientX, y: event.clientY, step: 0 };
  });
  addEventListener("pointermove", (event) => {
    if (!swipe) return;
    const [x, y] = [event.clientX - swipe.x, event.clientY - swipe.y];
    // A movement that is more down than to the side scrolls.
    if (swipe.step === 0 && Math.abs(y) > Math.abs(x)) return end();
    swipe.step = Math.min(0, x);
    swipe.node.style.setProperty("--swipe", `${swipe.step}px`);
    swipe.node.classList.toggle("swiped", swipe.step < -8);
    swipe.node.dataset.swipe = swipe.step < -least ? "deletes" : "";
  });
  addEventListener("pointerup", () => {
    if (!swipe) return;
    const { row, step, node } = swipe;
    end();
    if (step < -8) node.addEventListener("click", (event) => event.stopPropagation(), { capture: true, once: true });
    if (step < -least) remove(row);
  });
  addEventListener("pointercancel", () => swipe && end());
}
