"""Stores, servers and browsers that the tests share."""

import pytest

from browser import Browser
from daybook import ROOT, Server, Store, run


@pytest.fixture(scope="session")
def book(tmp_path_factory):
    """A server of the recipe book that only reads."""
    server = Server(Store.recipes(tmp_path_factory.mktemp("book")))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def history(tmp_path_factory):
    """A server of this repository's own history."""
    store = Store(tmp_path_factory.mktemp("history") / "git.daybook")
    run("import", "git", store.path, ROOT)
    server = Server(store)
    yield server
    server.stop()


@pytest.fixture
def kitchen(tmp_path):
    """A recipe book of one test, whose server writes without a token."""
    server = Server(Store.recipes(tmp_path))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def shared_browser():
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture
def page(shared_browser):
    """A page on a desktop; the test fails if the browser complains about a script, a style or the policy."""
    shared_browser.complaints()
    yield shared_browser
    complaints = shared_browser.complaints()
    shared_browser.driver.get("about:blank")
    assert not complaints
