"""Lists of more than 1,000 rows: only the rows in view are elements, and each of them is right wherever the view is."""

import pytest
from selenium.webdriver.common.keys import Keys

from browser import until
from players import PLAYERS, SIGHT

COUNT = 1000
MOST_ELEMENTS = 50
"""The most elements of rows in a window of 800 pixels, with the spare ones."""

# What is inserted, by the number of the row, and the place of the list in its application.
LISTS = {
    "first": ("", lambda number, parent: {"insert": "RootLevel", "values": {"name": f"Root {number:04}"}}),
    "todo": ("", lambda number, parent: {"insert": "Task", "values": {"title": f"Task {number:04}"}, "relate": {"category": parent} if number % 2 else {}}),
    "recipes": ("", lambda number, parent: {"insert": "Recipe", "values": {"name": f"{chr(65 + number % 26)} recipe {number:04}"}}),
    "topics": (
        "#/topics?category={parent}",
        lambda number, parent: {"insert": "Topic", "values": {"title": f"Topic {number:04}"}, "relate": {"category": parent}},
    ),
    "events": (
        "#/day",
        lambda number, parent: {
            "insert": "Event",
            "values": {"title": f"Event {number:04}", "time": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}T12:00:00Z"},
        },
    ),
}
PARENTS = {"todo": ("Category", "Home"), "topics": ("Category", "Swift")}

SCROLL = """
  const [step] = arguments, view = document.querySelector(".holder .rows"), seen = {}, frames = [];
  const frame = () => new Promise(requestAnimationFrame);
  const shown = () => [...view.querySelectorAll(".row:not([hidden])")];
  const boxOf = (node) => node.getBoundingClientRect();
  const isInView = (node) => boxOf(node).bottom > boxOf(view).top && boxOf(node).top < boxOf(view).bottom;
  // Within a row's height: the list may have a margin there.
  const isCovered = () => {
    const [box, boxes] = [boxOf(view), [...view.querySelectorAll(".row:not([hidden]), .section:not([hidden])")].map(boxOf)];
    return Math.min(...boxes.map(({ top }) => top)) < box.top + 60 && Math.max(...boxes.map(({ bottom }) => bottom)) > box.bottom - 60;
  };
  const nameOf = (row) => row.querySelector("[aria-label^='History of ']").getAttribute("aria-label").slice(11);
  let most = 0, last = performance.now();
  for (let top = step > 0 ? 0 : view.scrollHeight; ; top += step) {
    view.scrollTop = top;
    await frame();
    frames.push(performance.now() - last);
    const end = performance.now() + 20_000;
    // The browser may tell of the new place after this frame: until then the rows of the former one are there.
    while (!isCovered() || shown().some((node) => node.classList.contains("empty-row") && isInView(node))) {
      if (performance.now() > end) throw new Error(`rows at ${top} have not come`);
      await frame();
    }
    for (const row of shown()) if (!row.classList.contains("empty-row")) seen[row.getAttribute("aria-rowindex")] = [row.dataset.id, nameOf(row)];
    most = Math.max(most, shown().length);
    last = performance.now();
    if (step > 0 ? top >= view.scrollHeight - view.clientHeight : top <= 0) break;
  }
  return {seen, most, frames: frames.slice(5).sort((a, b) => a - b)};"""


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_1000_rows_scrolls_with_few_elements_and_the_right_rows(window, program, name):
    place, line = LISTS[name]
    store = program.stored(name)
    parent = store.named(*PARENTS[name]) if name in PARENTS else None
    store.apply({"commit": [line(number, parent) for number in range(COUNT)]})
    player = PLAYERS[name](window, "Maria", None, None)
    wanted = [row for _, rows in player.wanted(program) for row in rows]
    names = {row["id"]: row["values"].get("name", row["values"].get("title")) for row in store.objects(player.request(program)[0])}
    window.visit(name, place.format(parent=parent))
    window.one(".list")
    until(lambda: window.run("return Number(document.querySelector('.list .rows').getAttribute('aria-rowcount'))") == len(wanted), 20, "the length of the list")
    # Down by less than a view, and up by three views at a time.
    for step in (400, -1500):
        found = window.wait(SCROLL, step)
        assert found["most"] <= MOST_ELEMENTS, "only the rows in view are elements"
        seen = {int(index): row for index, row in found["seen"].items()}
        assert all(row == [wanted[index - 1], names[wanted[index - 1]]] for index, row in seen.items()), "each row is the one at its place"
        if step > 0:
            assert sorted(seen) == list(range(1, len(wanted) + 1)), "each row came into view"
        median = found["frames"][len(found["frames"]) // 2]
        print(f"\n{name}: {len(wanted)} rows, at most {found['most']} elements, a frame in {median:.1f} ms")
    window.run("document.querySelector('.list .rows').focus()")
    for key, row in ((Keys.END, wanted[-1]), (Keys.HOME, wanted[0])):
        window.keys(key)
        until(lambda: window.run("return document.querySelector('.row.at')?.dataset.id") == row, 20, "the row at the cursor")
        assert window.run("return document.querySelector('.rows').getAttribute('aria-activedescendant') === document.querySelector('.row.at').id")


def test_a_list_in_two_batches_comes_back_from_the_past_whole(window, program, line):
    """On a slow line the answer for one batch comes long before the other's."""
    store = program.stored("topics")
    parent = store.named(*PARENTS["topics"])
    wanted = len(PLAYERS["topics"](window, "Maria", None, None).wanted(program)[0][1])
    assert wanted > 20, "two batches of 20"
    rows = """return [document.querySelector('.list .rows').getAttribute('aria-rowcount'),
      document.querySelectorAll('.holder .row:not([hidden]):not(.going)').length].join()"""
    with window.sized(*SIGHT):
        window.visit("topics", f"#/topics?category={parent}")
        until(lambda: window.run(rows) == f"{wanted},{wanted}", 20, "all rows")
        line.delay = 0.1
        for _ in range(3):
            window.run("location.hash += '&at=1'")
            until(lambda: window.all(".is-past") and window.run("return document.querySelector('.empty').offsetParent !== null"), 20, "nothing was there")
            window.driver.back()
            until(lambda: window.run(rows) == f"{wanted},{wanted}", 20, lambda: f"all rows, not {window.run(rows)}")
