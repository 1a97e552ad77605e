"""The connection is cut while writers write: the page says so, comes back by itself, and shows what a fresh fetch does."""

import os
import random
import threading
import time

from browser import until
from writer import write

ROUNDS = int(os.environ.get("DAYBOOK_PAGE_ROUNDS", "3"))
SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))

FOLLOW = """
    const { follow } = await import("/page/follow.js");
    window.steps = [];
    follow({ entity: "Recipe", limit: 10000, sort: ["servings", "name"], section: "type.name" }, {
      state: (list) => window.list = list,
      difference: (list) => window.list = list,
      connection: (step) => steps.push(step.state),
    })"""


def test_the_list_is_right_after_each_cut(page, kitchen):
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    page.open(kitchen, "#/list?sort=servings")
    until(page.names)
    page.wait(FOLLOW)
    until(lambda: page.run("return window.list !== undefined"))
    for _ in range(ROUNDS):
        stop = threading.Event()
        writer = threading.Thread(target=write, args=(kitchen.store, random.Random(generator.random()), stop))
        writer.start()
        try:
            time.sleep(generator.uniform(0.2, 1))
            kitchen.kill()
            until(lambda: "connection lost" in page.text("#top .live"), 10, "the page says that it is cut off")
            time.sleep(generator.uniform(0.2, 1))
        finally:
            stop.set()
            writer.join()
        kitchen.start()
        head = kitchen.store.head
        until(lambda: page.text("#top .live") == "live", 60, "the page is live again")
        expected = [
            [section["name"], [row["id"] for row in section["objects"]]]
            for section in kitchen.store.fetch("Recipe", "--section", "type.name", "--sort", "servings", "--sort", "name")["sections"]
        ]
        got = "return list.sections.map(({ name, rows }) => [name, rows.map((row) => row.id)])"
        until(lambda: page.run(got) == expected, 20, f"the list is that of {head}")
        # Every value, too: a missed update would not show in the order.
        values = {row["id"]: row["values"] for row in kitchen.store.objects("Recipe")}
        assert {row["id"]: row["values"] for rows in page.run("return list.sections.map(({ rows }) => rows)") for row in rows} == values
        names = [row["values"]["name"] for row in kitchen.store.objects("Recipe", "--sort", "servings")]
        until(lambda: page.names() == names[: len(page.names())], 20, "the rows in view are the first ones")
    assert page.run("return steps").count("lost") >= ROUNDS
