"""What each application is for, by keys alone: nothing here clicks, or puts the focus somewhere."""

from selenium.webdriver.common.keys import Keys

import in_events
import in_recipes
import in_topics
from browser import until
from in_todo import TAGS, chosen

FOCUSED = """const node = document.activeElement;
  return node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent;"""


def tab_to(window, label, key=Keys.TAB, most=60):
    """Presses Tab until the focus is on the control with a label."""
    for _ in range(most):
        if window.run(FOCUSED) == label:
            return
        window.keys(key)
    raise AssertionError(f"Tab does not lead to {label}")


def replace(window, words):
    """Types over what is in the focused field."""
    window.keys(Keys.CONTROL, "a")
    window.keys(words)


def in_form(window, field="Name"):
    until(lambda: window.has_form() and window.field(field) and window.run(FOCUSED) == field, 10, f"the focus is on {field}")


def at_list(window):
    """Waits until the keys are the list's again."""
    until(lambda: not window.has_form() and window.run("return document.activeElement.getAttribute('role') === 'grid'"), 10, "the focus is on the list")


def test_the_keyboard_alone_suffices_for_first(window):
    window.visit("first")
    window.shows(["Animals", "Plants"])
    at_list(window)
    # In Edit mode a root is added,
    window.keys("e")
    until(lambda: window.visible_button("Add root"))
    window.keys("a")
    in_form(window)
    window.keys("Zoo", Keys.ENTER)
    window.shows(["Animals", "Plants", "Zoo"])
    at_list(window)
    # and renamed; a form is left without saving.
    window.keys(Keys.END, Keys.ENTER)
    in_form(window)
    replace(window, "Minerals")
    window.keys(Keys.ENTER)
    window.shows(["Animals", "Minerals", "Plants"])
    at_list(window)
    window.keys("a")
    in_form(window)
    window.keys("Nothing", Keys.ESCAPE)
    at_list(window)
    # Outside of it a root is opened, and gets a child.
    window.keys("e")
    until(lambda: not window.visible_button("Add root"))
    window.keys(Keys.HOME, Keys.ARROW_DOWN, Keys.ENTER)
    until(lambda: window.heading() == "Minerals")
    window.keys("e")
    until(lambda: window.visible_button("Add child"))
    window.keys("a")
    in_form(window)
    window.keys("Quartz", Keys.ENTER)
    window.shows(["Quartz"])
    window.keys(Keys.ESCAPE)
    window.shows(["Animals", "Minerals", "Plants"])
    at_list(window)
    # The root goes with its child, after a question, and comes back.
    window.keys(Keys.HOME, Keys.ARROW_DOWN, Keys.DELETE)
    until(lambda: "and 1 below it" in window.text("dialog h1"))
    window.keys(Keys.ENTER)
    window.shows(["Animals", "Plants"])
    at_list(window)
    window.keys("u")
    window.shows(["Animals", "Minerals", "Plants"])


def test_the_keyboard_alone_suffices_for_todo(window):
    window.visit("todo")
    until(window.rows)
    # A task is added,
    window.keys("a")
    until(window.has_form)
    window.keys("Water the plants", Keys.ENTER)
    until(lambda: "Water the plants" in window.rows())
    # opened,
    window.keys(Keys.HOME)
    until(lambda: "Buy stamps" in window.text(".row.at"))
    window.keys(Keys.ENTER)
    until(lambda: window.has_form() and window.field("Title").get_attribute("value") == "Buy stamps")
    # given a tag in the pick list,
    window.keys(Keys.TAB, Keys.TAB, Keys.TAB)
    for _ in range(6):
        if window.run("return document.activeElement.dataset.pick === 'tags'"):
            break
        window.keys(Keys.TAB)
    window.keys(Keys.ENTER)
    until(lambda: window.run("return document.activeElement.getAttribute('role') === 'grid'"))
    window.keys(Keys.ARROW_DOWN, " ")
    until(lambda: "✓ | phone | 3 tasks" in window.rows(TAGS))
    window.keys(Keys.ESCAPE)
    until(lambda: "phone" in chosen(window, "tags"))
    # saved,
    window.field("Title").send_keys(Keys.ENTER)
    until(lambda: not window.has_form())
    # and another one deleted, and brought back; the history is opened and closed.
    until(lambda: window.run("return document.activeElement.getAttribute('role') === 'grid'"))
    window.keys(Keys.END)
    window.keys(Keys.DELETE)
    until(lambda: not any("Send the report" in row for row in window.rows()))
    window.keys("u")
    until(lambda: any("Send the report" in row for row in window.rows()))
    window.keys(Keys.HOME, "i")
    window.one("#side .history")
    window.keys(Keys.ESCAPE)
    until(lambda: not any(node.is_displayed() for node in window.all("#side")))
    window.keys("[")
    until(lambda: window.all(".is-past"))
    window.keys("n")
    until(lambda: not window.all(".is-past"))


def test_the_keyboard_alone_suffices_for_recipes(window):
    window.visit("recipes")
    in_recipes.shows(window, in_recipes.NAMES)
    at_list(window)
    # A recipe is added, with ingredients in an order, and a type.
    window.keys("a")
    in_form(window)
    window.keys("Bread", Keys.TAB, "Brown and sour.")
    for amount, name in (("10 g", "salt"), ("500 g", "flour")):
        tab_to(window, "New ingredient: amount")
        window.keys(amount, Keys.TAB, name, Keys.ENTER)
        until(lambda: in_recipes.parts(window)[-1:] == [name])
    tab_to(window, "Move flour", Keys.SHIFT + Keys.TAB)
    window.keys(Keys.ARROW_UP)
    in_recipes.has_parts(window, ["flour", "salt"])
    until(lambda: window.run("return document.querySelector('[type=radio]')?.checked"))
    tab_to(window, "None")
    window.keys(Keys.ARROW_DOWN)
    until(lambda: window.one('[type=radio][aria-label="Breakfast"]').is_selected())
    tab_to(window, "Save")
    window.keys(Keys.ENTER)
    until(lambda: not window.has_form() and window.text(".part h1") == "Bread")
    in_recipes.has_parts(window, ["flour", "salt"])
    until(lambda: window.texts(".fact") == ["Breakfast"])
    # It is changed, found, deleted and brought back.
    window.keys("e")
    in_form(window)
    replace(window, "Brown bread")
    window.keys(Keys.ENTER)
    until(lambda: not window.has_form() and window.text(".part h1") == "Brown bread")
    window.keys(Keys.ESCAPE)
    in_recipes.shows(window, sorted([*in_recipes.NAMES, "Brown bread"]))
    at_list(window)
    tab_to(window, "Search", Keys.SHIFT + Keys.TAB)
    window.keys("sour")
    in_recipes.shows(window, ["Brown bread"])
    tab_to(window, "Recipes")
    window.keys(Keys.HOME, Keys.DELETE)
    window.one("dialog h1")
    window.keys(Keys.ENTER)
    until(lambda: "No recipe has this" in window.text(".empty"))
    window.keys("u")
    in_recipes.shows(window, ["Brown bread"])


def test_the_keyboard_alone_suffices_for_topics(window):
    window.visit("topics")
    window.shows(["Databases | 2 topics", "Gardening | 0 topics", "Swift | 45 topics"])
    at_list(window)
    # A category is added and opened, and gets a topic.
    window.keys("a")
    in_form(window)
    window.keys("Cooking", Keys.ENTER)
    until(lambda: "Cooking | 0 topics" in window.rows())
    at_list(window)
    window.keys(Keys.HOME, Keys.ENTER)
    until(lambda: window.heading() == "Cooking")
    for name in ("First", "Second"):
        window.keys("a")
        in_form(window, "Title")
        window.keys(name, Keys.TAB, "By keys.")
        tab_to(window, "Save")
        window.keys(Keys.ENTER)
        until(lambda: not window.has_form() and in_topics.titles(window)[:1] == [name])
    # The last one is opened and edited, and rises.
    at_list(window)
    window.keys(Keys.END, Keys.ENTER)
    until(lambda: window.heading() == "First" and window.text(".topic .contents") == "By keys.")
    window.keys("e")
    in_form(window, "Title")
    replace(window, "Third")
    window.keys(Keys.ENTER)
    until(lambda: in_topics.titles(window) == ["Third", "Second"])
    at_list(window)
    window.keys(Keys.HOME, Keys.DELETE)
    until(lambda: in_topics.titles(window) == ["Second"])
    window.keys("u")
    until(lambda: len(in_topics.titles(window)) == 2)
    window.keys(Keys.ESCAPE)
    until(lambda: "Cooking | 2 topics" in window.rows())


def test_the_keyboard_alone_suffices_for_events(window):
    window.visit("events")
    until(lambda: in_events.titles(window) == in_events.TITLES)
    at_list(window)
    # An event is added with the time of now, gets a title, and another time.
    window.keys("a")
    until(lambda: len(in_events.titles(window)) == 6)
    window.keys(Keys.HOME, Keys.ENTER)
    in_form(window, "Title")
    window.keys("By keys", Keys.TAB)
    # The first part of the time is the month or the day; the year follows. Three years back, it is the last event.
    tab_to(window, "Time")
    window.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, *[Keys.ARROW_DOWN] * 3)
    tab_to(window, "Save")
    window.keys(Keys.ENTER)
    until(lambda: in_events.titles(window) == [*in_events.TITLES, "By keys"])
    at_list(window)
    tab_to(window, "By day", Keys.SHIFT + Keys.TAB)
    window.keys(Keys.ENTER)
    until(lambda: len(window.sections()) == 4)
    at_list(window)
    window.keys(Keys.END, Keys.DELETE)
    until(lambda: in_events.titles(window) == in_events.TITLES)
    window.keys("u")
    until(lambda: in_events.titles(window) == [*in_events.TITLES, "By keys"])


def test_the_keyboard_alone_leads_to_the_weeks_and_to_what_was_cooked(window):
    window.visit("todo")
    until(window.rows)
    at_list(window)
    tab_to(window, "Weeks")
    window.keys(Keys.ENTER)
    until(lambda: window.heading() == "Weeks" and window.rows())
    at_list(window)
    window.keys(Keys.ESCAPE)
    until(lambda: window.heading() == "Tasks")
    window.visit("recipes")
    until(lambda: in_recipes.titles(window))
    at_list(window)
    tab_to(window, "Cooked")
    window.keys(Keys.ENTER)
    window.lists(in_recipes.COOKED)
    at_list(window)
    window.keys(Keys.HOME, Keys.ENTER)
    until(lambda: window.text(".part h1") == "Greek salad" and window.visible_button("Cooked today").is_enabled())
    tab_to(window, "Cooked today")
    window.keys(Keys.ENTER)
    until(lambda: any("cooked 2 times" in fact for fact in window.texts(".fact")))
