"""Derived entities in the page: named with their projection, as rows that move, at the past, as objects and in the drawing of the model.

`PlainClient` is a program with a projection, which keeps the servings of each recipe by its name. The server does not have its code.
"""

import os
import subprocess

import pytest
from selenium.webdriver.common.by import By

from browser import until
from daybook import BINARY, Server, Store

SERVINGS = "#/list?entity=Serving&columns=name&columns=changes"


def cook(directory):
    """Runs the program, which writes a cake in two commits."""
    subprocess.run([os.path.join(os.path.dirname(BINARY), "PlainClient")], cwd=directory, check=True, capture_output=True, timeout=60)


@pytest.fixture(name="served")
def fixture_served(tmp_path):
    cook(tmp_path)
    server = Server(Store(os.path.join(tmp_path, "plain.daybook")))
    yield server
    server.stop()


def rows_of(page):
    """Returns the first two cells of the rows in view, in their order."""
    return page.run("""
        return [...document.querySelectorAll(".canvas .row:not([hidden]):not(.going)")]
          .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))
          .map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent))""")


def choices(page):
    """Returns the entities that are offered."""
    return page.run("return [...document.querySelectorAll('select[aria-label=\"Entity\"] option')].map((option) => option.textContent)")


def test_rows_of_a_projection_follow_its_program(page, served, tmp_path):
    page.open(served, SERVINGS)
    until(lambda: rows_of(page) == [["Cake", "2"]], what=lambda: rows_of(page))
    assert choices(page) == ["Recipe", "Serving — servings"]
    served.store.apply({"insert": "Recipe", "values": {"name": "Pie", "servings": 3}})
    until(lambda: "Serving — servings, 1 behind" in choices(page), what=lambda: choices(page))
    assert rows_of(page) == [["Cake", "2"]]
    cook(tmp_path)
    until(lambda: sorted(rows_of(page)) == [["Cake", "4"], ["Pie", "1"]], what=lambda: rows_of(page))
    until(lambda: "Serving — servings" in choices(page), what=lambda: choices(page))


def test_rows_of_the_past_are_those_of_their_position(page, served):
    page.open(served, f"{SERVINGS}&at=2")
    until(lambda: rows_of(page) == [["Cake", "1"]], what=lambda: rows_of(page))
    page.click(".as-of button")
    until(lambda: rows_of(page) == [["Cake", "2"]], what=lambda: rows_of(page))


def test_a_derived_object_shows_who_set_its_values_and_cannot_be_written(page, served):
    row = served.store.objects("Serving")[0]
    page.open(served, f"{SERVINGS}&object={row['id']}")
    until(lambda: "6" in page.text(".object .values"))
    assert {node.text.split()[0] for node in page.all(".object .values .by a.position")} == {"#2", "#3"}
    labels = [button.text for button in page.one(".object").find_elements(By.CSS_SELECTOR, "button")]
    assert not {"Edit", "Delete"} & set(labels), labels


def test_the_drawing_marks_derived_entities(page, served):
    page.open(served, "#/model")
    until(lambda: "Serving" in page.run("return document.querySelector('.drawing')?.textContent ?? ''"))
    dashes = page.run("return [...document.querySelectorAll('.drawing .box')].map((box) => getComputedStyle(box).strokeDasharray)")
    assert len(dashes) == 2 and sum(dash != "none" for dash in dashes) == 1, dashes


def test_the_store_lists_the_projection(page, served):
    page.open(served, "#/store")
    until(lambda: "servings" in page.text(".part"))
