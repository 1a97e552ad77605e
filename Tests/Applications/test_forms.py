"""Nothing that was typed in a form is lost: the ways of losing it, each in every application; and slow lines."""

import itertools
import os
import pathlib
import random
import shutil
import subprocess
import time

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

import in_recipes
import in_topics
from browser import until
from in_all import insert
from in_todo import TAGS, identity, leave, pick, set_date, task
from players import PLAYERS, row_of

SEED = int(os.environ.get("DAYBOOK_SEED") or random.randrange(1 << 32))
SIGNS = [*"abcdefgh ÄéßΩ中\"'<&>\\%", "😀", "👩\u200d🍳", "e\u0301", "שלום", " "]


@pytest.fixture(params=PLAYERS)
def player(request, window, line):
    """Maria, at the list of each application, behind a line."""
    player = PLAYERS[request.param](window, "Maria", random.Random(5), itertools.count(1))
    player.begin()
    yield player
    player.end()


def offered(player):
    """Waits until the form that was left is offered, and goes on with it."""
    until(lambda: not player.window.has_form(), 10, "the form is left")
    until(lambda: player.window.all(".unsaved button"), 10, "the form is offered")
    player.window.click(".unsaved button")


def reloaded(player, program, line):
    until(lambda: player.form_undo().is_enabled(), 10, "the edit has arrived")
    player.window.driver.refresh()


def reloaded_at_once(player, program, line):
    player.window.driver.refresh()


def dropped(player, program, line):
    """The server drops the form, as it does when no page shows it for a minute."""
    until(lambda: player.form_undo().is_enabled(), 10, "the edit has arrived")
    player.window.wait("""const id = new URLSearchParams(location.hash.split("?")[1]).get("form");
      const request = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
      await fetch(`${document.documentElement.dataset.daybook}/forms/${id}/cancel`, request);""")


def restarted(player, program, line):
    until(lambda: player.form_undo().is_enabled(), 10, "the edit has arrived")
    program.kill()
    until(lambda: player.window.all(".form .offline:not([hidden])"), 10, "the form says that it is offline")
    program.start()


def restarted_before_the_reload(player, program, line):
    until(lambda: player.form_undo().is_enabled(), 10, "the edit has arrived")
    program.kill()
    program.start()
    player.window.driver.refresh()


def cut(player, program, line):
    """The line is cut while the person types on."""
    line.cut()
    player.window.driver.switch_to.active_element.send_keys(" and on")
    player.typed += " and on"
    time.sleep(1)
    line.mend()


def escaped(player, program, line):
    player.window.run("if (!document.querySelector('dialog[open]')) document.activeElement.blur()")
    ActionChains(player.window.driver).send_keys(Keys.ESCAPE).perform()
    offered(player)


def moved_in_time(player, program, line):
    # What is read for a list in batches arrives one after the other.
    line.delay = 0.1
    player.window.run("location.hash += `${location.hash.includes('?') ? '&' : '?'}at=1`")
    until(lambda: player.window.all(".is-past"))
    offered(player)
    until(player.window.has_form, 10, "the form is open")
    line.delay = 0


def gone_back(player, program, line):
    player.window.driver.back()
    offered(player)


def gone_to_another_row(player, program, line):
    words = "the first of two forms"
    player.window.type(player.label, words)
    player.typed = words
    player.window.driver.back()
    until(lambda: not player.window.has_form() and player.window.all(".unsaved button"), 10, "the form is offered")
    player.begin()
    rows = [row for _, rows in player.shown() for row in rows]
    player.open_form(rows[1])
    until(lambda: player.window.field(player.label).get_attribute("value") not in ("", words), 10, "the other row's form")
    player.window.press("Cancel")
    offered(player)


WAYS = [reloaded, reloaded_at_once, dropped, restarted, restarted_before_the_reload, cut, escaped, moved_in_time, gone_back, gone_to_another_row]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_what_was_typed_is_there_after_the_form_was(way, player, program, line):
    row, head = row_of(player), program.head(player.name)
    player.open_form(row)
    player.typed = "Typed  éarlier "
    player.fill(player.label, player.typed)
    way(player, program, line)
    until(
        lambda: player.window.field(player.label).get_attribute("value") == player.typed,
        40,
        lambda: f"{player.typed!r}, not {player.window.field(player.label).get_attribute('value')!r}",
    )
    assert program.head(player.name) == head, "nothing is saved"
    player.window.save()
    until(lambda: program.head(player.name) == head + 1, 10, "it is one commit")
    assert value_of(player, program, row, player.label) == player.typed
    until(lambda: not player.window.all(".unsaved button"), 10, "nothing is offered any more")


def value_of(player, program, row, label):
    entity = player.request(program)[0]
    values = next(each["values"] for each in program.stored(player.name).objects(entity) if each["id"] == row)
    return values[label.lower()]


def test_a_new_object_survives_a_sleep_of_more_than_a_minute(window, line, program):
    """The line is away for longer than the server keeps a form that no page shows."""
    window.visit("first")
    window.press("Edit")
    window.press("Add root")
    window.field("Name").send_keys("Before the sleep")
    until(lambda: window.driver.find_element("xpath", "//form//button[normalize-space(.)='Undo']").is_enabled())
    line.cut()
    time.sleep(68)
    window.field("Name").send_keys(", and after it")
    line.mend()
    until(lambda: not window.all(".form .offline:not([hidden])"), 60, "the form is connected again")
    window.save()
    until(lambda: "Before the sleep, and after it" in window.rows())


def test_a_save_whose_answer_is_lost_is_one_commit(window, line, program):
    window.visit("todo")
    head = program.head("todo")
    window.press("Add task")
    window.type("Title", "Saved once")
    until(lambda: window.driver.find_element("xpath", "//form//button[normalize-space(.)='Undo']").is_enabled())
    # The request arrives, and the line is cut before the answer does.
    line.delay = 0.4
    window.press("Save")
    until(lambda: program.head("todo") == head + 1, 10, "the server has saved")
    line.cut()
    line.delay = 0
    program.kill()
    program.start()
    time.sleep(0.5)
    line.mend()
    until(lambda: not window.has_form(), 40, "the page finds out that it is saved")
    assert program.head("todo") == head + 1
    # The list connects again in its own time.
    until(lambda: "Saved once" in window.rows(), 40, window.rows)
    assert window.rows().count("Saved once") == 1
    assert not window.all(".unsaved button")


def test_a_refusal_that_comes_before_the_object_stands_beside_its_field(window):
    window.visit("first")
    window.press("Edit")
    window.run("""
        const real = window.fetch;
        window.fetch = async (path, ...rest) => {
          if (/forms.*stream$/.test(path)) await new Promise((resolve) => { window.release = resolve; });
          return real(path, ...rest);
        }""")
    window.press("Add root")
    window.press("Save")
    until(lambda: window.run("return performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/save'))"), 20, "the answer")
    assert window.one("form.form .primary").text == "Saving…"
    window.run("release()")
    until(lambda: "must not be empty" in window.text(".field .wrong"))
    window.type("Name", "Minerals")
    window.save()
    until(lambda: "Minerals" in window.rows())


def test_picks_dates_and_texts_that_are_not_added_yet_survive_a_restart_and_a_reload(window, line, program):
    window.visit("todo")
    task(window, "Buy stamps")
    set_date(window, "2027-02-03")
    pick(window, "tags")
    window.open_row("urgent", TAGS)
    until(lambda: any("✓ | urgent" in row for row in window.rows(TAGS)))
    window.one(f"{TAGS} input").send_keys("half a t")
    program.kill()
    program.start()
    window.driver.refresh()
    until(lambda: any("✓ | urgent" in row for row in window.rows(TAGS)), 30, "the tag is picked")
    assert window.one(f"{TAGS} input").get_attribute("value") == "half a t"
    window.one(f"{TAGS} input").send_keys("ag", Keys.ENTER)
    until(lambda: any("✓ | half a tag" in row for row in window.rows(TAGS)))
    leave(window)
    window.save()
    saved = next(row for row in program.stored("todo").objects("Task") if row["values"]["title"] == "Buy stamps")
    assert saved["values"]["due"].startswith("2027-02-03T00:00:00")
    names = {row["values"]["name"] for row in program.stored("todo").objects("Tag", "--where", f'ANY tasks.id == "{saved["id"]}"')}
    assert names == {"errand", "urgent", "half a tag"}


def test_a_conflict_after_a_restart_shows_the_values_before_here_and_there(window, line, program):
    window.visit("todo")
    task(window, "Buy stamps")
    window.type("Title", "Buy stamps here")
    until(lambda: window.driver.find_element("xpath", "//form//button[normalize-space(.)='Undo']").is_enabled())
    program.kill()
    stamps = identity(program, "Buy stamps")
    program.stored("todo").apply({"set": stamps, "values": {"title": "Buy stamps there"}})
    program.start()
    window.one(".conflicts fieldset", 40)
    assert window.texts(".conflicts .value") == ["Buy stamps", "Buy stamps here", "Buy stamps there"]
    window.press("Use these")
    until(lambda: not any(node.is_displayed() for node in window.all(".conflicts")))
    window.save()
    until(lambda: "Buy stamps here" in window.rows())


def test_a_discarded_form_and_one_left_as_it_was_are_not_offered(window, line, program):
    window.visit("todo")
    task(window, "Buy stamps")
    window.driver.back()
    until(window.rows)
    assert not window.all(".unsaved button")
    task(window, "Buy stamps")
    window.type("Title", "Buy nothing")
    window.driver.back()
    until(lambda: window.texts(".unsaved li strong") == ["“Buy nothing”"])
    # The row leads to the same form.
    task_again = window.rows()[0]
    window.open_row(task_again)
    until(lambda: window.field("Title").get_attribute("value") == "Buy nothing")
    window.driver.back()
    window.press("Discard “Buy nothing”")
    until(lambda: not window.all(".unsaved button"))
    task(window, "Buy stamps")


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_the_log_of_a_form_holds_without_a_browser():
    result = subprocess.run(["node", "--test", pathlib.Path(__file__).parent / "form-log.mjs"], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


# What a person types through a slow line.


def text_of(chance, lines):
    signs = SIGNS + (["\n"] * 4 if lines else [])
    # It ends and begins with anything, spaces too, but has something to see.
    return "".join(chance.choice(signs) for _ in range(chance.randint(2, 9))) + "x" + "".join(chance.choice(signs) for _ in range(chance.randint(0, 5)))


def type_over(window, field, text, chance):
    """Types a text sign by sign, and finds at each that nothing of it has gone."""
    field.send_keys(Keys.CONTROL, "a")
    for number, sign in enumerate(text):
        insert(window, sign)
        time.sleep(chance.choice([0, 0.02, 0.1, 0.3, 0.45]))
        shown = field.get_attribute("value")
        assert shown == text[: number + 1], f"DAYBOOK_SEED={SEED}: {text[: number + 1]!r} was typed, {shown!r} is there"


FIELDS = {"first": ["Name"], "todo": ["Title"], "recipes": ["Name", "Overview", "Instructions"], "topics": ["Title", "Contents"], "events": ["Title"]}


@pytest.mark.parametrize("player", PLAYERS, indirect=True)
def test_no_letter_is_lost_at_400_milliseconds(player, program, line):
    print(f"\n{player.name}: DAYBOOK_SEED={SEED}")
    chance = random.Random(SEED)
    row = row_of(player)
    line.delay = 0.2
    player.open_form(row)
    labels = FIELDS[player.name]
    until(lambda: player.window.field(labels[0]).get_attribute("value"))
    typed = {}
    for label in [chance.choice(labels) for _ in range(2)] + labels:
        typed[label] = text_of(chance, label in ("Instructions", "Contents"))
        type_over(player.window, player.window.field(label), typed[label], chance)
    # The last letters are saved, too, without a pause for them.
    player.window.save()
    line.delay = 0
    for label, text in typed.items():
        stored = value_of(player, program, row, label)
        assert stored == text, f"DAYBOOK_SEED={SEED}: {text!r} was typed, {stored!r} is stored"


def choose(window, name):
    """Opens a form with a choice; returns the label of its text, and in JavaScript a pick and what is picked."""
    of_select = "document.querySelector('{0}')?.selectedOptions[0]?.text".format
    pick_option = """const choice = document.querySelector('{0}'); choice.value = [...choice.options].find(({{ text }}) => text === '{1}').value;
        choice.dispatchEvent(new Event('change'))""".format
    window.visit(name)
    if name == "first":
        window.open_row("Animals")
        until(lambda: window.heading() == "Animals")
        window.press("Edit")
        window.open_row("Insects")
        until(lambda: "Plants" in window.text("#parent"))
        return "Name", pick_option("#parent", "Plants"), of_select("#parent"), "Plants"
    if name == "topics":
        in_topics.descend(window, "Swift")
        in_topics.open_topic(window, window.run("return document.querySelector('[aria-label=Topics] strong').textContent"))
        window.press("Edit")
        until(lambda: "Gardening" in window.text("#category"))
        return "Title", pick_option("#category", "Gardening"), of_select("#category"), "Gardening"
    if name == "recipes":
        in_recipes.edit(window, "Apple pie")
        radio = "[...document.querySelectorAll('.type-rows [type=radio]')]"
        other = window.run(f"return {radio}.find(({{ checked, value }}) => value && !checked).value")
        return "Name", f"{radio}.find(({{ value }}) => value === '{other}').click()", "document.querySelector('.type-rows :checked')?.value", other
    task(window, "Buy stamps")
    pick(window, "tags")
    row = f"[...document.querySelectorAll('{TAGS} .row')].find((row) => row.textContent.includes('urgent'))"
    until(lambda: window.run(f"return Boolean({row})"))
    return "Title", f"{row}.click()", f"{row}?.querySelector('.check').textContent", "✓"


@pytest.mark.parametrize("name", ["first", "todo", "recipes", "topics"])
def test_a_choice_keeps_the_pick_while_older_states_come(window, line, program, name):
    label, act, shown, picked = choose(window, name)
    line.delay = 0.2
    head = program.head(name)
    window.run(f"""
        performance.clearResourceTimings();
        const field = [...document.querySelectorAll("form label")].find(({{ textContent }}) => textContent === "{label}").nextElementSibling;
        field.value += " typed";
        field.dispatchEvent(new Event("input"));
        field.dispatchEvent(new Event("change"));
        {act};
        window.looks = [];
        (function look() {{
          const shown = {shown};
          if (shown === undefined) return;
          if (looks.at(-1) !== shown) looks.push(shown);
          requestAnimationFrame(look);
        }})()""")
    # Both edits are answered; what is saved after that has waited for their states.
    until(lambda: window.run("return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/edit')).length") == 2, 20)
    assert window.run("return looks") == [picked]
    window.run("document.querySelector('form.form').requestSubmit()")
    until(lambda: not window.has_form(), 20, "the form is closed")
    assert window.run("return looks") == [picked]
    line.delay = 0
    events = next(commit for commit in program.commits(name) if commit["position"] == head + 1)["events"]
    assert {"set", "related"} <= {event["event"] for event in events} or {"renamed", "related"} <= {event["event"] for event in events}, events


def test_no_letter_of_a_row_in_a_form_is_lost_at_400_milliseconds(window, line, program):
    print(f"\nDAYBOOK_SEED={SEED}")
    chance = random.Random(SEED)
    window.visit("recipes")
    in_recipes.edit(window, "Apple pie")
    line.delay = 0.2
    rows = window.all(".ingredient-rows li")[:2]
    typed = []
    for row in rows:
        # From the amount straight on to the name, as with Tab: the answer to the first comes while the second is typed.
        for name in ("amount", "name"):
            typed.append(text_of(chance, False))
            type_over(window, row.find_element("css selector", f"input.{name}"), typed[-1], chance)
    window.save()
    line.delay = 0
    recipe = program.stored("recipes").named("Recipe", "Apple pie")
    parts = {(row["values"]["amount"], row["values"]["name"]) for row in program.stored("recipes").objects("Ingredient", "--where", f'recipe.id == "{recipe}"')}
    assert {tuple(typed[:2]), tuple(typed[2:])} <= parts, f"DAYBOOK_SEED={SEED}: {typed} in {parts}"
