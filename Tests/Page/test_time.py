"""The bar of time over a long history: one position on its way at a time, and everything agrees soon after."""

import itertools
import json
import random

import pytest

from browser import until
from daybook import Server, Store, run

COMMITS = 3000

DRAG = """
    const slider = document.querySelector('input[type=range]'), began = performance.now();
    window.under = [], window.most = 0, window.reads = [];
    const send = window.fetch;
    window.fetch = async (path, options) => {
      const at = /\\/api\\/(?:fetch|tree|objects).*[?&]at=(\\d+)/.exec(path)?.[1];
      reads.push(String(path));
      if (at) under.push(at);
      most = Math.max(most, new Set(under).size);
      try {
        return await send(path, options);
      } finally {
        if (at) under.splice(under.indexOf(at), 1);
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
    store.apply(
        *(
            {"commit": [{"insert": "Recipe", "values": {"name": f"Dish {number}", "servings": chosen.randint(1, 9)}}], "author": "chef"}
            for number in range(COMMITS)
        )
    )
    server = Server(store)
    yield server
    server.stop()


@pytest.mark.parametrize("place", ["list", "list?object={object}", "tree"])
def test_a_long_drag_asks_for_one_position_at_a_time(page, past, place):
    first = past.store.objects("Recipe", "--sort", "createdAt", "--limit", 1)[0]
    page.open(past, "#/" + place.format(object=first["id"]))
    until(lambda: page.texts(".tree .name") if place == "tree" else page.names(), 30)
    page.driver.get_log("browser")
    until(lambda: page.all(".timeline rect"))
    found = page.wait(DRAG, 5)
    assert found["most"] == 1
    assert found["models"] <= 1, "a model is read once for all positions that it serves"
    agree = """const slider = Number(document.querySelector("input[type=range]").value), address = /at=(\\d+)/.exec(location.href)?.[1];
        const shown = document.querySelector(".as-of").hidden ? null : document.querySelector(".as-of a").textContent;
        return [slider, Number(address ?? 0), Number(shown?.replace(/\\D/g, "") ?? 0), document.querySelector(".waiting").hidden]"""

    def agrees():
        slider, address, banner, rests = page.run(agree)
        return slider == address == banner and rests

    until(agrees, 5, lambda: page.run(agree))
    position = page.run(agree)[0]
    if place == "tree":
        names = {row["values"]["name"] for row in past.store.objects("Recipe", "--at", position, "--limit", COMMITS)}
        until(lambda: set(page.texts(".tree .name")) <= names and page.texts(".tree .name"))
        until(lambda: len(page.texts(".tree .name")) == min(500, len(names)))
    else:
        expected = [row["values"]["name"] for row in past.store.objects("Recipe", "--sort", "name", "--at", position, "--limit", 40)]
        until(lambda: page.names() and page.names() == expected[: len(page.names())])
    if "object" in place:
        until(lambda: page.text(".object h1") == first["values"]["name"])
    assert not [entry for entry in page.driver.get_log("browser") if "Throttling" in entry["message"]]


def test_a_load_reads_sums_and_what_is_in_view(page, past):
    for part, shown in [("list", ".row"), ("store", ".calendar rect.l4")]:
        page.open(past, f"#/{part}")
        page.one(shown)
        until(lambda: page.all(".timeline rect"))
        until(lambda: page.run("return document.querySelector('.waiting').hidden"))
        read = page.run(
            """return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/'))
              .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
        )
        assert any("/api/histogram?" in name for name, _ in read)
        activity = [name for name, _ in read if "/api/activity" in name]
        assert all("sums=true" in name for name in activity) and bool(activity) == (part == "store"), read
        assert not [name for name, _ in read if "/api/commits?" in name], read
        assert sum(size for _, size in read) < 100_000, read


def test_the_histogram_leaves_no_commit_out(page, past):
    page.open(past)
    until(lambda: page.all(".timeline rect"))
    answer = page.wait("return (await fetch('/api/histogram?bins=100')).json()")
    spans = [(item["from"], item["to"]) for item in answer["bins"]]
    assert spans[0][0] == 1 and spans[-1][1] == past.store.head
    assert all(end + 1 == start for (_, end), (start, _) in itertools.pairwise(spans))
    assert sum(item["events"] for item in answer["bins"]) == json.loads(run("stats", past.store.path, "--json"))["events"]


SPAN = "const { min, max } = document.querySelector('input[type=range]'); return [Number(min), Number(max)]"


def bars_are_those_of(page, low, high):
    """Waits until the bars are those that the server has for a span."""
    bins = page.wait("return (await fetch(`/api/histogram?from=${given[0]}&to=${given[1]}&bins=240`)).json()", low, high)["bins"]
    wanted = [f"#{item['from']:,}" + (f" to #{item['to']:,}" if item["to"] > item["from"] else "") for item in bins]
    assert bins[0]["from"] == low and bins[-1]["to"] == high
    shown = "return [...document.querySelectorAll('.timeline rect title')].map((node) => node.textContent.split(':')[0])"
    until(lambda: page.run(shown) == wanted, 10, lambda: (page.run(shown)[:3], wanted[:3]))


def point(page, types, *places):
    """Sends an event of each type to the bars at a place, a share of their width."""
    page.run(
        """const svg = document.querySelector(".timeline svg"), box = svg.getBoundingClientRect();
        for (const [index, type] of arguments[0].entries()) {
          const init = { bubbles: true, cancelable: true, clientX: box.left + 8 + (box.width - 16) * arguments[1][index], clientY: box.top + 5, deltaY: -100 };
          svg.dispatchEvent(type === "wheel" ? new WheelEvent(type, init) : new PointerEvent(type, init));
        }""",
        types,
        places,
    )


def test_the_histogram_zooms_and_takes_clicks(page, past):
    page.open(past)
    head = past.store.head
    bars_are_those_of(page, 1, head)
    point(page, ["pointerdown", "pointerup"], 0.5, 0.5)
    until(lambda: "at=" in page.driver.current_url)
    at = int(page.driver.current_url.split("at=")[1].split("&")[0])
    assert abs(at - head / 2) < head / 20
    until(lambda: f"as of #{at:,}" in page.text(".as-of"))
    for _ in range(4):
        page.press("Zoom in")
    low, high = page.run(SPAN)
    assert high - low < head / 10 and low <= at <= high
    bars_are_those_of(page, low, high)
    for _ in range(6):
        page.press("Zoom out")
    assert page.run(SPAN) == [1, head]
    bars_are_those_of(page, 1, head)


def test_the_histogram_zooms_by_a_drag_the_wheel_and_keys(page, past):
    page.open(past)
    head = past.store.head
    bars_are_those_of(page, 1, head)
    point(page, ["pointerdown", "pointerup"], 0.25, 0.5)
    low, high = page.run(SPAN)
    assert abs(low - head / 4) < head / 50 and abs(high - head / 2) < head / 50
    assert "at=" not in page.driver.current_url, "a drag goes nowhere"
    bars_are_those_of(page, low, high)
    # The wheel keeps the position below the pointer where it is.
    under = low + (high - low) * 0.75
    point(page, ["wheel", "wheel"], 0.75, 0.75)
    first, last = page.run(SPAN)
    assert last - first < 0.7 * (high - low) and abs(first + (last - first) * 0.75 - under) < head / 100
    bars_are_those_of(page, first, last)
    for _ in range(8):
        page.keys("-")
    assert page.run(SPAN) == [1, head]
    page.keys("+")
    low, high = page.run(SPAN)
    assert high == head and abs(high - low - head / 2) < head / 50
    bars_are_those_of(page, low, high)
