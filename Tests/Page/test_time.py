"""The bar of time over a long history: one position on its way at a time, and everything agrees soon after."""
import json
import random
import time

import pytest

from browser import until
from daybook import Server, Store, run

COMMITS = 3000

DRAG = """
    const slider = document.querySelector('input[type=range]'), began = performance.now();
    window.under = 0, window.most = 0, window.reads = [];
    const send = window.fetch;
    window.fetch = async (path, options) => {
      const isPosition = String(path).includes("/api/fetch/") && String(path).includes("at=");
      reads.push(String(path));
      if (isPosition) most = Math.max(most, ++under);
      try {
        return await send(path, options);
      } finally {
        if (isPosition) under -= 1;
      }
    };
    await new Promise((resolve) => requestAnimationFrame(function step(now) {
      slider.value = Math.round(1 + (0.5 + 0.45 * Math.cos((now - began) / 770)) * (slider.max - 1));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      if (now - began < given[0] * 1000) requestAnimationFrame(step);
      else resolve();
    }));
    return { most, models: reads.filter((path) => path.includes("/api/model")).length }"""


@pytest.fixture(scope="module")
def past(tmp_path_factory):
    """A server of a store with some thousand commits by one author a day, and a second model."""
    store = Store.empty(tmp_path_factory.mktemp("past"))
    chosen = random.Random(5)
    store.apply(*({"commit": [{"insert": "Recipe", "values": {"name": f"Dish {number}", "servings": chosen.randint(1, 9)}}], "author": "chef"} for number in range(COMMITS)))
    server = Server(store)
    yield server
    server.stop()


def test_a_long_drag_asks_for_one_position_at_a_time(page, past):
    page.open(past)
    until(page.names, 30)
    page.driver.get_log("browser")
    until(lambda: page.all(".timeline rect"))
    found = page.wait(DRAG, 5)
    assert found["most"] == 1
    assert found["models"] <= 1, "a model is read once for all positions that it serves"
    agree = """const slider = Number(document.querySelector("input[type=range]").value), shown = document.querySelector(".as-of").hidden ? null : document.querySelector(".as-of a").textContent;
        return [slider, Number(/at=(\\d+)/.exec(location.href)?.[1] ?? 0), Number(shown?.replace(/\\D/g, "") ?? 0), document.querySelector(".waiting").hidden]"""
    until(lambda: (lambda slider, address, banner, rests: slider == address == banner and rests)(*page.run(agree)), 5, lambda: page.run(agree))
    position = page.run(agree)[0]
    expected = [row["values"]["name"] for row in past.store.objects("Recipe", "--sort", "name", "--at", position, "--limit", 40)]
    until(lambda: page.names() and page.names() == expected[: len(page.names())])
    assert not [entry for entry in page.driver.get_log("browser") if "Throttling" in entry["message"]]


def test_the_histogram_leaves_no_commit_out(page, past):
    page.open(past)
    until(lambda: page.all(".timeline rect"))
    answer = page.wait("return (await fetch('/api/histogram?bins=100')).json()")
    spans = [(item["from"], item["to"]) for item in answer["bins"]]
    assert spans[0][0] == 1 and spans[-1][1] == past.store.head
    assert all(end + 1 == start for (_, end), (start, _) in zip(spans, spans[1:]))
    assert sum(item["events"] for item in answer["bins"]) == json.loads(run("stats", past.store.path, "--json"))["events"]


def test_the_histogram_zooms_and_takes_clicks(page, past):
    page.open(past)
    until(lambda: page.all(".timeline rect"))
    page.run("""const svg = document.querySelector(".timeline svg"), box = svg.getBoundingClientRect();
        for (const type of ["pointerdown", "pointerup"]) svg.dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, clientX: box.left + box.width / 2, clientY: box.top + 5 }))""")
    until(lambda: "at=" in page.driver.current_url)
    at = int(page.driver.current_url.split("at=")[1].split("&")[0])
    assert abs(at - past.store.head / 2) < past.store.head / 20
    for _ in range(4):
        page.button("Zoom in").click()
    low, high = page.run("const { min, max } = document.querySelector('input[type=range]'); return [Number(min), Number(max)]")
    assert high - low < past.store.head / 10 and low <= at <= high
    time.sleep(1)
    for _ in range(6):
        page.button("Zoom out").click()
    assert page.run("const { min, max } = document.querySelector('input[type=range]'); return [Number(min), Number(max)]") == [1, past.store.head]
