"""What else a list is asked for: where empty values and other signs stand, the order of sections, values of related objects."""

import json
from urllib.parse import quote

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import until
from daybook import run
from listmenus import cells, choose, labels


def fetched(server, *options):
    return [row["values"]["name"] for row in server.store.objects("Recipe", *options)]


def shows(page, expected):
    """Waits until the rows in view are the first ones of a list."""
    until(lambda: page.names() and page.names() == expected[: len(page.names())], 10, lambda: (expected, page.names()))


def chosen(page, name):
    return page.run("return document.querySelector(`select[aria-label=${arguments[0]}]`)?.selectedOptions[0].text", name)


def tick(page, label):
    """Ticks a column, or the other way, in the menu that is open."""
    box = next(node for node in page.all(".columns label") if node.text == label)
    box.find_element(By.TAG_NAME, "input").click()


def test_empty_values_are_sorted_first_or_last(page, book):
    page.open(book, "#/list?columns=name&columns=note")
    shows(page, fetched(book, "--sort", "name"))
    # What is never empty has no end for it.
    assert not any("servings" in label and "empty" in label for label in labels(page, "Sort"))
    last = fetched(book, "--sort", "note:nils-last")
    assert last != fetched(book, "--sort", "note")
    choose(page, "Sort", "sort note, empty last")
    shows(page, last)
    assert "sort=note%3Anils-last" in page.driver.current_url
    assert page.text('[aria-sort="ascending"]') == "note ↑"
    # Another visit has the same choice.
    page.driver.refresh()
    shows(page, last)
    assert chosen(page, "Sort") == "sort note, empty last"
    # The head turns the values round and leaves the empty ones where they are.
    page.click('[aria-sort="ascending"] button')
    shows(page, fetched(book, "--sort", "note:desc"))
    assert cells(page, "note")[0] and chosen(page, "Sort") == "sort note ↓"
    choose(page, "Sort", "sort note ↓, empty first")
    shows(page, fetched(book, "--sort", "note:desc:nils-first"))
    assert not cells(page, "note")[0]
    page.click('[aria-sort="descending"] button')
    shows(page, fetched(book, "--sort", "note"))
    # A term that is no choice stands as it is.
    page.open(book, "#/list?sort=name:locale:sv:desc")
    until(lambda: chosen(page, "Sort") == "sort name:locale:sv ↓")
    assert page.text('[aria-sort="descending"]') == "name ↓"


def test_empty_sections_and_other_signs_stand_first_or_last(page, kitchen):
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "7 spices", "note": "7 of them"}}, {"insert": "Recipe", "values": {"name": "Ajvar"}})

    def sections(key, where):
        return [section["name"] or "—" for section in kitchen.store.fetch("Recipe", "--section", key, "--where", where)["sections"]]

    for where, label, key in [
        ('name IN {"7 spices", "Ajvar", "Lasagne"}', "section name by initial", "name.initial"),
        ('name IN {"7 spices", "Ajvar", "Lasagne"}', "section name by initial, # last", "name.initial:other-last"),
        ('name IN {"Ajvar", "Lasagne"}', "section type.name", "type.name"),
        ('name IN {"Ajvar", "Lasagne"}', "section type.name, empty last", "type.name:nils-last"),
        ('name IN {"7 spices", "Ajvar", "Chickpea stew"}', "section note by initial, # last, empty last", "note.initial:other-last:nils-last"),
    ]:
        page.open(kitchen, f"#/list?where={quote(where)}")
        until(page.names)
        choose(page, "Section", label)
        expected = sections(key, where)
        assert len(expected) > 1 and (expected[0] in ("#", "—")) == ("last" not in label)
        until(lambda: page.texts(".section .name") == expected, 10, lambda: (key, expected, page.texts(".section .name")))
        assert key.replace(":", "%3A") in page.driver.current_url
        page.driver.refresh()
        until(lambda: page.texts(".section .name") == expected)
        assert chosen(page, "Section") == label
    assert not any("servings" in label and ("empty" in label or "#" in label) for label in labels(page, "Section"))


def test_sections_stand_in_the_order_that_is_typed(page, kitchen):
    kitchen.store.apply({"insert": "RecipeType", "as": "$t", "values": {"name": "Fish, raw"}})
    raw = kitchen.store.named("RecipeType", "Fish, raw")
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "Ceviche"}, "relate": {"type": raw}})
    page.open(kitchen, "#/list")
    until(page.names)
    assert not page.all(".order"), "no sections, no order of them"
    choose(page, "Section", "section type.name")
    until(lambda: page.texts(".section .name")[:1] == ["Bread"])
    page.click(".order summary")
    field = page.one(".order input")
    field.send_keys('Soup, "Fish, raw", Nothing', Keys.ENTER)
    order = fetched(kitchen, "--section", "type.name", "--sort", "name", "--section-order", 'Soup, "Fish, raw", Nothing')
    shows(page, order)
    assert page.texts(".section .name")[:3] == ["Soup", "Fish, raw", "Bread"]
    assert (
        page.run("const { activeElement } = document; return activeElement.matches('.order[open] input') && activeElement.value")
        == 'Soup, "Fish, raw", Nothing'
    )
    # A row that comes goes to where its section stands.
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "Aguachile"}, "relate": {"type": raw}})
    until(lambda: "Aguachile" in page.names())
    shows(page, fetched(kitchen, "--section", "type.name", "--sort", "name", "--section-order", 'Soup,"Fish, raw"'))
    # Another visit has the same order, and so has the past.
    page.open(kitchen, page.driver.current_url.split("/", 3)[3] + f"&at={kitchen.store.head - 1}")
    shows(page, order)
    page.click(".order summary")
    assert page.one(".order input").get_attribute("value") == 'Soup, "Fish, raw", Nothing'
    # The other end for empty values keeps it, no sections end it.
    choose(page, "Section", "section type.name, empty last")
    until(lambda: "nils-last" in page.driver.current_url)
    assert page.texts(".section .name")[:2] == ["Soup", "Fish, raw"]
    choose(page, "Section", "no sections")
    until(lambda: "section" not in page.driver.current_url and not page.all(".order"))
    until(lambda: not page.texts(".section .name"))


def test_a_wrong_order_of_sections_is_not_a_fault_of_the_filter(page, book):
    page.open(book, "#/list?section=type.name&where=servings+>=+2")
    until(page.names)
    before = page.texts(".section .name")[:2]
    page.click(".order summary")
    page.one(".order input").send_keys('"Soup', Keys.ENTER)
    until(lambda: page.text(".filter .message").startswith("sectionOrder: ") and "quote" in page.text(".filter .message"))
    assert page.one(".filter input").get_attribute("aria-invalid") == "false" and not page.texts(".filter .caret")
    assert page.texts(".section .name")[:2] == before
    page.one(".order input").send_keys('"', Keys.ENTER)
    until(lambda: page.names() and page.texts(".section .name")[0] == "Soup")
    assert not page.texts(".filter .message")


def test_values_of_related_objects_are_columns(page, kitchen):
    tags = [row["id"] for row in kitchen.store.objects("Tag", "--limit", 2)]
    kitchen.store.apply(*({"relate": kitchen.store.named("Recipe", "Apple pie"), "relationship": "tags", "to": tag} for tag in tags))
    page.open(kitchen, "#/list?columns=name&columns=servings")
    until(page.names)
    page.click(".columns summary")
    tick(page, "type.name")
    until(lambda: "columns=type.name" in page.driver.current_url and any(cells(page, "type.name")))
    # The keys go on where they were.
    assert (
        page.run("const { activeElement } = document; return activeElement.matches('.columns[open] input') && activeElement.closest('label').textContent")
        == "type.name"
    )
    tick(page, "tags.name")
    rows = kitchen.store.objects("Recipe", "--sort", "name", "--show", "type.name,tags.name")
    expected = [[row["shown"]["type.name"] or "", ", ".join(row["shown"]["tags.name"])] for row in rows]
    assert any(", " in tags for _, tags in expected)

    def shown():
        return page.run(
            "return [...document.querySelectorAll('.canvas .row:not([hidden])')].map(({ cells }) => cells.slice(2).map((cell) => cell.textContent))"
        )

    until(lambda: shown() and shown() == expected[: len(shown())], 10, lambda: (shown(), expected))
    address = page.driver.current_url
    # They are of their position, too.
    before = kitchen.store.head
    kitchen.store.apply({"commit": [{"rename": kitchen.store.named("RecipeType", "Soup"), "to": "Potage"}], "author": "chef"})
    until(lambda: "Potage" in cells(page, "type.name") and "Soup" not in cells(page, "type.name"))
    until(lambda: any("chef" in news for news in page.texts(".row.update .news")))
    page.press("One commit back")
    until(lambda: f"at={before}" in page.driver.current_url and "Soup" in cells(page, "type.name"))
    assert "Potage" not in cells(page, "type.name")
    page.open(kitchen, address.split("/", 3)[3])
    until(lambda: shown() and "Potage" in cells(page, "type.name"))
    # Only a change of what is shown is one of the list.
    page.run("""window.marks = 0;
        const observer = new MutationObserver(() => marks += document.querySelectorAll(".row.update").length);
        observer.observe(document.querySelector(".canvas"), { subtree: true, attributes: true })""")
    first = kitchen.store.named("Recipe", page.names()[0])
    kitchen.store.apply({"set": first, "values": {"note": "not shown"}})
    until(lambda: page.text("#top .state a") == f"#{kitchen.store.head}", 20, "the page knows the head")
    assert page.run("return marks") == 0
    kitchen.store.apply({"set": first, "values": {"servings": 77}})
    until(lambda: "77" in cells(page, "servings") and page.run("return marks") > 0)


def test_the_head_and_the_filter_know_related_values(page, book):
    page.open(book, "#/list?columns=name&columns=type.name&columns=tags.name")
    until(lambda: any(cells(page, "type.name")))
    heads = page.run(
        "return [...document.querySelectorAll('[role=columnheader]')].map((head) => [head.textContent, head.ariaSort, Boolean(head.querySelector('button'))])"
    )
    # No list is sorted by many values at once.
    assert heads == [["name ↑", "ascending", True], ["type.name", "none", True], ["tags.name", None, False]]
    page.click('[role="columnheader"]:nth-child(2) button')
    shows(page, fetched(book, "--sort", "type.name"))
    assert chosen(page, "Sort") == "sort type.name"
    cell = until(lambda: next(node for node in page.all('.row:not([hidden]) [data-column="type.name"]') if node.text == "Bread"))
    ActionChains(page.driver).key_down(Keys.ALT).click(cell).key_up(Keys.ALT).perform()
    shows(page, fetched(book, "--sort", "type.name", "--where", 'type.name == "Bread"'))
    assert page.one(".filter input").get_attribute("value") == 'type.name == "Bread"'
    # Of many values none is the one to filter by.
    cell = page.one('.row:not([hidden]) [data-column="tags.name"]')
    ActionChains(page.driver).key_down(Keys.ALT).click(cell).key_up(Keys.ALT).perform()
    assert page.one(".filter input").get_attribute("value") == 'type.name == "Bread"'


@pytest.mark.parametrize("menu", ["order", "columns"])
@pytest.mark.parametrize("width", [390, 800, 1280])
def test_a_menu_is_in_the_window(page, book, width, menu):
    with page.sized(width, 780):
        page.open(book, "#/list?section=type.name")
        until(page.names)
        page.click(f".{menu} summary")
        left, right = page.run("const { left, right } = document.querySelector('.menu[open] > div').getBoundingClientRect(); return [left, right]")
        assert 0 <= left < right <= width


@pytest.mark.parametrize("options", [["type.name", "Stew,Soup"], ["createdAt.day", None]])
def test_lists_are_compared_with_their_sections(page, book, options):
    key, order = options
    zone = "Pacific/Auckland"

    def sides(*more):
        answer = json.loads(run("diff", book.store.path, "Recipe", "--sort", "name", "--section", key, *more, "--from", 20, "--to", 60, "--json"))
        old, now = ({row["id"]: row["values"]["name"] for row in book.store.objects("Recipe", "--at", at)} for at in (20, 60))
        return [
            [names[row["id"]] for row in sorted((row for row in answer["rows"] if path in row), key=lambda row: row[path])]
            for names, path in ((old, "from"), (now, "to"))
        ]

    expected = sides(*(["--section-order", order] if order else ["--timezone", zone]))
    assert expected != sides(), "the option matters"
    page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": zone})
    try:
        page.open(book, f"#/compare?entity=Recipe&section={key}&from=20&to=60" + (f"&sectionOrder={order}" if order else ""))
        until(lambda: [page.texts(f".column:{place}-child .name") for place in ("first", "last")] == expected)
    finally:
        page.driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})
