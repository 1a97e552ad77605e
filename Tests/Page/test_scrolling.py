"""A list of a million rows: any place of it is shown at once, and only what is in view is in the page."""

import os
import statistics
import subprocess

import pytest

from browser import until
from daybook import BINARY, Server, Store

ROWS = int(os.environ.get("DAYBOOK_PAGE_ROWS", "1000000"))
GREATEST_COUNT = 500
TYPES = 12
MODEL = {
    "entities": [
        {
            "name": "Recipe",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}, {"name": "servings", "type": "integer", "default": 1}],
            "relationships": [{"name": "type", "to": "RecipeType", "inverse": "recipes", "optional": True}],
            "indexes": [["name"], ["type.name", "name"]],
        },
        {
            "name": "RecipeType",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "recipes", "to": "Recipe", "many": True, "inverse": "type", "onDelete": "deny"}],
        },
    ]
}

# Jumps to a place, and returns the time until the row in the middle of the view has its values, and the elements in the page.
JUMP = """
    const rows = document.querySelector(".rows");
    const start = performance.now();
    rows.scrollTop = given[0] * (rows.scrollHeight - rows.clientHeight);
    let greatest = 0;
    for (;;) {
      await new Promise(requestAnimationFrame);
      greatest = Math.max(greatest, document.querySelectorAll(".row, .section").length);
      const box = rows.getBoundingClientRect();
      const middle = document.elementsFromPoint(box.left + 40, box.top + box.height / 2).map((node) => node.closest(".row")).find(Boolean);
      const first = document.querySelector(".row:not([hidden])");
      if (middle?.row && first?.row) return { time: performance.now() - start, greatest, index: middle.index, name: middle.row.values.name };
      if (performance.now() - start > 20000) throw new Error("no rows at " + given[0]);
    }"""


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory):
    """A server of a store with many rows; DAYBOOK_PAGE_STORE names a directory that keeps the store for the next run."""
    kept = os.environ.get("DAYBOOK_PAGE_STORE")
    if kept and os.path.exists(kept):
        store = Store(kept)
    else:
        store = Store.empty(tmp_path_factory.mktemp("warehouse"), MODEL)
        fill(store)
        if kept:
            os.rename(store.path, kept)
            store = Store(kept)
    server = Server(store)
    yield server
    server.stop()


def fill(store):
    process = subprocess.Popen([BINARY, "apply", store.path, "--batch", "20000"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    for index in range(TYPES):
        process.stdin.write(f'{{"insert": "RecipeType", "as": "$t{index}", "values": {{"name": "Type {index:02}"}}}}\n')
    for index in range(ROWS):
        process.stdin.write(
            f'{{"insert": "Recipe", "values": {{"name": "Recipe {index:07}", "servings": {index % 9}}}, "relate": {{"type": "$t{index % TYPES}"}}}}\n'
        )
    process.stdin.close()
    assert process.wait() == 0


@pytest.mark.parametrize("place", ["#/list?entity=Recipe&sort=name", "#/list?entity=Recipe&sort=name&section=type.name"], ids=["plain", "sections"])
def test_a_long_list_scrolls_anywhere(page, warehouse, place):
    page.open(warehouse, place)
    until(page.names, 60)
    assert int(page.one('[role="grid"]').get_attribute("aria-rowcount")) == ROWS + 1
    answers = [page.wait(JUMP, place) for place in [0.5, 0.9, 0.1, 1, 0.25, 0.75, 0, 0.333]]
    times = sorted(answer["time"] for answer in answers)
    print(
        f"\n{ROWS:,} rows: shown after {statistics.median(times):.0f} ms (median), {times[-1]:.0f} ms (longest); "
        f"{max(answer['greatest'] for answer in answers)} rows in the page"
    )
    assert all(answer["greatest"] < GREATEST_COUNT for answer in answers)
    assert page.wait(JUMP, 1)["index"] > ROWS - 60
    assert page.wait(JUMP, 0)["index"] < 60
    if "section" not in place:
        for answer in answers:
            assert answer["name"] == f"Recipe {answer['index']:07}"
