"""Editing objects: what is typed is what is stored and shown, and nothing that is typed is lost on the way."""

import datetime
import decimal
import os
import random
import time

import pytest
from selenium.webdriver.common.keys import Keys

import things
from bench import Bench
from browser import until

SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))
EDITS = int(os.environ.get("DAYBOOK_PAGE_EDITS", "40"))
ZONES = ["America/Los_Angeles", "Europe/Berlin", "Pacific/Auckland"]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path)
    yield bench
    bench.close()


def expected(kind, typed, zone):
    """Returns what the store holds of what was typed, as a comparable value."""
    if kind == "date":
        stamp = typed.strip().replace(" ", "T")
        if len(stamp) == 10:
            stamp += "T00:00"
        time = datetime.datetime.fromisoformat(stamp)
        return time if time.tzinfo else time.replace(tzinfo=zone)
    return {"integer": int, "double": float, "decimal": decimal.Decimal, "boolean": lambda word: word == "true"}.get(kind, str)(typed)


def stored(kind, value):
    if kind == "date":
        return datetime.datetime.fromisoformat(value)
    return {"integer": int, "double": float, "decimal": decimal.Decimal}.get(kind, lambda same: same)(value)


def check_shown(kind, value, words, zone):
    """Fails unless the words of the page are those of a stored value."""
    if kind == "boolean":
        assert words == ("yes" if value else "no")
    elif kind == "date":
        assert datetime.datetime.fromisoformat(words) == stored(kind, value)
        assert words[:19] == stored(kind, value).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S")
    elif kind in ("integer", "double", "decimal"):
        assert stored(kind, words.replace(",", "")) == stored(kind, value)
    elif value == "":
        assert words == "“”"
    elif value.strip() and value != "\u200b":
        assert words == value
    else:
        assert words.startswith("“") and len(words) > 2, f"{value!r} is in sight: {words!r}"


@pytest.mark.parametrize("zone", ZONES)
def test_a_random_user_finds_every_value_as_it_was_typed(tmp_path, zone):
    print(f"\nDAYBOOK_SEED={SEED}")
    chosen = random.Random(f"{SEED} {zone}")
    bench = Bench(tmp_path, zone)
    try:
        # Each value once, and then by chance.
        plan = [(kind, typed) for kind in things.TYPES for typed in things.TYPED[kind]]
        chosen.shuffle(plan)
        for kind, typed in plan[:EDITS]:
            name = chosen.choice(list(bench.things))
            before = bench.values(name)
            bench.edit(name)
            bench.fill(f"{kind}Value", typed)
            bench.save()
            after = bench.values(name)
            what = f"{typed!r} as {kind} of {name} in {zone}, seed {SEED}"
            value = after.pop(f"{kind}Value")
            former = before.pop(f"{kind}Value")
            assert after == before, f"other values stay: {what}"
            if kind == "string":
                # A text with the line breaks of Windows keeps them.
                has_windows = "\r\n" in (former or "")
                assert value == (typed.replace("\n", "\r\n") if has_windows else typed), what
            else:
                assert stored(kind, value) == expected(kind, typed, bench.zone), what
            check_shown(kind, value, bench.shown(f"{kind}Value"), bench.zone)
            # Opened and saved again with one sign more, nothing else of it changes.
            bench.edit(name)
            bench.fill("words", f"{chosen.random()}")
            bench.save()
            assert bench.values(name)[f"{kind}Value"] == value, what
    finally:
        bench.close()


@pytest.mark.parametrize("kind", things.WRONG)
def test_what_is_no_value_is_refused_with_words_and_stays(bench, kind):
    bench.edit("Thing 1")
    before = bench.values("Thing 1")
    for typed in things.WRONG[kind]:
        bench.fill(f"{kind}Value", typed)
        bench.browser.press("Save")
        until(
            lambda: any(f"{kind}Value" in words or typed in words for words in bench.browser.texts("#side .wrong")),
            10,
            lambda: bench.browser.texts("#side .wrong"),
        )
        assert bench.text(f"{kind}Value") == typed
        node = bench.browser.one("#side .wrong")
        assert bench.browser.run("const { top, bottom } = arguments[0].getBoundingClientRect(); return top >= 0 && bottom <= innerHeight", node), (
            "it is in view"
        )
        bench.fill(f"{kind}Value", "")
    assert bench.values("Thing 1") == before


def test_line_breaks_of_each_kind_stay(bench):
    for number, (old, typed, wanted) in enumerate(
        [
            ("a\r\nb\r\nc", "a\nb\nc!", "a\r\nb\r\nc!"),
            ("a\rb\nc", "a\nX\nb\nc", "a\rX\nb\nc"),
            ("a\nb", "a\nb\nc", "a\nb\nc"),
            ("\r\n", "\n\n", "\r\n\r\n"),
            ("a\r\nb", "", ""),
        ]
    ):
        name = f"Thing {number}"
        bench.call("/api/commits", {"set": bench.things[name], "values": {"words": old}})
        bench.edit(name)
        assert bench.text("words") == old.replace("\r\n", "\n").replace("\r", "\n")
        bench.fill("words", typed)
        bench.save()
        assert bench.values(name)["words"] == wanted


def test_nothing_and_empty_are_two_values(bench):
    bench.call("/api/commits", {"set": bench.things["Thing 3"], "values": {"stringValue": None}})
    bench.edit("Thing 3")
    assert bench.browser.run("return document.getElementById('edit-stringValue').parentNode.querySelector('[type=checkbox]').checked")
    bench.fill("stringValue", "")
    bench.save()
    assert bench.values("Thing 3")["stringValue"] == ""
    bench.edit("Thing 3")
    bench.browser.run("document.getElementById('edit-stringValue').parentNode.querySelector('[type=checkbox]').click()")
    bench.save()
    assert bench.values("Thing 3")["stringValue"] is None


@pytest.mark.parametrize("zone", ZONES)
def test_the_day_that_is_picked_is_stored_and_shown(tmp_path, zone):
    bench = Bench(tmp_path, zone)
    try:
        bench.edit("Thing 2")
        bench.browser.run("""const picker = document.getElementById("edit-dateValue").parentNode.querySelector(".picker");
            picker.value = "2026-03-09T00:15";
            picker.dispatchEvent(new Event("change"))""")
        bench.save()
        value = datetime.datetime.fromisoformat(bench.values("Thing 2")["dateValue"])
        assert value == datetime.datetime(2026, 3, 9, 0, 15, tzinfo=bench.zone)
        assert bench.shown("dateValue").startswith("2026-03-09 00:15:00")
    finally:
        bench.close()


def test_links_name_one_object_or_none(bench):
    owners = {row["id"]: row["values"]["name"] for row in bench.server.store.objects("Owner")}
    bench.edit("Thing 1")
    until(lambda: bench.text("owner") == "Ann")
    bench.fill("owner", "Bob")
    bench.browser.press("Save")
    until(lambda: any("several Owner" in words for words in bench.browser.texts("#side .wrong")))
    bench.fill("owner", " Eve ")
    bench.save()
    linked = bench.call(f"/api/objects/{bench.things['Thing 1']}")["links"]["owner"]
    assert owners[linked] == " Eve "


def test_each_proposal_of_a_link_names_one_object(bench):
    bench.server.store.apply({"insert": "Owner", "values": {"name": "\u200b"}})
    owners = {row["id"]: row["values"]["name"] for row in bench.server.store.objects("Owner")}
    bench.edit("Thing 1")
    until(lambda: bench.text("owner") == "Ann")
    bench.fill("owner", "")

    def proposals():
        return bench.browser.run("return [...document.querySelectorAll('#choices-owner option')].map((option) => [option.value, option.label])")

    until(lambda: len(proposals()) == len(owners), 10, proposals)
    found = {value: [value] if value in owners else [owner for owner, name in owners.items() if name == value] for value, _ in proposals()}
    assert sorted(found.values()) == sorted([owner] for owner in owners), proposals()
    unseen = next(value for value, label in proposals() if label == "“U+200B”")
    bench.fill("owner", unseen)
    bench.save()
    assert bench.call(f"/api/objects/{bench.things['Thing 1']}")["links"]["owner"] == found[unseen][0]


LEAVING = ["reload", "escape", "another row", "a step of time", "signing in", "a restart of the server", "a cut line", "another part"]


def leave(bench, way):
    """Leaves a form in a way, and comes back to where it was."""
    page = bench.browser
    if way == "reload":
        page.driver.refresh()
    elif way == "escape":
        page.keys(Keys.ESCAPE)
    elif way == "another row":
        page.click(".canvas .row:not([hidden])")
        until(lambda: page.text("#side h1") != "Thing 7")
    elif way == "a step of time":
        page.press("One commit back")
        until(lambda: "at=" in page.driver.current_url)
        page.click(".as-of button")
        until(lambda: "at=" not in page.driver.current_url)
    elif way == "signing in":
        page.driver.delete_all_cookies()
        page.press("Save")
        bench.sign_in()
    elif way == "a restart of the server":
        bench.server.kill()
        until(lambda: "lost" in page.text("#top .live"))
        bench.server.start()
        until(lambda: page.all(".sign-in[open]"), 40, "sessions die with the server")
        bench.sign_in()
    elif way == "a cut line":
        bench.line.cut()
        page.press("Save")
        until(lambda: page.texts("#side .wrong"))
        bench.line.mend()
        until(lambda: page.text("#top .live") == "live", 40)
    else:
        page.click('nav a[data-part="store"]')
        until(lambda: page.all(".tile"))


@pytest.mark.parametrize("way", LEAVING)
def test_an_edit_outlives_each_way_of_leaving_its_form(bench, way):
    words = "typed before\nit was left"
    page = bench.browser
    bench.edit("Thing 7")
    bench.fill("words", words)
    bench.fill("integerValue", "9007199254740995")
    until(lambda: any("Thing 7" in text for text in page.texts("#top .drafts")), 5, "the page says that something is not saved")
    leave(bench, way)
    if bench.text("words") is None:
        until(lambda: page.texts("#top .drafts button"))
        page.click("#top .drafts button")
    until(lambda: bench.text("words") == words, 20, lambda: f"{words!r}, not {bench.text('words')!r}")
    bench.save()
    after = bench.values("Thing 7")
    assert (after["words"], after["integerValue"]) == (words, "9007199254740995")
    assert not page.texts("#top .drafts button")


def test_cancel_discards_what_was_typed(bench):
    bench.edit("Thing 7")
    before = bench.values("Thing 7")
    bench.fill("words", "never mind")
    bench.browser.press("Cancel")
    until(lambda: not bench.browser.texts("#top .drafts button") and bench.browser.all("#side .values"))
    assert bench.values("Thing 7") == before


def test_what_was_typed_for_an_object_that_others_delete_is_read_and_discarded(bench):
    page = bench.browser
    bench.edit("Thing 6")
    bench.fill("words", "typed\nin two lines")
    bench.fill("integerValue", "not yet a number")
    bench.call("/api/commits", {"delete": bench.things["Thing 6"]})
    page.driver.refresh()
    until(lambda: page.all("#side .typed textarea"))
    assert "Deleted in" in page.text("#side .object")
    typed = page.run(
        """return Object.fromEntries([...document.querySelectorAll('#side .typed .field')]
          .map((node) => [node.firstChild.textContent, node.querySelector('textarea').value]))"""
    )
    assert typed == {"words": "typed\nin two lines", "integerValue": "not yet a number"}
    assert page.run("return [...document.querySelectorAll('#side .typed textarea')].every((node) => node.readOnly)")
    # The way at the top leads there.
    page.keys(Keys.ESCAPE)
    until(lambda: not page.all("#side .object"))
    page.click("#top .drafts button")
    until(lambda: page.all("#side .typed textarea"))
    page.press("Discard")
    until(lambda: not page.texts("#top .drafts button") and not page.all("#side .typed"))
    assert "Deleted in" in page.text("#side .object")


def test_letters_typed_through_a_slow_line_stay(bench):
    bench.line.delay = 0.4
    bench.edit("Thing 1")
    for name, words in {"words": "typed one by one", "owner": "Ann and more", "integerValue": "123"}.items():
        field = bench.field(name)
        field.send_keys(Keys.CONTROL, "a")
        for letter in words:
            field.send_keys(letter)
        time.sleep(1)
        assert bench.text(name) == words


def test_changes_of_others_are_shown_beside_what_is_typed(bench):
    identity = bench.things["Thing 4"]
    bench.call("/api/commits", {"set": identity, "values": {"words": "base", "integerValue": 1, "doubleValue": 1.5}})
    bench.edit("Thing 4")
    until(lambda: bench.text("words") == "base")
    bench.fill("words", "mine")
    bench.fill("integerValue", "2")
    bench.call("/api/commits", {"set": identity, "values": {"words": "theirs", "doubleValue": 2.5}})
    conflict = until(lambda: next((words for words in bench.browser.texts("#side .conflict") if words), None), 10)
    assert all(word in conflict for word in ["base", "theirs", "mine"])
    until(lambda: bench.text("doubleValue") == "2.5", 10, "a value that is not being changed follows")
    bench.browser.press("Save")
    until(lambda: any("changed by somebody else" in words for words in bench.browser.texts("#side .wrong")))
    assert bench.values("Thing 4")["words"] == "theirs"
    bench.browser.press("Keep yours")
    bench.save()
    after = bench.values("Thing 4")
    assert (after["words"], after["integerValue"], after["doubleValue"]) == ("mine", "2", "2.5")


def test_a_save_whose_answer_is_lost_is_written_once(bench):
    bench.edit("Thing 5")
    bench.fill("words", "once")
    head = int(bench.call("/api/stats")["head"])
    bench.browser.run("""const send = window.fetch;
        let isFirst = true;
        window.fetch = async (path, options) => {
          const answer = await send(path, options);
          if (options?.method === "POST" && isFirst) {
            isFirst = false;
            throw new TypeError("the answer is lost");
          }
          return answer;
        }""")
    bench.browser.press("Save")
    until(lambda: int(bench.call("/api/stats")["head"]) == head + 1)
    time.sleep(1)
    if bench.browser.all("#side .edit"):
        bench.save()
    assert int(bench.call("/api/stats")["head"]) == head + 1
    assert not bench.browser.texts("#side .conflict")


def test_the_cursor_is_at_the_next_row_after_a_delete(bench):
    names = bench.browser.names()
    bench.browser.open(bench, "#/list?entity=Thing")
    until(lambda: len(bench.browser.names()) == 12)
    names = bench.browser.names()
    bench.browser.keys("j")
    bench.browser.keys("j")
    bench.browser.keys(Keys.ENTER)
    until(lambda: bench.browser.text("#side h1") == names[1])
    bench.browser.press("Delete…")
    bench.browser.one("dialog[open] button.danger").click()
    until(lambda: names[1] not in bench.browser.names())
    assert bench.browser.run("return document.querySelector('.row.at:not([hidden]):not(.going)').cells[0].textContent") == names[2]
    assert bench.browser.run("return document.activeElement.getAttribute('role')") == "grid"
