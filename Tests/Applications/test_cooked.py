"""Recipes' list of what was cooked in which month: rows that a projection makes of named events."""

import datetime
import zoneinfo

import pytest

from browser import until
from daybook import run
from in_all import slide
from in_recipes import COOKED, NAMES, cooked, edit, from_events, open_recipe, row, shows, titles, words


@pytest.fixture
def listed(window):
    """A window on what was cooked."""
    window.visit("recipes")
    shows(window, NAMES)
    cooked(window)
    return window


@pytest.fixture
def kitchen(other):
    """Another window, on the list of recipes."""
    other.visit("recipes")
    shows(other, NAMES)
    return other


def cook(window, name):
    open_recipe(window, name)
    window.press("Cooked today")
    until(lambda: f"Cooked “{name}” today." in window.text(".toast"))
    window.press("Back")
    until(lambda: titles(window))


def today(zone=None):
    return str(datetime.datetime.now(zone and zoneinfo.ZoneInfo(zone)).date())


def with_today(*rows):
    return [(words(today(), "%B %Y"), list(rows)), *COOKED]


def test_what_was_cooked_is_listed_by_month(listed, program):
    listed.lists(COOKED)
    assert from_events(program) == COOKED
    assert not listed.visible_button("Edit"), "nothing of it is edited: it follows from the events"
    listed.open_row("Greek salad")
    until(lambda: listed.text(".part h1") == "Greek salad")
    until(lambda: listed.texts(".fact") == ["Salad", "15 minutes", "cooked 7 Mar 2026"])


def test_a_recipe_that_was_cooked_is_listed_at_once_and_taken_back(listed, kitchen, program):
    head = program.head("recipes")
    cook(kitchen, "Apple pie")
    listed.lists(with_today(row(-1, "Apple pie", today())))
    cook(kitchen, "Lemonade")
    cook(kitchen, "Lemonade")
    wanted = with_today(row(-2, "Lemonade", today()), row(-1, "Apple pie", today()))
    listed.lists(wanted)
    assert program.head("recipes") == head + 3
    event = program.commits("recipes")[-1]["events"][0]
    assert (event["event"], event["name"], event["values"]["day"][:10]) == ("recorded", "Cooked", today())
    # An undo of the last save would not touch an event: it is taken back by another one.
    kitchen.click(".toast button")
    until(lambda: "Undone." in kitchen.text(".toast"))
    listed.lists(with_today(row(-1, "Apple pie", today()), row(-1, "Lemonade", today())))
    assert program.commits("recipes")[-1]["events"][0]["name"] == "NotCooked"
    program.stored("recipes").apply({"record": "NotCooked", "about": event["object"], "values": {"day": today()}})
    listed.lists(with_today(row(-1, "Apple pie", today())))
    # What was never cooked is not taken back.
    program.stored("recipes").apply({"record": "NotCooked", "about": event["object"], "values": {"day": "2026-02-02"}})
    cook(kitchen, "Tomato soup")
    listed.lists(with_today(row(-1, "Apple pie", today()), row(-1, "Tomato soup", today())))


def test_what_was_cooked_is_shown_at_every_earlier_position(listed, kitchen, program):
    stored = program.stored("recipes")
    cook(kitchen, "Apple pie")
    stored.apply({"record": "Cooked", "about": stored.named("Recipe", "Pancakes"), "values": {"day": "2026-03-20"}})
    stored.apply({"rename": stored.named("Recipe", "Pancakes"), "to": "Crêpes"})
    stored.apply({"delete": stored.named("Recipe", "Greek salad")})
    head = program.head("recipes")
    for position in [*range(head, 10, -1), *range(11, head + 1)]:
        slide(listed, position)
        listed.lists(from_events(program, position))
    slide(listed, 10)
    until(lambda: "Nothing was here then." in listed.text(".empty"))
    listed.press("now")
    listed.lists(from_events(program))
    # In the past nothing can be cooked.
    open_recipe(kitchen, "Apple pie")
    assert kitchen.visible_button("Cooked today").is_enabled()
    slide(kitchen, 12)
    until(lambda: not kitchen.visible_button("Cooked today").is_enabled())
    until(lambda: kitchen.texts(".fact") == ["Dessert", "90 minutes"])
    kitchen.press("now")
    until(lambda: len(kitchen.texts(".fact")) == 3)


def test_a_recipe_is_listed_by_its_name_also_when_it_is_gone(listed, kitchen, program):
    edit(kitchen, "Pancakes")
    kitchen.type("Name", "Crêpes")
    kitchen.save()
    renamed = [(month, [row.replace("Pancakes", "Crêpes") for row in rows]) for month, rows in COOKED]
    listed.lists(renamed)
    assert listed.sections() == from_events(program)
    until(lambda: kitchen.text(".part h1") == "Crêpes")
    kitchen.press("Delete")
    kitchen.run("document.querySelector('dialog .danger').click()")
    until(lambda: "Crêpes" not in titles(kitchen) and titles(kitchen))
    # What was cooked stays what was cooked.
    listed.lists(renamed)
    listed.open_row("Crêpes")
    until(lambda: "not there" in listed.text(".empty"))
    kitchen.press("Undo")
    until(lambda: listed.text(".part h1") == "Crêpes")
    until(lambda: listed.texts(".fact") == ["Breakfast", "25 minutes", "cooked 3 times, last 22 Feb 2026"])


def test_a_row_says_which_commit_made_it_what_it_is(listed, program):
    listed.press("History of Greek salad")
    until(lambda: "#17 ready-made" in listed.text("#side .values"), 10, lambda: listed.text("#side"))
    assert not listed.all("#side .wrong")
    slide(listed, 12)
    until(lambda: "Not there at #12." in listed.text("#side"), 10, lambda: listed.text("#side"))
    listed.press("now")
    until(lambda: "#17 ready-made" in listed.text("#side .values"))


def test_what_was_cooked_is_there_after_a_crash(listed, program):
    stored = program.stored("recipes")
    soup = stored.named("Recipe", "Tomato soup")
    stored.apply({"record": "Cooked", "about": soup, "values": {"day": "2026-03-30"}})
    program.kill()
    # Another program has not the projection's code: what it records is counted when the applications run again.
    stored.apply({"record": "Cooked", "about": soup, "values": {"day": "2026-03-31"}})
    program.start()
    wanted = from_events(program)
    assert wanted[0][1][0] == "Tomato soup | 2 times, last 31 Mar 2026"
    until(lambda: listed.text(".live") == "live", 40)
    listed.lists(wanted)
    listed.visit("recipes", "#/cooked")
    listed.lists(wanted)
    program.stop()
    run("verify", stored.path)


@pytest.mark.parametrize("zone", ["Pacific/Honolulu", "Pacific/Kiritimati"])
def test_the_day_is_the_persons(kitchen, program, zone):
    """There is never the same day in these two zones."""
    kitchen.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
    try:
        cook(kitchen, "Apple pie")
    finally:
        kitchen.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
    day = program.commits("recipes")[-1]["events"][0]["values"]["day"]
    assert day == f"{today(zone)}T00:00:00Z"
    cooked(kitchen)
    assert kitchen.sections()[0] == (words(day[:7], "%B %Y"), [row(-1, "Apple pie", day[:10])])
