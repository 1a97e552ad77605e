"""Derived entities in the page: named with their projection, as rows that move, at the past, as objects and in the drawing of the model."""

import pytest
from selenium.webdriver.common.by import By

from browser import until
from daybook import run

DAYS = "#/list?entity=%40ActivityDay&columns=author&columns=commits&where=entity+%3D%3D+nil&sort=author"


@pytest.fixture(name="counted")
def fixture_counted(kitchen):
    """A store of which the projection of activity has rows; the server does not have the projection's code."""
    run("activity", kitchen.store.path)
    return kitchen


def figures(server, *options):
    """Returns the authors and the numbers of their commits, as fetch has them."""
    rows = server.store.objects("@ActivityDay", "--where", "entity == nil", "--sort", "author", *options)
    return [[row["values"]["author"] or "", str(row["values"]["commits"])] for row in rows]


def rows_of(page):
    """Returns the cells of the rows in view, in their order."""
    return page.run("""
        return [...document.querySelectorAll(".canvas .row:not([hidden]):not(.going)")]
          .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))
          .map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent.replace("—", "")))""")


def choices(page):
    """Returns what the choice of the entity offers."""
    return page.run("return [...document.querySelectorAll('select option')].map((option) => option.textContent)")


def test_rows_of_a_projection_follow_its_program(page, counted):
    page.open(counted, DAYS)
    before = figures(counted)
    until(lambda: rows_of(page) == before, what="the rows that fetch prints")
    assert "@ActivityDay — activity" in choices(page)
    counted.store.apply({"commit": [{"insert": "Tag", "values": {"name": "new"}}], "author": "Zoe"})
    until(lambda: "@ActivityDay — activity, 1 behind" in choices(page), what="the lag")
    assert rows_of(page) == before
    run("activity", counted.store.path)
    until(lambda: rows_of(page) == figures(counted) and ["Zoe", "1"] in rows_of(page), what="the row of Zoe")
    until(lambda: "@ActivityDay — activity" in choices(page), what="no lag")


def test_rows_of_the_past_are_those_of_their_position(page, counted):
    past = counted.store.head // 2
    page.open(counted, f"{DAYS}&at={past}")
    until(lambda: rows_of(page) == figures(counted, "--at", past), what="the rows of the past")
    assert rows_of(page) != figures(counted)


def test_a_derived_object_shows_who_set_its_values_and_cannot_be_written(page, counted):
    row = counted.store.objects("@ActivityDay", "--where", "entity == nil", "--sort", "commits:desc")[0]
    page.open(counted, f"{DAYS}&object={row['id']}")
    until(lambda: str(row["values"]["commits"]) in page.text(".object .values"))
    assert page.all(".object .values .by a.position")
    assert "@ActivityDay — activity" in page.text(".object")
    labels = [button.text for button in page.one(".object").find_elements(By.CSS_SELECTOR, "button")]
    assert not {"Edit", "Delete", "Rename"} & set(labels), labels


def test_the_drawing_marks_derived_entities(page, counted):
    page.open(counted, "#/model")
    until(lambda: "@ActivityDay" in page.run("return document.querySelector('.drawing')?.textContent ?? ''"))
    dashes = page.run("return [...document.querySelectorAll('.drawing .derived rect')].map((box) => getComputedStyle(box).strokeDasharray)")
    assert len(dashes) == 2 and all(dash != "none" for dash in dashes), dashes


def test_the_store_lists_the_projection(page, counted):
    page.open(counted, "#/store")
    until(lambda: "activity" in page.text(".part"))
