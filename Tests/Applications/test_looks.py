"""Recipes, Topics and Events in light and dark, wide and narrow; and the same list in two windows and in `daybook watch`."""
import random

import pytest
from axe_selenium_python import Axe

import test_recipes
import test_topics
from applications import Watch, Window
from browser import until
from test_all import LOOKS


def check(window, what):
    until(lambda: window.run("return document.getAnimations().every((animation) => animation.playState !== 'running')"))
    axe = Axe(window.driver)
    axe.inject()
    violations = axe.run()["violations"]
    assert not violations, f"{what}: {axe.report(violations)}"
    assert window.run("return document.documentElement.scrollWidth <= innerWidth"), what
    wide = window.run("""const main = document.querySelector("#main");
      return [...main.querySelectorAll("input, button, canvas, h1, p, li")].filter((node) => node.offsetParent && !node.closest(".hidden, .calls, .plan"))
        .filter((node) => { const { left, right } = node.getBoundingClientRect(); return right > innerWidth + 1 || left < -1; }).map((node) => node.outerHTML.slice(0, 120))""")
    assert not wide, f"{what}: {wide}"


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(program, look):
    size, dark = LOOKS[look]
    window = Window(program, "recipes", size, dark=dark)
    try:
        window.visit()
        until(lambda: test_recipes.titles(window))
        check(window, "the recipes")
        test_recipes.edit(window, "Apple pie")
        check(window, "the form of a recipe")
        window.press("Cancel")
        until(lambda: window.run("return document.querySelector('.recipe .photo')?.width") == 480)
        check(window, "a recipe")
        window.press("One commit back")
        until(lambda: window.run("return document.body.classList.contains('is-past')"))
        check(window, "a recipe in the past")
        window.visit("recipes")
        window.click(".kitchen-link")
        window.one(".kitchen")
        check(window, "the kitchen tables")
        window.visit("topics")
        test_topics.descend(window, "Databases")
        check(window, "topics")
        test_topics.open_topic(window, "What is a journal?")
        check(window, "a topic")
        for place in ("", "#/day"):
            window.visit("events", place)
            until(lambda: window.rows() and window.all(".plan-row"))
            check(window, f"events{place}")
    finally:
        window.close()


def test_two_windows_and_watch_show_the_same_list(window, other, program):
    chance = random.Random(11)
    store = program.stored("events")
    options = ["Event", "--section", "time.day:desc", "--sort", "time:desc"]
    for each in (window, other):
        each.visit("events", "#/day")
        until(each.rows)
    watch = Watch(store, *options)
    try:
        for number in range(20):
            actor = chance.choice([window, other])
            if chance.random() < 0.5:
                actor.press("Add event")
            elif actor.rows():
                actor.press("Edit")
                actor.run("arguments[0].click()", chance.choice([node for node in actor.all(".remove") if node.is_displayed()]))
                actor.press("Done")
            wanted = [(section["name"], [row["id"] for row in section["objects"]]) for section in store.fetch(*options)["sections"]]
            for each in (window, other):
                until(lambda: each.run("return [...document.querySelectorAll('.holder .row:not([hidden]):not(.going)')].filter((row) => row.offsetParent && row.dataset.id).sort((a, b) => a.top - b.top).map((row) => row.dataset.id)")
                      == [row for _, rows in wanted for row in rows], 20, f"action {number}")
            watch.catch_up([(name or "No Category", rows) for name, rows in wanted])
    finally:
        watch.close()
