"""Importing a file in the page: it is shown before it is written, with the choices that each column has."""

import pytest
from selenium.webdriver.common.by import By

from browser import Browser, until
from daybook import Server, Store, WritingServer

MENU = "label;price;dish\nMonday;4.5;Apple pie\nTuesday;3;Minestrone\n"


@pytest.fixture
def cook(tmp_path):
    """A browser at the import of a server, signed in."""
    server = WritingServer(Store.recipes(tmp_path))
    browser = Browser()
    browser.open(server, "#/import")
    browser.press("Sign in to write")
    browser.one(".sign-in input[name=token]").send_keys(server.token)
    browser.press("Sign in")
    until(lambda: browser.one("input[type=file]").is_enabled())
    yield browser, server
    browser.close()
    server.stop()


def give(page, path, text):
    path.write_text(text, encoding="utf-8")
    page.one("input[type=file]").send_keys(str(path))


def table(page, label):
    """Returns the texts of a table's cells, by row."""
    rows = page.all(f"table[aria-label={label}] tbody tr")
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")] for row in rows]


def choose(page, label, value):
    page.one(f'select[aria-label="{label}"] option[value="{value}"]').click()


def test_a_table_becomes_an_entity(cook, tmp_path):
    page, server = cook
    head = server.store.head
    give(page, tmp_path / "price-list.csv", MENU)
    until(lambda: "another character" in page.text("p[role=status]"), what=lambda: page.text("p[role=status]"))
    assert table(page, "Rows") == [["Monday;4.5;Apple pie"], ["Tuesday;3;Minestrone"]]
    page.one('select option[value=";"]').click()
    until(lambda: table(page, "Rows") == [["Monday", "4.5", "Apple pie"], ["Tuesday", "3", "Minestrone"]], what=lambda: table(page, "Rows"))
    assert page.one("input[list]").get_attribute("value") == "PriceList"
    choose(page, "price: type", "decimal")
    choose(page, "dish: names an object", "Recipe.name")
    page.click('input[aria-label="label: identifies a row"]')
    until(lambda: "2 rows of PriceList" in page.text("p[role=status]") and page.one("button.primary").is_enabled())
    assert server.store.head == head, "a preview writes nothing"
    page.one('.form input[placeholder^="why"]').send_keys("new prices")
    page.press("Import")
    until(lambda: page.names() == ["Monday", "Tuesday"], what=page.names)
    rows = server.store.objects("PriceList", "--where", 'dish.name == "Minestrone"')
    assert [row["values"] for row in rows] == [{"label": "Tuesday", "price": "3"}]


def test_the_controls_of_columns_stay_while_answers_come(cook, tmp_path):
    page, _ = cook
    give(page, tmp_path / "menu.csv", MENU.replace(";", ","))
    until(lambda: page.one("button.primary").is_enabled())
    kept = page.one('select[aria-label="label: type"]')
    for value in ("decimal", "string", ""):
        choose(page, "price: type", value)
        until(lambda: page.one("button.primary").is_enabled())
        assert kept.is_displayed(), "a choice that is open would be closed"
        assert page.text('select[aria-label="price: type"] option') == "double, as found"


def test_what_the_store_refuses_is_said_beside_the_rows(cook, tmp_path):
    page, server = cook
    head = server.store.head
    give(page, tmp_path / "dishes.csv", "name\nApple pie\nNew dish\n")
    page.one("input[list]").clear()
    page.one("input[list]").send_keys("Recipe")
    until(lambda: "already" in page.text(".form .wrong"), what=lambda: page.text(".form .wrong"))
    assert "--" not in page.text(".form .wrong") and not page.one("button.primary").is_enabled()
    assert table(page, "Rows") == [["Apple pie"], ["New dish"]]
    page.click('input[aria-label="name: identifies a row"]')
    until(lambda: page.one("button.primary").is_enabled())
    page.press("Import")
    until(lambda: server.store.objects("Recipe", "--where", 'name == "New dish"'))
    assert len(server.store.objects("Recipe", "--where", 'name == "Apple pie"')) == 1
    assert server.store.head == head + 1


def test_a_file_that_is_cut_off_names_the_line(cook, tmp_path):
    page, server = cook
    head = server.store.head
    give(page, tmp_path / "cut.csv", "a,b\n1\n")
    until(lambda: "line 2" in page.text(".form .wrong"), what=lambda: page.text(".form .wrong"))
    give(page, tmp_path / "cut.json", '[{"a": 1}, {"a"')
    until(lambda: "line 1" in page.text(".form .wrong"), what=lambda: page.text(".form .wrong"))
    assert not page.one("button.primary").is_enabled() and server.store.head == head


def test_a_server_that_reads_offers_no_import(page, tmp_path):
    server = Server(Store.recipes(tmp_path))
    try:
        page.open(server, "#/store")
        until(lambda: page.texts(".tile strong"))
        assert not page.all("a[href='#/import']")
        page.open(server, "#/import")
        until(lambda: "imports no files" in page.text(".form .wrong"))
        assert not page.one("input[type=file]").is_enabled()
    finally:
        server.stop()
