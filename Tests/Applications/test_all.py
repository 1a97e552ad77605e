"""What all applications have: time, authors, undo, other programs on the same store, reloads and restarts."""

import itertools
import json
import random
import re
import time
import urllib.request

import pytest

from applications import Program
from browser import until
from daybook import Server, run
from in_all import named, slide
from in_first import add
from in_todo import TAGS, chosen, identity, leave, pick, set_date, task
from players import PLAYERS, row_of


def test_the_slider_moves_the_list_through_the_past_by_differences(window, program):
    window.visit("first")
    window.press("Edit")
    for name in ("Minerals", "Fungi"):
        add(window, name)
    window.press("Delete Plants")
    window.press("Delete")
    window.shows(["Animals", "Fungi", "Minerals"])
    until(lambda: window.run("return Number(document.querySelector('.timeline input').max)") == 5)
    window.run("document.querySelector('.holder .row').remembered = true; performance.clearResourceTimings()")
    slide(window, 3)
    window.shows(["Animals", "Minerals", "Plants"])
    assert "#3" in window.text(".as-of")
    slide(window, 2)
    window.shows(["Animals", "Plants"])
    asked = window.run("return performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname)")
    assert "/first/api/diff/RootLevel" in asked
    # The row that stays is the same element, and nothing can be changed in the past.
    assert window.run("return [...document.querySelectorAll('.holder .row')].find((row) => row.textContent.includes('Animals')).remembered")
    assert not window.visible_button("Add root")
    window.press("now")
    window.shows(["Animals", "Fungi", "Minerals"])


@pytest.fixture(params=PLAYERS)
def player(request, window, program):
    """Maria, at the list of each application."""
    player = PLAYERS[request.param](window, "Maria", random.Random(5), itertools.count(1))
    player.begin()
    yield player
    player.end()


def agree(player, rows):
    """Waits until the window shows these rows, by section."""
    until(lambda: player.shown() == rows, 20, lambda: f"{rows}, not {player.shown()}")


def test_each_list_is_shown_at_every_earlier_position(player, program):
    seen = {program.head(player.name): player.shown()}
    for act in ("add", "change", "delete"):
        # The list is no longer than this, so the row that is first changes it.
        getattr(player, act)(*([] if act == "add" else [row_of(player)]))
        until(lambda: player.is_current(program), 20, act)
        seen[program.head(player.name)] = player.shown()
    assert len(seen) == 4
    for position in [*reversed(seen), *seen]:
        slide(player.window, position)
        agree(player, seen[position])
        until(lambda: player.window.visible_button("Edit").is_enabled() == (position == max(seen)), 10, "nothing is changed in the past")
    slide(player.window, min(seen))
    agree(player, seen[min(seen)])
    player.window.press("now")
    agree(player, seen[program.head(player.name)])


# Drags back and forth until the list has shown some positions, at most for a while, then to the last one.
DRAG = """
    const slider = document.querySelector(".timeline input"), began = performance.now(), seen = new Set(), under = new Map(), send = window.fetch;
    let most = 0;
    window.fetch = async (path, options) => {
      const { pathname, searchParams } = new URL(path, location.href);
      const at = /api.(diff|fetch)/.test(pathname) && (searchParams.get("at") ?? searchParams.get("to"));
      if (!at) return send(path, options);
      under.set(at, (under.get(at) ?? 0) + 1);
      most = Math.max(most, under.size);
      try {
        return await send(path, options);
      } finally {
        if (under.get(at) === 1) under.delete(at);
        else under.set(at, under.get(at) - 1);
      }
    };
    await new Promise((resolve) => requestAnimationFrame(function step(now) {
      const isLast = seen.size > 5 || now - began > 15000;
      slider.value = isLast ? given[0] : Math.round(1 + (0.5 + 0.45 * Math.cos((now - began) / 770)) * (slider.max - 1));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      seen.add(/Step \\d+/.exec(document.querySelector(".holder").textContent)?.[0]);
      if (isLast) resolve();
      else requestAnimationFrame(step);
    }));
    return { most, seen: seen.size }"""
STEPS = 100


def test_a_drag_moves_the_list_and_asks_for_one_position_at_a_time(player, program, line):
    row = row_of(player)
    program.stored(player.name).apply(*({"rename": row, "to": f"Step {number}"} for number in range(1, STEPS + 1)))
    head = program.head(player.name)
    # An answer takes longer than a frame.
    line.delay = 0.03
    player.begin()
    until(lambda: "Step 100" in player.window.text(".holder") and player.window.run("return Number(document.querySelector('.timeline input').max)") == head)
    found = player.window.wait(DRAG, head - 50)
    assert found["seen"] > 5, "the list moves before the drag ends"
    # Parts of the list, and what its rows name, are read at the same position.
    assert found["most"] == 1
    until(lambda: re.search(r"Step 50\b", player.window.text(".holder")), 20, lambda: player.window.text(".holder"))
    agree(player, player.titled(player.wanted(program, "--at", str(head - 50))))


def test_each_list_says_who_changed_a_row_and_when(player, program):
    row = row_of(player)
    player.change(row)
    player.click_row(row, ".history")
    until(lambda: "Maria" in player.window.text("#side .values") and player.window.all("#side .values time"))
    assert program.commits(player.name)[-1]["author"] == "Maria"
    until(lambda: "Maria" in player.window.text("#side .history"))


def test_each_list_is_there_after_a_restart_and_its_last_save_is_undone(player, program):
    # Some end as in a crash, the others in order.
    end = "stop" if player.name in ("todo", "topics") else "kill"
    before = player.shown()
    player.add()
    until(lambda: player.is_current(program) and player.shown() != before)
    after, commits = player.shown(), program.commits(player.name)
    getattr(program, end)()
    until(lambda: player.window.text(".live") == "offline", 20)
    program.start()
    until(lambda: player.window.text(".live") == "live", 40)
    agree(player, after)
    player.begin()
    agree(player, after)
    assert program.commits(player.name) == commits
    player.undo()
    agree(player, before)
    player.redo()
    agree(player, after)
    run("verify", program.stored(player.name).path)


def test_an_open_form_has_what_was_typed_after_a_reload(player, program):
    row = row_of(player)
    player.open_form(row)
    player.fill(player.label, "Typed before the reload")
    until(lambda: player.form_undo().is_enabled(), 10, "the edit has arrived")
    head = program.head(player.name)
    player.window.driver.refresh()
    until(lambda: player.window.field(player.label).get_attribute("value") == "Typed before the reload")
    assert program.head(player.name) == head, "it is pending"
    player.window.save()
    until(lambda: program.head(player.name) == head + 1)
    assert any("Typed before the reload" in row["values"].values() for row in program.stored(player.name).objects(player.request(program)[0]))


def test_a_cancelled_form_leaves_nothing(player, program):
    before, head = player.shown(), program.head(player.name)
    player.open_form(row_of(player))
    player.fill(player.label, "Typed and cancelled")
    until(lambda: player.form_undo().is_enabled(), 10, "the edit has arrived")
    player.window.press("Cancel")
    until(lambda: not player.window.has_form())
    assert program.head(player.name) == head
    player.begin()
    agree(player, before)


def test_each_store_is_open_in_serve_at_the_same_time(player, program):
    server = Server(program.stored(player.name))
    try:
        player.add()
        until(lambda: player.is_current(program))
        with urllib.request.urlopen(f"{server.address}/api/fetch/{player.request(program)[0]}?limit=1000") as answer:
            served = {row["id"] for section in json.load(answer)["sections"] for row in section["objects"]}
        assert {row for _, rows in player.shown() for row in rows} <= served
        # And what another program writes is shown here at once.
        row = row_of(player)
        program.stored(player.name).apply({"rename": row, "to": "From the command line"})
        until(lambda: "From the command line" in player.window.text(".holder"))
    finally:
        server.stop()


def test_a_refused_undo_names_the_object_and_not_its_identity(window, program):
    window.visit("todo")
    named(window, "Maria")
    task(window, "Buy stamps")
    window.type("Title", "Buy many stamps")
    window.save()
    program.stored("todo").apply({"set": identity(program, "Buy many stamps"), "values": {"title": "Buy few stamps"}})
    until(lambda: "Buy few stamps" in window.rows())
    window.press("Undo")
    until(lambda: "Buy few stamps" in window.text(".toast"), 10, lambda: window.text(".toast"))
    assert not re.search("[0-9a-f]{8}-", window.text(".toast"))


def test_an_open_pick_list_is_there_after_a_reload(window, program):
    window.visit("todo")
    task(window, "Buy stamps")
    pick(window, "tags")
    window.open_row("urgent", TAGS)
    until(lambda: any("✓ | urgent" in row for row in window.rows(TAGS)))
    # The form and the pick list are named in the address, and what was picked is pending in the form on the server.
    window.driver.refresh()
    until(lambda: any("✓ | urgent" in row for row in window.rows(TAGS)))
    leave(window)
    window.save()
    until(lambda: program.head("todo") == 3)


def test_undo_and_redo_work_inside_a_form(window):
    window.visit("todo")
    task(window, "Buy stamps")
    pick(window, "tags")
    window.open_row("urgent", TAGS)
    window.open_row("phone", TAGS)
    until(lambda: len([row for row in window.rows(TAGS) if row.startswith("✓")]) == 3)
    leave(window)
    within = "//form//button[normalize-space(.)='{}']"
    window.driver.find_element("xpath", within.format("Undo")).click()
    until(lambda: set(chosen(window, "tags").split(", ")) == {"errand", "urgent"})
    window.driver.find_element("xpath", within.format("Redo")).click()
    until(lambda: set(chosen(window, "tags").split(", ")) == {"errand", "phone", "urgent"})


def test_a_conflict_with_another_window_is_shown_value_by_value(window, other, program):
    window.visit("todo")
    other.visit("todo")
    task(window, "Buy stamps")
    task(other, "Buy stamps")
    window.type("Title", "Buy stamps here")
    until(lambda: window.visible_button("Undo").is_enabled(), 10, "the edit has arrived")
    other.type("Title", "Buy stamps there")
    set_date(other, "2027-02-03")
    other.save()
    # Both set the title; the date was set there alone, and is taken over at the same time as the conflict is decided.
    until(lambda: "Buy stamps here" in window.text(".conflicts") and "Buy stamps there" in window.text(".conflicts"))
    head = program.head("todo")
    window.press("Save")
    time.sleep(0.3)
    assert window.has_form() and program.head("todo") == head, "nothing is saved before it is decided"
    window.press("Use these")
    until(lambda: window.field("Due").get_attribute("value") == "2027-02-03")
    window.save()
    until(lambda: "Buy stamps here | 3 Feb 2027" in other.rows())


@pytest.mark.parametrize("name", ["first", "todo"])
def test_a_program_on_an_empty_directory_shows_its_first_list(tmp_path, window, name):
    begin = time.monotonic()
    program = Program(tmp_path / "measured")
    listening = time.monotonic() - begin
    try:
        window.program = program
        window.visit(name)
        until(window.rows, 60)
        shown = time.monotonic() - begin
        print(f"\n{name}: listening after {listening:.2f} s, first list after {shown:.2f} s, in the page after {window.run('return performance.now()'):.0f} ms")
    finally:
        program.stop()
