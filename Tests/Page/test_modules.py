"""The modules below the page: differences, layout, streams, in a browser and without one."""

import json
import pathlib
import shutil
import subprocess

import pytest

from browser import until
from daybook import ROOT

CASES = json.loads((ROOT / "Tests/DifferenceCases/Data/cases.json").read_text())["cases"]
HERE = pathlib.Path(__file__).parent


def test_the_sixty_cases_hold_in_a_browser(page, book):
    page.open(book)
    checker = (HERE / "cases.js").read_text()
    # The policy allows no script from elsewhere, so the checker comes as a function of the test.
    code = (
        checker.replace("export ", "")
        + """
        const { applyDifference } = await import("/page/difference.js");
        for (const item of given[0]) checkCase(item, applyDifference);
        return given[0].length"""
    )
    assert page.wait(code, CASES) == 60


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_pure_modules_hold_without_a_browser():
    result = subprocess.run(["node", "--test", HERE / "difference.mjs"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_data_is_shown_by_its_size(page, book):
    page.open(book)
    shown = page.wait("""
        const { brief, text } = await import("/page/format.js");
        const reference = { sha256: "00", size: 1_572_864 };
        const data = ["QUJD", "QUI=", "QQ==", reference].map((value) => text(value, "data"));
        return [...data, brief(reference), text("QUJD", "string"), text("", "data"), brief(null, "data")];""")
    assert shown == ["3 bytes", "2 bytes", "1 bytes", "1.5 MiB", "1.5 MiB", "QUJD", "0 bytes", "nothing"]


def test_followers_share_one_stream(page, kitchen):
    page.open(kitchen, "#/store")
    until(lambda: page.all(".tile"))
    page.run("performance.clearResourceTimings()")
    page.wait("""
        const { follow } = await import("/page/follow.js");
        window.seen = [];
        for (const [index, entity] of ["Recipe", "Tag", "RecipeType"].entries()) {
          follow({ entity, sort: ["name"] }, { state: (list) => seen[index] = list.total, difference: (list) => seen[index] = list.total });
        }""")
    until(lambda: page.run("return seen.filter((count) => count > 0).length") == 3)
    before = page.run("return seen")
    kitchen.store.apply({"commit": [{"insert": "Tag", "values": {"name": "t"}}, {"insert": "Recipe", "values": {"name": "r"}}]})
    until(lambda: page.run("return seen") == [before[0] + 1, before[1] + 1, before[2]])


def test_a_request_that_is_replaced_while_its_state_is_read_holds_no_stream(page, kitchen):
    page.open(kitchen, "#/store")
    until(lambda: page.all(".tile"))
    page.wait("""
        const { follow } = await import("/page/follow.js");
        const send = window.fetch;
        window.streams = [];
        window.fetch = (address, options) => {
          if (address.includes("/api/changes")) streams.push(options.signal);
          return send(address, options);
        };
        let following = null;
        for (let count = 1; count <= 12; count += 1) {
          following?.close();
          const state = (list) => window.total = list.sections.flatMap(({ rows }) => rows).length;
          following = follow({ entity: "Recipe", sort: ["name"], limit: count }, { state });
          await new Promise((resolve) => setTimeout(resolve, 2));
        }""")
    until(lambda: page.run("return window.total") == 12)
    until(
        lambda: page.run("return streams.filter(({ aborted }) => !aborted).length") == 1, 10, lambda: page.run("return streams.map(({ aborted }) => aborted)")
    )


def test_pages_that_were_left_hold_no_stream(page, book):
    for part in ["store", "model", "journal", "tree", "list", "store", "model", "journal", "store"]:
        page.open(book, f"#/{part}")
        until(lambda: page.text("#top .live") == "live", 20, f"{part} is live")
    until(lambda: page.all(".tile"), 20, "a connection is free for the figures")


def test_the_element_is_a_live_list(page, kitchen):
    page.open(kitchen, "#/store")
    until(lambda: page.all(".tile"))
    page.wait("""
        await import("/page/daybook.js");
        const list = document.createElement("daybook-list");
        const attributes = { entity: "Recipe", section: "type.name", sort: "name", columns: "name servings" };
        for (const [name, value] of Object.entries(attributes)) list.setAttribute(name, value);
        document.getElementById("main").prepend(list)""")
    until(lambda: page.all("daybook-list .row"))
    rows = [row["values"]["name"] for row in kitchen.store.objects("Recipe", "--section", "type.name", "--sort", "name")]
    assert page.run("return [...document.querySelectorAll('daybook-list .row > :first-child')].map((cell) => cell.textContent)") == rows
    first = page.run("return window.first = document.querySelector('daybook-list .row'), first.dataset.id")
    kitchen.store.apply({"rename": first, "to": "zzz last"})
    until(lambda: page.run("return first.textContent").startswith("zzz last"))
    assert page.run("return first.isConnected"), "the row is the same element"
    page.run("document.querySelector('daybook-list').setAttribute('where', 'nme == 1')")
    until(lambda: "nme" in page.text("daybook-list .problem"))
