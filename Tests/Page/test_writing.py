"""Signing in, and changing a store from its page."""

import json

import pytest
from selenium.webdriver.common.by import By

from browser import Browser, until
from daybook import Server, Store, WritingServer, run


@pytest.fixture
def shop(tmp_path):
    """A server that asks for a token."""
    tokens = tmp_path / "tokens"
    tokens.write_text("a-long-token-of-a-writer write maria\na-long-token-of-a-reader read jonas\n")
    tokens.chmod(0o600)
    server = Server(Store.recipes(tmp_path), "--write", "--token-file", str(tokens))
    yield server
    server.stop()


@pytest.fixture
def visitor():
    browser = Browser()
    yield browser
    browser.close()


def sign_in(page, token):
    page.one(".sign-in input").clear()
    page.one(".sign-in input").send_keys(token)
    page.press("Sign in")


def open_recipe(page, server):
    """Opens a recipe as the writer, and returns its identity."""
    identity = server.store.named("Recipe", "Coq au vin")
    page.open(server, f"#/list?object={identity}")
    sign_in(page, "a-long-token-of-a-writer")
    until(lambda: page.text(".object h1") == "Coq au vin")
    return identity


def fields_of(page):
    """Returns the fields of the form by their names."""
    return {
        node.find_element(By.TAG_NAME, "label").text: node.find_element(By.CSS_SELECTOR, "input, textarea, select")
        for node in page.all(".edit .field")
        if node.find_elements(By.TAG_NAME, "label")
    }


def test_a_token_is_asked_for(visitor, shop):
    visitor.open(shop)
    sign_in(visitor, "wrong")
    until(lambda: "does not know" in visitor.text(".sign-in .wrong"))
    sign_in(visitor, "a-long-token-of-a-reader")
    until(visitor.names)
    assert not visitor.all(".sign-in[open]")
    identity = shop.store.named("Recipe", "Coq au vin")
    visitor.open(shop, f"#/list?object={identity}")
    until(lambda: visitor.text(".object h1") == "Coq au vin")
    assert not [node for node in visitor.all(".object button") if node.text == "Edit"], "a reader is offered no changes"


def test_a_reader_signs_in_with_the_token_of_the_server_and_a_name(visitor, tmp_path):
    server = WritingServer(Store.recipes(tmp_path))
    try:
        identity = server.store.named("Recipe", "Coq au vin")
        visitor.open(server, f"#/list?object={identity}")
        until(lambda: visitor.text(".object h1") == "Coq au vin")
        visitor.press("Sign in to write")
        visitor.one(".sign-in input[name=token]").send_keys(server.token)
        visitor.one(".sign-in input[name=name]").send_keys("Emma")
        visitor.press("Sign in")
        visitor.press("Edit")
        name = fields_of(visitor)["name"]
        name.clear()
        name.send_keys("Coq au riesling")
        visitor.press("Save")
        until(lambda: visitor.text(".object h1") == "Coq au riesling")
        head = server.store.head
        assert json.loads(run("log", server.store.path, "--from", head, "--to", head, "--jsonl"))["author"] == "Emma"
    finally:
        server.stop()


def test_values_names_and_links_are_edited(visitor, shop):
    identity = open_recipe(visitor, shop)
    visitor.press("Edit")
    fields = fields_of(visitor)
    until(lambda: fields["type"].get_attribute("value") != "")
    for name, value in {"name": "Coq au riesling", "servings": "12", "type": "Soup", "tags": "winter"}.items():
        fields[name].clear()
        fields[name].send_keys(value)
    visitor.press("Save")
    until(lambda: visitor.text(".object h1") == "Coq au riesling")
    after = shop.store.objects("Recipe", "--where", 'name == "Coq au riesling" AND servings == 12 AND type.name == "Soup" AND ANY tags.name == "winter"')
    assert [row["id"] for row in after] == [identity]


def test_a_wrong_value_says_why(visitor, shop):
    identity = open_recipe(visitor, shop)
    visitor.press("Edit")
    field = fields_of(visitor)["servings"]
    field.clear()
    field.send_keys("many")
    visitor.press("Save")
    until(lambda: "many" in visitor.text(".edit .wrong"))
    assert shop.store.named("Recipe", "Coq au vin") == identity


def test_a_refused_revert_names_the_object_and_not_its_identity(visitor, shop):
    identity = open_recipe(visitor, shop)
    shop.store.apply({"set": identity, "values": {"servings": 7}}, {"set": identity, "values": {"servings": 8}})
    changed = shop.store.head - 1
    visitor.open(shop, f"#/journal?commit={changed}")
    until(lambda: visitor.text(".commit h1") == f"Commit #{changed}")
    visitor.press("Revert")
    until(lambda: "Coq au vin" in visitor.text(".actions .wrong"))
    assert identity not in visitor.text(".actions .wrong")
    assert shop.store.head == changed + 1


def test_an_object_is_deleted_and_a_revert_brings_it_back(visitor, shop):
    identity = open_recipe(visitor, shop)
    visitor.press("Delete…")
    assert "ingredients go with it" in visitor.text("dialog[open]") and "new times of creation and change" in visitor.text("dialog[open]")
    visitor.one("dialog[open] button.danger").click()
    until(lambda: "Deleted in" in visitor.text(".object"))
    head = shop.store.head
    visitor.open(shop, f"#/journal?commit={head}")
    until(lambda: visitor.text(".commit h1") == f"Commit #{head}")
    assert "new times of creation and change" in visitor.button("Revert").get_attribute("title")
    visitor.press("Revert")
    until(lambda: visitor.text(".commit h1") == f"Commit #{head + 1}")
    assert shop.store.named("Recipe", "Coq au vin") == identity
