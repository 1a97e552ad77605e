"""Makes the pictures of the documentation: a person's walk through each application. `walks.py DIRECTORY [NAME...]`.

A walk is a function that goes through an application in a window and calls `picture(name)` at each stop.
"""

import contextlib
import pathlib
import sys
import tempfile
import time

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

import in_events
import in_recipes
import in_topics
import pictures
from applications import Program, Window
from browser import PHONE, until
from in_all import named, slide
from in_first import descend
from in_todo import CATEGORIES, TAGS, leave, pick, task, weeks

SIZE = (960, 560)


def walk_first(window, phone, picture):
    window.visit("first")
    named(window, "Ada")
    until(window.rows)
    window.press("Edit")
    window.press("Add root")
    window.field("Name")
    window.keys("Minerals")
    time.sleep(0.4)
    picture("form")
    window.save()
    window.press("Done")
    descend(window, "Animals")
    picture("children")
    window.press("Back")
    window.press("Edit")
    window.press("Delete Animals")
    window.one("dialog h1")
    picture("delete")
    window.press("Delete")
    window.shows(["Minerals", "Plants"])
    slide(window, 3)
    window.shows(["Animals", "Minerals", "Plants"])
    picture("past")


def walk_todo(window, phone, picture):
    window.visit("todo")
    named(window, "Maria")
    until(window.rows)
    picture("list")
    weeks(window)
    picture("weeks")
    window.press("Back")
    task(window, "Call the plumber")
    pick(window, "tags")
    window.open_row("errand", TAGS)
    until(lambda: "✓ | errand | 2 tasks" in window.rows(TAGS))
    window.open_row("urgent", TAGS)
    until(lambda: "✓ | urgent | 3 tasks" in window.rows(TAGS))
    picture("pick")
    leave(window)
    pick(window, "categories")
    window.one(f"{CATEGORIES} input").send_keys("Home", Keys.ENTER)
    until(lambda: len(window.rows(CATEGORIES)) == 4)
    leave(window)
    window.press("Save")
    window.one("form .wrong[role=alert]")
    picture("refused")
    window.press("Undo")
    window.type("Title", "Call the plumber at once")
    until(lambda: window.visible_button("Undo").is_enabled())
    phone.visit("todo")
    named(phone, "Jonas")
    task(phone, "Call the plumber")
    phone.type("Title", "Call the plumber tomorrow")
    phone.save()
    window.one(".conflicts:not([hidden])")
    picture("conflict")
    window.press("Use these")
    until(lambda: not any(node.is_displayed() for node in window.all(".conflicts")))
    window.save()
    window.press("History of Call the plumber at once")
    window.one("#side .history")
    picture("history")
    until(lambda: "Call the plumber at once" in " ".join(phone.rows()))
    picture("phone", phone)


def walk_recipes(window, phone, picture):
    window.visit("recipes")
    named(window, "Julia")
    in_recipes.shows(window, in_recipes.NAMES)
    picture("list")
    in_recipes.cooked(window)
    picture("cooked")
    window.press("Back")
    in_recipes.open_recipe(window, "Apple pie")
    until(lambda: window.run("return document.querySelector('.recipe .photo').width") == 480)
    picture("detail")
    in_recipes.edit_shown(window, "Apple pie")
    window.run("document.querySelector('.ingredient-rows').scrollIntoView()")
    sugar = in_recipes.handle(window, "sugar")
    drag = ActionChains(window.driver).click_and_hold(sugar).move_by_offset(0, -60).move_by_offset(0, -40)
    drag.perform()
    picture("drag")
    ActionChains(window.driver).move_to_element_with_offset(in_recipes.handle(window, "flour"), 0, -12).release().perform()
    until(lambda: in_recipes.parts(window)[0] == "sugar")
    window.save()
    until(lambda: in_recipes.parts(window)[0] == "sugar")
    slide(window, 10)
    until(lambda: in_recipes.parts(window)[0] == "flour")
    picture("past")
    phone.visit("recipes")
    until(lambda: in_recipes.titles(phone))
    picture("phone", phone)


def walk_topics(window, phone, picture):
    window.visit("topics")
    named(window, "Ann")
    until(window.rows)
    picture("categories")
    in_topics.descend(window, "Databases")
    picture("list")
    phone.visit("topics")
    named(phone, "Jo")
    in_topics.descend(phone, "Databases")
    in_topics.open_topic(phone, in_topics.titles(window)[-1])
    phone.press("Edit")
    phone.field("Title")
    phone.type("Contents", "More than was known before.")
    phone.save()
    until(lambda: "More than was known before." in window.text('[aria-label="Topics"]'))
    picture("risen")
    window.press("Back")
    until(lambda: window.heading() == "Categories")
    window.press("Edit")
    window.press("Delete Swift")
    window.one("dialog h1")
    picture("delete")


def walk_events(window, phone, picture):
    window.visit("events", "#/day")
    named(window, "Noor")
    until(lambda: in_events.titles(window) == in_events.TITLES)
    window.press("Add event")
    until(lambda: len(window.rows()) == 6)
    picture("added")
    in_events.retime(window, "Dentist", "2026-03-03T10:00:00")
    in_events.settled(window)
    picture("moved")
    ActionChains(window.driver).move_to_element(window.row("Review")).click_and_hold().move_by_offset(-70, 0).move_by_offset(-60, 0).perform()
    picture("swipe")
    ActionChains(window.driver).release().perform()
    phone.visit("events", "#/day")
    until(phone.rows)
    picture("phone", phone)


WALKS = {"first": walk_first, "todo": walk_todo, "recipes": walk_recipes, "topics": walk_topics, "events": walk_events}


def main(directory, names):
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, contextlib.ExitStack() as stack:
        program = Program(pathlib.Path(work) / "stores")
        stack.callback(program.stop)
        window, phone = Window(program, "first", SIZE), Window(program, "first", PHONE, scale=1)
        for each in (window, phone):
            stack.callback(each.close)
        for name in names:

            def picture(stop, shown=window, name=name):
                # Flashes fade, messages go, and the bars of time are drawn.
                until(lambda: shown.run("return document.getAnimations().every((animation) => animation.playState !== 'running')"))
                shown.run("document.querySelector('.toast').hidden = true")
                time.sleep(1.8)
                pictures.save(shown, directory / f"{name}-{stop}.png")

            WALKS[name](window, phone, picture)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2:] or list(WALKS))
