"""Events: the master list, by day and in one piece, and what a list view performs at each change."""

import datetime
import random

import pytest
from selenium.webdriver import ActionChains

from browser import until
from in_events import TITLES, retime, settled, shown, titles


@pytest.fixture
def events(window):
    window.visit("events")
    until(lambda: titles(window) == TITLES)
    return window


@pytest.fixture
def days(window):
    window.visit("events", "#/day")
    until(lambda: titles(window) == TITLES)
    return window


def calls(window):
    return window.texts(".calls > div")


def test_the_newest_event_is_first_without_sections_and_by_day(events):
    assert len(events.sections()) == 1
    events.press("By day")
    until(lambda: titles(events) == TITLES and len(events.sections()) == 3)
    assert [section.replace(",", "") for section, _ in events.sections()] == ["Wednesday 4 March 2026", "Monday 2 March 2026", "Sunday 1 March 2026"]
    settled(events)


def test_plus_adds_an_event_with_the_time_of_now(days, program):
    before = datetime.datetime.now(datetime.UTC)
    days.press("Add event")
    until(lambda: len(titles(days)) == 6)
    time = max(row["values"]["time"] for row in program.stored("events").objects("Event"))
    assert abs((datetime.datetime.fromisoformat(time) - before).total_seconds()) < 30
    settled(days)
    assert calls(days)[1].startswith("insert section 0 [") and calls(days)[2] == "insert row [0, 0]"
    days.press("Add event")
    until(lambda: len(titles(days)) == 7)
    until(lambda: calls(days)[-3:] == ["begin updates", "insert row [0, 0]", "end updates"])


def test_an_event_is_deleted_by_swiping_and_by_its_button(days, program):
    row = days.row("Dentist")
    ActionChains(days.driver).move_to_element(row).click_and_hold().move_by_offset(-60, 0).release().perform()
    assert not days.has_form() and titles(days) == TITLES, "a short swipe deletes nothing and opens nothing"
    ActionChains(days.driver).move_to_element(days.row("Dentist")).click_and_hold().move_by_offset(-80, 0).move_by_offset(-80, 0).release().perform()
    until(lambda: titles(days) == TITLES[1:])
    settled(days)
    assert calls(days)[-4:] == ["begin updates", "delete section 0 [2026-03-04]", "delete row [0, 0]", "end updates"]
    days.press("Edit")
    days.press("Delete Lunch")
    until(lambda: titles(days) == ["Review", "Stand-up", "Flight"])
    until(lambda: calls(days)[-3:] == ["begin updates", "delete row [0, 1]", "end updates"])
    days.press("Done")
    assert len(program.stored("events").objects("Event")) == 3


def test_another_time_moves_an_event(days):
    retime(days, "Lunch", "2026-03-02T08:30:00")
    until(lambda: titles(days) == ["Dentist", "Review", "Stand-up", "Lunch", "Flight"])
    until(lambda: calls(days)[-3:] == ["begin updates", "move row [1, 1] to [1, 2]", "end updates"])
    settled(days)
    # Not past its neighbour: an update, and no move.
    retime(days, "Lunch", "2026-03-02T08:40:00")
    until(lambda: calls(days)[-2] == "update row [1, 2], now [1, 2]")
    # A section goes and another one comes, and the row moves between them.
    retime(days, "Dentist", "2026-03-03T10:00:00")
    until(
        lambda: (
            calls(days)[-5:] == ["begin updates", "delete section 0 [2026-03-04]", "insert section 0 [2026-03-03]", "move row [0, 0] to [0, 0]", "end updates"]
        )
    )
    settled(days)
    retime(days, "Flight", "2026-03-02T23:00:00")
    until(lambda: titles(days) == ["Dentist", "Flight", "Review", "Stand-up", "Lunch"])
    settled(days)


@pytest.mark.parametrize("place", ["#/day", ""])
def test_the_view_that_only_performs_the_plan_ends_equal(window, program, place):
    window.visit("events", place)
    until(lambda: titles(window) == TITLES)
    chosen = random.Random(3)
    store = program.stored("events")
    for turn in range(25):
        ids = [row["id"] for row in store.objects("Event")]
        operations = []
        for _ in range(chosen.randint(1, 6)):
            kind = chosen.choice(["insert", "set", "set", "rename", "delete"])
            time = f"2026-03-{chosen.randint(1, 6):02}T{chosen.randint(0, 23):02}:15:00Z"
            if kind == "insert" or not ids:
                operations.append({"insert": "Event", "values": {"title": f"Event {turn}", "time": time}})
            elif kind == "set":
                operations.append({"set": chosen.choice(ids), "values": {"time": time}})
            elif kind == "rename":
                operations.append({"rename": chosen.choice(ids), "to": f"Named {turn}"})
            else:
                operations.append({"delete": ids.pop(chosen.randrange(len(ids)))})
        store.apply({"commit": operations})
        until(lambda: sorted(shown(window)) == sorted(row["id"] for row in store.objects("Event")), 20)
        assert settled(window) == [
            row["id"]
            for section in store.fetch("Event", "--sort", "time:desc", *(["--section", "time.day:desc"] if place else []))["sections"]
            for row in section["objects"]
        ]
    kinds = {call.split()[0] + (" section" if "section" in call else "") for call in calls(window)}
    assert {"insert", "delete", "move", "update"} <= kinds and (not place or {"insert section", "delete section"} <= kinds)
