"""A due date is a day of the person's calendar: the same day on both sides of Greenwich, late when it is over."""

import datetime
import zoneinfo

import pytest
from selenium.webdriver.common.keys import Keys

from browser import until
from in_todo import task

ZONES = ["Pacific/Honolulu", "America/New_York", "UTC", "Europe/Berlin", "Asia/Kolkata", "Pacific/Kiritimati"]


@pytest.fixture(params=ZONES)
def zone(request, window):
    """A time zone, in which the browser is."""
    window.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": request.param})
    yield request.param
    window.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def words(day):
    return day.strftime("%-d %b %Y").replace("Sep", "Sept")


def dates(window):
    """Returns what the list says of each task with a date: `{title: (words, is late)}`."""
    return {
        title: (shown, late)
        for title, shown, late in window.run("""
        return [...document.querySelectorAll(".holder .row:not([hidden]):not(.going)")].filter((row) => row.offsetParent && row.querySelector(".due"))
          .map((row) => [row.querySelector("[role=gridcell]"), row.querySelector(".due")])
          .map(([cell, due]) => [cell.textContent, due.textContent, due.classList.contains("late")])""")
    }


def test_a_day_is_the_same_day_in_every_zone(window, program, zone):
    window.visit("todo")
    until(lambda: dates(window))
    assert [dates(window)[title][0] for title in ("Pay the rent", "Send the report")] == ["1 Dec 2026", "5 Dec 2026"]
    task(window, "Buy stamps")
    field = window.field("Due")
    # Month, day and year, as they are typed in a browser of this language.
    field.send_keys("02", "03", "2027")
    until(lambda: field.get_attribute("value") == "2027-02-03")
    window.save()
    until(lambda: dates(window).get("Buy stamps") == ("3 Feb 2027", False))
    stored = next(row for row in program.stored("todo").objects("Task") if row["values"]["title"] == "Buy stamps")
    assert stored["values"]["due"].startswith("2027-02-03T00:00:00")
    # Nothing shifts when the form is opened and saved again.
    task(window, "Buy stamps")
    assert window.field("Due").get_attribute("value") == "2027-02-03"
    window.type("Title", "Buy many stamps")
    window.save()
    until(lambda: dates(window).get("Buy many stamps") == ("3 Feb 2027", False))


def test_a_task_is_late_when_the_persons_day_is_over(window, program, zone):
    today = datetime.datetime.now(zoneinfo.ZoneInfo(zone)).date()
    days = {"yesterday": -1, "today": 0, "tomorrow": 1}
    program.stored("todo").apply(
        *({"insert": "Task", "values": {"title": title, "due": str(today + datetime.timedelta(count))}} for title, count in days.items())
    )
    window.visit("todo")
    until(lambda: days.keys() <= dates(window).keys())
    shown = dates(window)
    assert {title: shown[title] for title in days} == {title: (words(today + datetime.timedelta(count)), count < 0) for title, count in days.items()}


def test_midnight_makes_a_task_late_on_a_page_that_stays_open(window):
    window.visit("todo")
    until(lambda: dates(window).get("Send the report"))
    days = window.wait("""
        const { atEachNewDay, dayOf } = await import("/page/dates.js");
        const seen = [dayOf(new Date(2026, 11, 5, 23, 59, 59)), dayOf(new Date(2026, 11, 6)), dayOf(new Date(99, 0, 1))];
        const { Date: RealDate, setInterval: realInterval } = globalThis;
        let tick, isNext = false;
        globalThis.setInterval = (act) => { tick = act; };
        globalThis.Date = class extends RealDate {
          constructor(...given) { given.length ? super(...given) : super(RealDate.now() + (isNext ? 86_400_000 : 0)); }
        };
        let count = 0;
        atEachNewDay(() => count += 1);
        tick(); seen.push(count);
        isNext = true;
        tick(); seen.push(count);
        tick(); seen.push(count);
        Object.assign(globalThis, { Date: RealDate, setInterval: realInterval });
        return seen""")
    assert days == ["2026-12-05", "2026-12-06", "1999-01-01", 0, 1, 1]


def test_the_times_of_events_are_points_that_each_zone_reads_in_its_own_way(window, program, zone):
    window.visit("events")
    until(window.rows)
    window.open_row("Lunch")
    local = datetime.datetime(2026, 3, 2, 12, 30, tzinfo=datetime.UTC).astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)
    field = window.field("Time")
    until(lambda: (field.get_attribute("value") + ":00")[:19] == local.isoformat()[:19])
    window.type("Title", "Late lunch")
    window.save()
    until(lambda: any("Late lunch" in row for row in window.rows()))
    stored = next(row for row in program.stored("events").objects("Event") if row["values"]["title"] == "Late lunch")
    assert stored["values"]["time"].startswith("2026-03-02T12:30:00")


@pytest.mark.parametrize("zone", ["Europe/Berlin"], indirect=True)
def test_a_time_that_the_clocks_skip_or_that_is_not_whole_is_refused_in_words(window, program, zone):
    window.visit("events")
    until(window.rows)
    window.open_row("Lunch")
    field = window.field("Time")
    until(lambda: field.get_attribute("value"))
    head = program.head("events")
    write = "arguments[0].value = arguments[1]; for (const kind of ['input', 'change']) arguments[0].dispatchEvent(new Event(kind))"
    window.run(write, field, "2026-03-29T02:30")
    until(lambda: "do not show this time" in window.text(".field .wrong"))
    window.press("Save")
    until(lambda: window.driver.switch_to.active_element == field, 10, "the focus is where it is wrong")
    assert window.has_form() and field.get_attribute("value").startswith("2026-03-29T02:30") and program.head("events") == head
    # A time that the clocks show, and half of one.
    window.run(write, field, "2026-03-29T03:30")
    until(lambda: not any(node.text for node in window.all(".field .wrong")))
    field.send_keys(Keys.DELETE, Keys.TAB)
    window.press("Save")
    until(lambda: any("no point in time" in node.text for node in window.all(".field .wrong")))
    assert window.has_form() and program.head("events") == head
    window.run(write, field, "2026-03-29T03:30")
    window.save()
    stored = next(row for row in program.stored("events").objects("Event") if row["values"]["title"] == "Lunch")
    assert stored["values"]["time"].startswith("2026-03-29T01:30:00")
