"""Every part of the page, clicked, typed into and read."""

import copy
import datetime
import json
import zoneinfo

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import recipes
import things
from browser import until
from daybook import Server, Store, run


def names_of(server, *options):
    return [row["values"]["name"] for row in server.store.objects("Recipe", "--sort", "name", *options)]


def begins_with(page, expected):
    """Waits until the rows in view are the first ones of a list."""
    until(lambda: page.names() and page.names() == expected[: len(page.names())], 10, f"{expected[:5]} in view")


def test_the_list_shows_what_fetch_prints(page, book):
    page.open(book)
    begins_with(page, names_of(book))
    assert page.text(".total") == f"{len(names_of(book))} rows"
    assert page.one('[role="grid"]').get_attribute("aria-rowcount") == str(len(names_of(book)) + 1)


def test_links_are_called_by_their_names(page, book):
    page.open(book, "#/list?columns=name&columns=type")
    until(lambda: "Dessert" in page.texts(".row .link-value"))


def test_a_filter_asks_for_other_rows(page, book):
    page.open(book)
    page.one(".filter input").send_keys("servings >= 6")
    begins_with(page, names_of(book, "--where", "servings >= 6"))
    until(lambda: "servings" in page.driver.current_url)


def test_a_wrong_filter_keeps_the_list_and_marks_the_column(page, book):
    page.open(book)
    begins_with(page, names_of(book))
    before = page.names()
    page.one(".filter input").send_keys("servings >= 4 AND nme == 1")
    until(lambda: "nme" in page.text(".filter .message"))
    assert page.run("return document.querySelector('.filter .caret').textContent.indexOf('^')") == "servings >= 4 AND nme == 1".index("nme")
    shown = page.names()
    assert shown and shown == before[: len(shown)], "the last list stays"
    page.one(".filter input").clear()
    page.one(".filter input").send_keys("servings >= 4")
    until(lambda: not page.one(".filter input").get_attribute("aria-invalid"))


def test_the_last_right_filter_is_followed_while_another_is_wrong(page, kitchen):
    page.open(kitchen, "#/list?where=servings+>=+4")
    until(page.names)
    field = page.one(".filter input")
    field.send_keys(" AND nme == 1")
    until(lambda: "nme" in page.text(".filter .message"))
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "Aaa", "servings": 9}})
    until(lambda: page.names()[0] == "Aaa")
    assert page.text("#top .live") == "live"
    head = kitchen.store.head
    page.press("One commit back")
    until(lambda: f"at={head - 1}" in page.driver.current_url and page.names()[0] != "Aaa")
    # Without a list that was right before, nothing is followed, and the page says so.
    page.open(kitchen, "#/list?where=nme+==+1")
    until(lambda: "nme" in page.text(".filter .message"))
    assert page.text("#top .live") == "not followed"


def test_plain_words_are_found(page, book):
    page.open(book)
    page.one(".filter input").send_keys("CAKE choc")
    begins_with(page, ["Chocolate cake"])
    page.one(".filter input").clear()
    page.one(".filter input").send_keys("drink creme")
    begins_with(page, ["Crème"])


def test_a_filter_is_completed_and_taken_from_a_cell(page, book):
    page.open(book)
    page.one(".filter input").send_keys("serv", Keys.ARROW_DOWN, Keys.TAB, ">= 6")
    assert page.one(".filter input").get_attribute("value") == "servings >= 6"
    begins_with(page, names_of(book, "--where", "servings >= 6"))
    cell = page.one('.row:not([hidden]) [data-column="servings"]')
    count = cell.text
    ActionChains(page.driver).key_down(Keys.ALT).click(cell).key_up(Keys.ALT).perform()
    begins_with(page, names_of(book, "--where", f"servings >= 6 AND servings == {count}"))


def test_a_filter_is_taken_from_a_cell_of_each_type(page, tmp_path):
    store = Store.empty(tmp_path, things.MODEL)
    store.apply(
        *things.lines(6),
        {
            "insert": "Thing",
            "values": {
                "name": "Text",
                "stringValue": 'says "so"\n\\ and\tmore',
                "dateValue": "2026-03-10T00:30:00.000001Z",
                "booleanValue": True,
                "decimalValue": "0.10",
                "doubleValue": 0.1,
            },
        },
    )
    server = Server(store)
    try:
        rows = store.objects("Thing", "--sort", "name:desc")
        for index, (column, name) in enumerate(
            [
                ("owner", "Thing 5"),
                ("owner", "Text"),
                ("dateValue", "Text"),
                ("stringValue", "Text"),
                ("integerValue", "Text"),
                ("booleanValue", "Text"),
                ("decimalValue", "Text"),
                ("doubleValue", "Text"),
                ("uuidValue", "Thing 3"),
                ("createdAt", "Thing 2"),
            ]
        ):

            def value(row):
                return row["values"].get(column, row["links"].get(column, row.get(column)))

            wanted = next(value(row) for row in rows if row["values"]["name"] == name)
            expected = [row["values"]["name"] for row in rows if value(row) == wanted]
            assert len(expected) < len(rows)
            page.open(server, f"#/list?entity=Thing&sort=name:desc&columns=name&columns={column}")
            until(lambda: len(page.names()) == len(rows))
            place = page.names().index(name)
            # By the mouse, and by keys.
            if index % 2:
                cell = page.all(f'.canvas .row:not([hidden]) [data-column="{column}"]')[place]
                ActionChains(page.driver).key_down(Keys.ALT).click(cell).key_up(Keys.ALT).perform()
            else:
                for _ in range(place + 1):
                    page.keys("j")
                page.keys("=", Keys.TAB)
                until(lambda: page.run("return document.activeElement.textContent").startswith(f"{column}: "))
                page.keys(Keys.ENTER)
            until(lambda: page.names() == expected, 10, lambda: (column, wanted, page.names(), page.driver.current_url, page.texts(".filter .message")))
            assert not page.all("dialog.values-of-row")
        page.keys("?")
        assert "row at the cursor" in page.text("dialog[open] .keys")
    finally:
        server.stop()


def test_one_field_goes_to_positions_dates_identities_and_names(page, book):
    identity = book.store.named("Recipe", "Coq au vin")
    time = json.loads(run("log", book.store.path, "--from", 30, "--to", 30, "--jsonl"))["recordedAt"]
    for keys, words, wanted in [("gg", "#30", "at=30"), (Keys.CONTROL + "k", "coq au", identity), ("gg", identity[-8:], identity), ("gg", time, "at=30")]:
        page.open(book)
        until(page.names)
        page.keys(*keys) if keys == "gg" else ActionChains(page.driver).key_down(Keys.CONTROL).send_keys("k").key_up(Keys.CONTROL).perform()
        page.one(".go-to input").send_keys(words)
        until(lambda: page.texts(".go-to .found button"))
        page.one(".go-to input").send_keys(Keys.ENTER)
        until(lambda: wanted in page.driver.current_url, 10, words)
    page.open(book)
    until(page.names)
    page.keys("g", "g")
    page.one(".go-to input").send_keys("no such thing")
    until(lambda: "no such thing" in page.text(".go-to .wrong"))


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_a_date_without_an_offset_is_of_the_place_of_the_browser(page, book, zone):
    recorded = {
        line["position"]: datetime.datetime.fromisoformat(line["recordedAt"])
        for line in map(json.loads, run("log", book.store.path, "--from", 29, "--to", 31, "--jsonl").splitlines())
    }
    local = recorded[30].astimezone(zoneinfo.ZoneInfo(zone))
    page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
    try:
        # The day, in whose first instant nothing was recorded yet, and the next one, in which everything was.
        asked = "return performance.getEntriesByType('resource').map(({ name }) => new URL(name).searchParams.get('to')).filter((to) => to?.includes('T'))"
        for words, wanted in [
            (local.strftime("%Y-%m-%d %H:%M:%S.%f"), recorded[30]),
            (local.strftime("%Y-%m-%d"), local.replace(hour=0, minute=0, second=0, microsecond=0)),
        ]:
            page.open(book)
            until(page.names)
            page.keys("g", "g")
            page.one(".go-to input").send_keys(words)
            until(lambda: any(datetime.datetime.fromisoformat(to) == wanted for to in page.run(asked)), 10, lambda: (words, page.run(asked)))
            if wanted == recorded[30]:
                page.one(".go-to input").send_keys(Keys.ENTER)
                until(lambda: "at=30" in page.driver.current_url)
    finally:
        page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_the_store_is_named(page, book):
    page.open(book)
    until(lambda: page.text("#top .store") == "store.daybook")
    assert "store.daybook" in page.driver.title


def test_twenty_columns_scroll_sideways_under_their_heads(page, tmp_path):
    attributes = [{"name": "name", "type": "string"}] + [
        {"name": f"{kind}{number}", "type": kind, "optional": True} for number in range(6) for kind in ["integer", "string", "date"]
    ]
    store = Store.empty(tmp_path, {"entities": [{"name": "Wide", "nameAttribute": "name", "attributes": attributes}]})
    store.apply(*({"insert": "Wide", "values": {"name": f"Row {number}", "integer5": number}} for number in range(9)))
    server = Server(store)
    names = [*(attribute["name"] for attribute in attributes), "changedAt"]
    assert len(names) == 20
    page.open(server, "#/list?" + "&".join(f"columns={name}" for name in names))
    until(page.names)
    try:
        with page.sized(600, 800):
            places = """const row = document.querySelector(".canvas .row:not([hidden])"), left = (node) => Math.round(node.getBoundingClientRect().left);
                return [[...document.querySelectorAll('[role="columnheader"]')].map(left), row.cells.map(left), row.cells.map((cell) => cell.clientWidth)]"""
            until(lambda: page.run("const rows = document.querySelector('.rows'); return rows.scrollWidth > rows.clientWidth"))
            heads, cells, widths = page.run(places)
            assert heads == cells and min(widths) >= 56 and widths[0] >= 120
            page.run("document.querySelector('.rows').scrollLeft = 200")
            until(lambda: page.run(places)[1][1] < cells[1])
            until(lambda: page.run(places)[0] == page.run(places)[1])
            assert page.run(places)[1][0] == cells[0], "the name stays"
            # To the last one.
            page.run("const rows = document.querySelector('.rows'); rows.scrollLeft = rows.scrollWidth")
            until(lambda: page.run(places)[0] == page.run(places)[1] and page.run(places)[1][-1] < 600)
            assert page.run(places)[1][0] == cells[0] and page.run(places)[2] == widths
    finally:
        server.stop()


def test_the_elements_of_rows_are_in_the_order_that_is_seen(page, kitchen):
    page.open(kitchen, "#/list?sort=name&section=type.name")
    until(page.names)
    order = """return [...document.querySelectorAll(".canvas > :not([hidden]):not(.going)")].map((node) => node.top)"""
    for number in range(6):
        kitchen.store.apply({"insert": "Recipe", "values": {"name": f"{'AMZ'[number % 3]}{number}", "servings": 1}})
        page.run("document.querySelector('.rows').scrollTop = arguments[0]", [0, 300, 100, 700, 50, 0][number])
        until(lambda: page.run(order) == sorted(page.run(order)), 5, lambda: page.run(order))


def test_headers_sort(page, book):
    page.open(book)
    until(page.names)
    page.click('[role="columnheader"] button')
    until(lambda: page.names()[:3] == names_of(book)[::-1][:3])
    assert page.one('[aria-sort="descending"]')


def test_sections_have_headers_with_counts(page, book):
    page.open(book, "#/list?section=type.name")
    sections = book.store.fetch("Recipe", "--section", "type.name", "--sort", "name")["sections"]
    until(lambda: page.texts(".section .name"))
    first = page.texts(".section .name")[0]
    expected = next(section for section in sections if section["name"] == first)
    assert page.texts(".section .count")[0] == str(len(expected["objects"]))


def test_columns_are_chosen(page, book):
    page.open(book)
    until(page.names)
    page.click(".columns summary")
    box = next(label for label in page.all(".columns label") if label.text == "servings")
    box.find_element(By.TAG_NAME, "input").click()
    until(lambda: not any(head.startswith("servings") for head in page.texts('[role="columnheader"]')))


def test_a_row_comes_moves_flashes_and_goes_with_its_cause(page, kitchen):
    page.open(kitchen)
    until(page.names)
    kitchen.store.apply({"commit": [{"insert": "Recipe", "as": "$a", "values": {"name": "Aioli"}}], "author": "chef"})
    until(lambda: page.names()[0] == "Aioli")
    until(lambda: any("chef" in news for news in page.texts(".row.insert .news")))
    aioli = kitchen.store.named("Recipe", "Aioli")
    kitchen.store.apply({"commit": [{"set": aioli, "values": {"servings": 9}}], "author": "Maria"})
    until(lambda: any("Maria" in news for news in page.texts(".row.update .news")))
    kitchen.store.apply({"commit": [{"rename": aioli, "to": "Babka"}], "author": "editor"})
    until(lambda: page.names()[:3] == names_of(kitchen)[:3] and "Babka" in page.names())
    kitchen.store.apply({"delete": aioli})
    until(lambda: "Babka" not in page.names())


def test_the_slider_shows_the_past_and_now_returns(page, kitchen):
    page.open(kitchen)
    until(page.names)
    slider = page.one('input[type="range"]')
    size = slider.size["width"]
    ActionChains(page.driver).move_to_element_with_offset(slider, size // 2 - 4, 0).click_and_hold().move_by_offset(-size // 2, 0).release().perform()
    until(lambda: "at=" in page.driver.current_url)
    position = int(page.driver.current_url.split("at=")[1].split("&")[0])
    begins_with(page, names_of(kitchen, "--at", position))
    assert f"as of #{position}" in page.text(".as-of")
    page.click(".as-of button")
    begins_with(page, names_of(kitchen))
    assert "at=" not in page.driver.current_url


def test_brackets_step_and_play_goes_to_now(page, kitchen):
    head = kitchen.store.head
    page.open(kitchen, f"#/list?at={head - 3}")
    until(page.names)
    page.keys("[")
    until(lambda: f"at={head - 4}" in page.driver.current_url)
    begins_with(page, names_of(kitchen, "--at", head - 4))
    page.keys("]")
    until(lambda: f"at={head - 3}" in page.driver.current_url)
    page.keys(" ")
    until(lambda: "at=" not in page.driver.current_url, 20)
    begins_with(page, names_of(kitchen))


def test_keys_move_open_and_close(page, book):
    page.open(book)
    until(page.names)
    page.keys("j")
    page.keys("j")
    page.keys("k")
    page.keys(Keys.ENTER)
    until(lambda: page.text(".object h1") == names_of(book)[0])
    page.keys(Keys.ESCAPE)
    until(lambda: not page.one("#top") or not any(node.is_displayed() for node in page.all("#side")))
    page.keys("/")
    until(lambda: page.run("return document.activeElement.type") == "search")
    page.keys(Keys.ESCAPE)
    for key, part in [("t", "Tree"), ("j", "Journal"), ("l", "Lists")]:
        page.keys("g")
        page.keys(key)
        until(lambda: page.text("nav [aria-current]") == part)
    page.keys("?")
    assert "one commit back" in page.text("dialog[open]")


def test_an_object_shows_values_who_set_them_and_its_history(page, book):
    name = "Coq au vin"
    identity = book.store.named("Recipe", name)
    page.open(book, f"#/list?object={identity}")
    until(lambda: page.text(".object h1") == name)
    until(lambda: "Stew" in page.text(".values") or "→" in page.text(".values"))
    assert page.all(".values .by a.position")
    until(lambda: "inserted" in page.text(".history"))
    page.press("Compare")
    until(lambda: page.text(".object .facts"))


def test_an_object_of_the_past_is_shown_as_it_was(page, kitchen):
    identity = kitchen.store.named("Recipe", "Lasagne")
    before = kitchen.store.head
    kitchen.store.apply({"rename": identity, "to": "Lasagne verdi"})
    page.open(kitchen, f"#/list?object={identity}&at={before}")
    until(lambda: page.text(".object h1") == "Lasagne")
    page.click(".as-of button")
    until(lambda: page.text(".object h1") == "Lasagne verdi")
    kitchen.store.apply({"delete": identity})
    until(lambda: "Deleted in" in page.text(".object"))


def test_the_focus_stays_in_an_object_that_a_commit_changes(page, kitchen):
    identity = kitchen.store.named("Recipe", "Lasagne")
    kitchen.store.apply(*({"set": identity, "values": {"servings": 80 + number}} for number in range(20)))
    page.open(kitchen, f"#/list?object={identity}")
    until(lambda: page.text(".object h1") == "Lasagne" and page.all(".object .history button"))
    focused = "const node = document.activeElement; return [node.tagName, node.getAttribute('aria-label'), node.textContent, Boolean(node.closest('.object'))]"
    for number, selector in enumerate(
        [".object .history li:last-child button", ".object .history li:last-child a.position", ".object .between input", ".object .close"]
    ):
        page.run("document.querySelector(arguments[0]).focus({ preventScroll: true }); document.querySelector('#side').scrollTop = 40", selector)
        before = page.run(focused)
        assert before[3]
        kitchen.store.apply({"set": identity, "values": {"servings": 100 + number}})
        until(lambda: str(100 + number) in page.text(".object .values"))
        assert page.run(focused) == before, selector
        assert page.run("return document.querySelector('#side').scrollTop") == 40


def test_the_tree_opens_and_moves_live(page, kitchen):
    page.open(kitchen, "#/tree")
    page.click('[aria-expanded="false"] .twist')
    until(lambda: page.all('[aria-expanded="true"] [aria-level="2"]'))
    page.keys(Keys.ARROW_DOWN)
    until(lambda: page.run("return document.activeElement.getAttribute('aria-level')") == "2")
    first = page.one('[aria-level="1"]').get_attribute("data-id")
    kitchen.store.apply({"rename": first, "to": "Aardvark stew"})
    until(lambda: page.texts(".tree .name")[0] == "Aardvark stew")


def test_the_tree_of_a_history_goes_deep(page, history):
    page.open(history, "#/tree")
    until(lambda: "Sources" in page.texts(".tree .name"))
    item = next(item for item in page.all('[aria-level="2"]') if item.find_element(By.CSS_SELECTOR, ".name").text == "Sources")
    item.find_element(By.CSS_SELECTOR, ".twist").click()
    until(lambda: "Daybook" in page.texts('[aria-level="3"] .name'))


def test_the_journal_is_live_and_filtered(page, kitchen):
    page.open(kitchen, "#/journal")
    until(lambda: len(page.all(".journal li")) > 20)
    kitchen.store.apply({"commit": [{"insert": "Tag", "values": {"name": "new"}}], "author": "chef", "message": "A new tag"})
    until(lambda: "A new tag" in page.texts(".journal .subject"))
    # What has the focus, and what is in view, stay where they are while commits come.
    page.run("document.querySelectorAll('.journal li')[30].querySelector('a').focus(); document.getElementById('main').scrollTop = 600")
    where = "const node = document.activeElement; return [node.textContent, Math.round(node.getBoundingClientRect().top)]"
    focused = page.run(where)
    for number in range(3):
        kitchen.store.apply({"commit": [{"insert": "Tag", "values": {"name": f"more {number}"}}], "message": f"More {number}"})
        until(lambda: f"More {number}" in page.texts(".journal .subject"))
    assert page.run(where) == focused
    page.one('input[aria-label="author"]').send_keys("Maria")
    until(lambda: set(page.texts(".journal .who")) == {"Maria"})


def test_the_journal_says_that_a_wrong_filter_is_not_followed(page, kitchen):
    page.open(kitchen, "#/journal")
    until(lambda: page.text("#top .live") == "live" and page.all(".journal li"))
    field = page.one('input[aria-label="condition"]')
    field.send_keys("metadata.page ==")
    until(lambda: page.texts(".part .wrong"))
    until(lambda: page.text("#top .live") == "not followed")
    field.send_keys(" 12")
    until(lambda: page.text("#top .live") == "live" and not page.texts(".part .wrong"))
    kitchen.store.apply({"commit": [{"insert": "Tag", "values": {"name": "new"}}], "message": "On page 12", "metadata": {"page": 12}})
    until(lambda: "On page 12" in page.texts(".journal .subject"))


def test_a_commit_is_shown_in_full(page, book):
    page.open(book, "#/journal?commit=4")
    until(lambda: page.text(".commit h1") == "Commit #4")
    until(lambda: "page" in page.text(".commit .facts") and "hash" in page.text(".commit .facts"))
    assert page.all(".commit .history li")


def test_identities_in_messages_are_links_with_names(page, kitchen):
    identity = kitchen.store.named("Recipe", "Lasagne")
    kitchen.store.apply({"commit": [{"set": identity, "values": {"servings": 7}}], "message": f"Serves more: {identity}, at last"})
    page.open(kitchen, f"#/journal?commit={kitchen.store.head}")
    until(lambda: page.text(".commit .message") == "Serves more: Lasagne, at last")
    page.click(".commit .message a")
    until(lambda: identity in page.driver.current_url)
    # Else the server ends while the page still loads the part.
    until(lambda: page.text(".object h1") == "Lasagne")


def test_a_name_of_invisible_signs_is_in_sight(page, kitchen):
    for name in ["   ", "\u200b", "\t"]:
        kitchen.store.apply({"insert": "Tag", "values": {"name": name}})
    page.open(kitchen, "#/list?entity=Tag")
    until(lambda: {"“␣ ␣ ␣”", "“U+200B”", "“U+0009”"} <= set(page.names()), 10, page.names)
    page.open(kitchen, "#/list?entity=Tag&section=name")
    until(lambda: {"“␣ ␣ ␣”", "“U+200B”", "“U+0009”"} <= set(page.texts(".section .name")), 10, lambda: page.texts(".section .name"))
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "\u200b"}})
    identity = kitchen.store.named("Recipe", "\u200b")
    page.open(kitchen, "#/tree")
    until(lambda: "“U+200B”" in page.texts(".tree .name"), 10, lambda: page.texts(".tree .name"))
    kitchen.store.apply({"rename": identity, "to": " "}, {"delete": identity})
    head = kitchen.store.head
    for position, name in [(head - 2, "“U+200B”"), (head - 1, "“␣”"), (head, "“␣”")]:
        page.open(kitchen, f"#/journal?commit={position}")
        until(lambda: page.texts(".commit .history a[data-object]") == [name], 10, lambda: page.texts(".commit .history a"))
    page.open(kitchen, f"#/list?object={identity}")
    until(lambda: page.text(".object h1") == "“␣”")
    page.open(kitchen, "#/store")
    until(lambda: page.all(".tile"))
    page.wait("""
        await import("/page/daybook.js");
        const list = document.createElement("daybook-list");
        for (const [name, value] of Object.entries({ entity: "Tag", section: "name" })) list.setAttribute(name, value);
        document.getElementById("main").prepend(list)""")
    until(lambda: any("“␣ ␣ ␣”" in text for text in page.texts("daybook-list .section")))


def test_days_of_the_calendar_are_those_of_the_store(page, kitchen):
    days = {entry["day"]: entry for entry in json.loads(run("activity", kitchen.store.path, "--json"))["days"]}
    day = max(day for day in days if day.startswith("2026-0"))
    year, month, number = (int(part) for part in day.split("-"))
    expected = f"{number} {['', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sept', 'Oct', 'Nov', 'Dec'][month]} {year}: "
    for zone in ["America/Los_Angeles", "Pacific/Auckland"]:
        page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
        try:
            page.open(kitchen, "#/store")
            until(lambda: page.all(".calendar rect.l4"))
            titles = page.run("return [...document.querySelectorAll('.calendar title')].map((node) => node.textContent)")
            assert any(title.startswith(expected) and "nothing" not in title for title in titles), f"{expected} in {zone}"
        finally:
            page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_consequences_are_found_by_cause(page, kitchen):
    kitchen.store.apply({"commit": [{"insert": "Tag", "values": {"name": "one"}}]})
    head = kitchen.store.head
    kitchen.store.apply({"commit": [{"insert": "Tag", "values": {"name": "two"}}], "causation": head, "message": "because"})
    page.open(kitchen, f"#/journal?commit={head}")
    until(lambda: "caused: because" in page.text(".commit"))
    page.open(kitchen, f"#/journal?commit={head + 1}")
    until(lambda: f"caused by #{head}" in page.text(".commit"))


def test_two_positions_are_compared(page, book):
    page.open(book, "#/compare?entity=Recipe&from=20&to=60")
    changes = json.loads(run("diff", book.store.path, "Recipe", "--sort", "name", "--from", 20, "--to", 60, "--json"))["rows"]
    old, now = ({row["id"]: row["values"]["name"] for row in book.store.objects("Recipe", "--at", at)} for at in (20, 60))
    # Only what changed, all of it, each side in the order of its list.
    sides = [
        [names[row["id"]] for row in sorted((row for row in changes if path in row), key=lambda row: row[path])] for names, path in ((old, "from"), (now, "to"))
    ]
    until(lambda: page.texts(".column:first-child .name") == sides[0])
    assert page.texts(".column:last-child .name") == sides[1]
    for kind in ["insert", "delete", "update", "move"]:
        count = sum(row["change"] == kind for row in changes)
        assert len(page.all(f".column .item.{kind}")) == count * (1 if kind in ("insert", "delete") else 2)


def test_rows_beyond_the_first_hundreds_are_no_deletions(page, kitchen):
    many = [{"insert": "Recipe", "values": {"name": f"Z{number:04}"}} for number in range(900)]
    kitchen.store.apply({"commit": many})
    before = kitchen.store.head
    kitchen.store.apply({"commit": [{"insert": "Recipe", "values": {"name": f"A{number:04}"}} for number in range(700)]})
    page.open(kitchen, f"#/compare?entity=Recipe&from={before}&to={before + 1}")
    until(lambda: page.text(".legend") == "+ 700 inserted")
    page.press("Show more of 700 changed rows")
    until(lambda: len(page.all(".item.insert")) == 600)
    page.open(kitchen, f"#/compare?entity=Recipe&where=servings+%3E+1&from={before}&to={before + 1}")
    until(lambda: page.text(".legend") == "No difference.")


def test_the_model_is_drawn_at_any_position(page, kitchen):
    model = copy.deepcopy(recipes.MODEL)
    model["entities"].append({"name": "Cook", "attributes": [{"name": "name", "type": "string"}]})
    path = kitchen.store.path + ".json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(model, file)
    before = kitchen.store.head
    run("model", kitchen.store.path, "--apply", path)
    page.open(kitchen, "#/model")
    until(lambda: "Cook" in page.run("return document.querySelector('.drawing')?.textContent ?? ''"))
    assert "+ Cook" in page.text(".part .history")
    page.open(kitchen, f"#/model?at={before}")
    until(lambda: "Recipe" in page.run("return document.querySelector('.drawing')?.textContent ?? ''"))
    assert "Cook" not in page.run("return document.querySelector('.drawing').textContent")


def test_the_rules_of_the_model_are_listed(page, kitchen):
    model = copy.deepcopy(recipes.MODEL)
    recipe, tag = model["entities"][0], model["entities"][3]
    recipe["rule"] = "note == nil OR servings > 0"
    recipe["attributes"][0] |= {"minimumLength": 1, "pattern": "^[^<]+$"}
    recipe["attributes"][1] |= {"minimum": 1, "maximum": 99}
    recipe["relationships"][2]["most"] = 20
    tag["attributes"][0]["oneOf"] = recipes.TAGS
    path = kitchen.store.path + ".json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(model, file)
    run("model", kitchen.store.path, "--apply", path)
    page.open(kitchen, "#/model")
    until(lambda: "1 to 99" in page.text(".part"))
    text = page.text(".part")
    for line in [
        "name: at least 1 character, matches ^[^<]+$",
        "servings: 1 to 99",
        "tags: at most 20",
        "rule: note == nil OR servings > 0",
        "unique: name",
        f"name: one of {', '.join(recipes.TAGS)}",
        "~ Recipe.servings",
        "~ Recipe: rules, constraints or indexes",
    ]:
        assert line in text, text


def test_the_last_commit_asks_for_nothing_after_it(page, book):
    page.driver.get_log("browser")
    page.open(book, f"#/journal?commit={book.store.head}")
    until(lambda: page.text(".commit h1") == f"Commit #{book.store.head}")
    until(lambda: page.run("return document.querySelector('.waiting').hidden"))
    assert not [entry for entry in page.driver.get_log("browser") if "404" in entry["message"]]


def test_the_store_says_that_its_figures_are_of_the_present(page, book):
    page.open(book, "#/store?at=40")
    until(lambda: "figures here are of the present" in page.text(".part .notice"))
    until(lambda: "2026" in page.text(".as-of"))
    # The counts at the top are of the present, too.
    counts = f"{json.loads(run('stats', book.store.path, '--json'))['events']:,} events"
    assert not page.texts("#top .counts")
    page.click(".as-of button")
    until(lambda: any(counts in words for words in page.texts("#top .counts")))


def test_the_store_shows_its_figures(page, book):
    page.open(book, "#/store")
    until(lambda: "RecipeType" in page.text(".part") and "up to date" in page.text(".part"))
    assert page.all(".calendar rect.l4")


def test_an_empty_store_says_how_to_fill_it(page, tmp_path):
    server = Server(Store.empty(tmp_path))
    try:
        page.open(server)
        assert "daybook insert STORE Recipe name=" in page.text(".empty pre")
        server.store.apply({"insert": "Recipe", "values": {"name": "First"}})
        until(lambda: page.names() == ["First"])
    finally:
        server.stop()


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "</script><b>bold</b>", "{{x}} & \" ' `"])
def test_text_of_the_store_is_never_markup(page, kitchen, text):
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "!" + text}})
    page.open(kitchen)
    until(lambda: page.names() and page.names()[0] == "!" + text)
    for part in ["tree", "journal", "compare?from=1"]:
        page.open(kitchen, f"#/{part}")
        until(lambda: page.run("return document.querySelector('.part')?.textContent.length > 20"))
    assert not page.run("return document.querySelectorAll('main b, main img').length")


def test_a_view_can_be_sent(page, book):
    place = "#/list?entity=Recipe&where=servings+%3E%3D+4&sort=servings&section=type.name&at=50"
    page.open(book, place)
    until(page.names)
    seen = page.names()
    page.open(book, page.driver.current_url.split("/", 3)[3])
    until(lambda: page.names() == seen)
    assert page.one(".filter input").get_attribute("value") == "servings >= 4"
