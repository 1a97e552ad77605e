"""Every view of every application in light and dark, wide and narrow: axe finds nothing, and nothing is outside of the window."""

import pytest

import accessibility
import in_recipes
import in_topics
from applications import Window
from browser import DESKTOP, PHONE, until
from in_todo import identity, pick, task

LOOKS = {"light": (DESKTOP, False), "dark": (DESKTOP, True), "phone": (PHONE, False), "dark-phone": (PHONE, True)}


def check(window, what):
    accessibility.check(window, what)
    wide = window.run("""const main = document.querySelector("#main");
      const isOutside = ({ left, right }) => right > innerWidth + 1 || left < -1;
      return [...main?.querySelectorAll("input, button, canvas, h1, p, li") ?? []]
        .filter((node) => node.offsetParent && !node.closest(".hidden, .calls, .plan") && isOutside(node.getBoundingClientRect()))
        .map((node) => node.outerHTML.slice(0, 120))""")
    assert not wide, f"{what}: {wide}"


def look_at_first(window):
    window.driver.get(window.program.address)
    window.one(".applications")
    check(window, "the first page")
    window.visit("first")
    until(window.rows)
    check(window, "a list")
    window.press("Edit")
    check(window, "Edit mode")
    window.press("Add root")
    window.press("Save")
    until(lambda: "must not be empty" in window.text(".field .wrong"))
    check(window, "a form that is refused")
    window.press("Cancel")
    window.press("Delete Animals")
    window.one("dialog h1")
    check(window, "the question before a delete")
    window.press("Cancel")
    window.visit("first", place="#/list?at=2")
    until(lambda: window.all(".as-of"))
    check(window, "the past")
    window.keys("?")
    window.one("dialog .keys")
    check(window, "the table of keys")


def look_at_todo(window):
    window.visit("todo")
    until(window.rows)
    check(window, "a list with sections")
    window.press("Weeks")
    until(lambda: window.heading() == "Weeks" and window.rows())
    check(window, "the weeks")
    window.press("Back")
    window.press("History of Buy stamps")
    window.one("#side .history")
    check(window, "the history of an object")
    window.visit("todo")
    task(window, "Buy stamps")
    check(window, "a task")
    pick(window, "tags")
    check(window, "a pick list")
    window.press("Back to the task")
    window.type("Title", "Buy stamps and paper, envelopes, and a pen that writes")
    window.field("Due").send_keys("02", "31")
    # The words come after a pause, and move what is below them: a press on its way to Save would meet another button.
    until(lambda: "no day of the calendar" in window.text(".field .wrong"))
    window.press("Save")
    until(lambda: "no day of the calendar" in window.text(".field .wrong"))
    check(window, "a day that does not exist")
    # The way back over the form and the pick list, which is a step of its own.
    window.run("history.go(-3)")
    window.one(".unsaved")
    check(window, "a form that was left")
    stored = window.program.stored("todo")
    stored.apply({"set": identity(window.program, "Buy stamps"), "values": {"title": "Buy stamps there"}})
    window.click(".unsaved button")
    window.one(".conflicts fieldset")
    check(window, "a conflict")
    window.press("Cancel")
    until(lambda: "Buy stamps there" in window.rows())
    stored.apply({"set": identity(window.program, "Buy stamps there"), "values": {"title": "Buy stamps"}})


def look_at_recipes(window):
    window.visit("recipes")
    until(lambda: in_recipes.titles(window))
    check(window, "the recipes")
    assert window.one(".search").size["width"] >= 120, "there is room for words in the search"
    in_recipes.edit(window, "Apple pie")
    check(window, "the form of a recipe")
    window.press("Cancel")
    until(lambda: window.run("return document.querySelector('.recipe .photo')?.width") == 480)
    check(window, "a recipe")
    window.press("One commit back")
    until(lambda: window.run("return document.body.classList.contains('is-past')"))
    check(window, "a recipe in the past")
    window.visit("recipes")
    in_recipes.cooked(window)
    check(window, "what was cooked")
    window.press("Back")
    window.click(".kitchen-link")
    window.one(".kitchen")
    check(window, "the kitchen tables")


def look_at_topics(window):
    window.visit("topics")
    until(window.rows)
    check(window, "the categories")
    in_topics.descend(window, "Databases")
    check(window, "topics")
    in_topics.open_topic(window, "What is a journal?")
    check(window, "a topic")
    window.press("Edit")
    window.field("Title")
    check(window, "the form of a topic")


def look_at_events(window):
    for place in ("", "#/day"):
        window.visit("events", place)
        until(lambda: window.rows() and window.all(".plan-row"))
        check(window, f"events{place}")
    window.press("Edit")
    window.open_row("Lunch")
    window.field("Time")
    check(window, "the form of an event")


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_and_nothing_is_outside_of_the_window(program, look):
    size, dark = LOOKS[look]
    window = Window(program, "first", size, dark=dark)
    try:
        for view in (look_at_first, look_at_todo, look_at_recipes, look_at_topics, look_at_events):
            view(window)
    finally:
        window.close()
