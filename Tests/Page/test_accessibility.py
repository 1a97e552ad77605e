"""axe finds nothing to report: every part, light and dark, wide and narrow."""
import pytest
from axe_selenium_python import Axe

from browser import DESKTOP, PHONE, Browser, until

PLACES = {
    "list": ("#/list?section=type.name", ".row"),
    "past": ("#/list?at=40", ".row"),
    "object": ("#/list?object={object}", ".object .history li"),
    "tree": ("#/tree", ".tree li"),
    "journal": ("#/journal?commit=10", ".commit .history li"),
    "compare": ("#/compare?from=20&to=60", ".item.insert"),
    "model": ("#/model", ".drawing svg"),
    "store": ("#/store", ".tile"),
}


@pytest.fixture(scope="module", params=[(DESKTOP, False), (DESKTOP, True), (PHONE, False), (PHONE, True)], ids=["light", "dark", "phone", "dark-phone"])
def looks(request):
    size, dark = request.param
    browser = Browser(size, dark)
    yield browser
    browser.close()


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(looks, book, place):
    address, shown = PLACES[place]
    looks.open(book, address.format(object=book.store.named("Recipe", "Coq au vin")))
    looks.one(shown)
    # Names come a moment later, and a flash has other colours while it fades.
    until(lambda: looks.run("return document.getAnimations().every((animation) => animation.playState !== 'running')"))
    axe = Axe(looks.driver)
    axe.inject()
    violations = axe.run()["violations"]
    assert not violations, axe.report(violations)


def test_a_narrow_page_does_not_scroll_sideways(looks, book):
    for address, shown in PLACES.values():
        looks.open(book, address.format(object=book.store.named("Recipe", "Coq au vin")))
        looks.one(shown)
        assert looks.run("return document.documentElement.scrollWidth <= innerWidth"), address
