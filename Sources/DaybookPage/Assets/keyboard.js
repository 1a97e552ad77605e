// The keys of a page outside of fields and dialogs, and the table that names them.
import { button, element, openDialog } from "./elements.js";

/**
 * Listens to the keys of a frame; `table` names them, as `[keys, words]`. `run(event, isPlain)` performs one and returns whether it
 * did; `isPlain` is false in fields and with the keys that change others. The keys of the bar of time are those of all frames.
 */
export function listenToKeys(frame, table, run) {
  const { timeline } = frame;
  const common = { "[": () => timeline.step(-1), "]": () => timeline.step(1), n: () => timeline.goTo(null), "?": () => showKeys(table) };
  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target));
    if (!run(event, isPlain)) {
      if (!isPlain || !common[event.key]) return;
      common[event.key]();
    }
    event.preventDefault();
  });
}

const isTyping = (target) => target.matches?.("input:not([type=range], [type=checkbox], [type=radio]), textarea, select");

/** Shows the table of the keys. */
export function showKeys(table) {
  const rows = table.map(([key, words]) => [
    element("dt", {}, key.split(" ").map((part, index) => [index ? " " : "", element("kbd", {}, part)])),
    element("dd", {}, words),
  ]);
  const dialog = openDialog(
    "Keys",
    {},
    element("dl", { class: "keys" }, rows),
    element("div", { class: "actions end" }, button("Close", () => dialog.close(), { class: "primary" })),
  );
}
