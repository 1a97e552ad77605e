// The keys of the page, and the table that names them.
import { button, element } from "./elements.js";
import { go } from "./place.js";

const keys = [
  ["/", "filter"], ["j k", "next or previous row"], ["Enter", "open the object"], ["Esc", "close it; what is typed is kept"], ["g g", "go to a position, date, identity or name"],
  ["[ ]", "one commit back or forward"], ["Space", "play"], ["n", "now"], ["+ −", "fewer or more commits on the bar of time"], ["=", "only rows with a value of the row at the cursor"], ["Alt click", "only rows with this value"],
  ["g l", "lists"], ["g t", "tree"], ["g j", "journal"], ["g c", "compare"], ["g m", "model"], ["g s", "store"],
  ["?", "this table"],
];
const partOf = { l: "list", t: "tree", j: "journal", c: "compare", m: "model", s: "store" };
/** The second key of a pair must follow within this many milliseconds. */
const pairTime = 1500;

/** Listens to the keys, and returns the dialog that shows them. */
export function listenToKeys(page) {
  let pairUntil = 0;
  const dialog = drawKeys();
  document.body.append(dialog);
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key === "k" && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      page.find();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const isSecond = performance.now() < pairUntil;
    pairUntil = 0;
    if (isSecond && event.key === "g") page.find();
    else if (isSecond && partOf[event.key]) go({ part: partOf[event.key] });
    else if (event.key === "g") pairUntil = performance.now() + pairTime;
    else if (!run(event, page)) return;
    event.preventDefault();
  });
  return dialog;
}

function run({ key, target }, page) {
  const { part, timeline } = page;
  // A button or a slider that has the focus keeps its own keys.
  const isControl = target.closest?.("button, a, summary, input, [role=tree]");
  if (key === "/") part?.focusFilter?.();
  else if (key === "j") part?.step?.(1);
  else if (key === "k") part?.step?.(-1);
  else if (key === "Enter" && !isControl) part?.enter?.();
  else if (key === "=") part?.chooseValue?.();
  else if (key === "[") timeline.step(-1);
  else if (key === "]") timeline.step(1);
  else if (key === " " && !isControl) timeline.toggle();
  else if (key === "n") timeline.goTo(null);
  else if (key === "+") timeline.zoomBy(0.5);
  else if (key === "-") timeline.zoomBy(2);
  else if (key === "?") page.help();
  else return false;
  return true;
}

function isTyping(target) {
  if (target.type === "range" || target.type === "checkbox") return false;
  return target.matches?.("input, textarea, select");
}

function drawKeys() {
  const rows = keys.map(([key, words]) => [
    element("dt", {}, key.split(" ").map((part, index) => [index ? " " : "", element("kbd", {}, part)])), element("dd", {}, words),
  ]);
  const dialog = element("dialog", { "aria-label": "Keys" }, element("h1", {}, "Keys"), element("dl", { class: "keys" }, rows));
  dialog.append(element("div", { class: "actions end" }, button("Close", () => dialog.close(), { class: "primary" })));
  return dialog;
}
