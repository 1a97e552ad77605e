"""Every part, light and dark, wide and narrow: axe finds nothing to report, and nothing is wider than the window."""
import pytest

from accessibility import check
from browser import DESKTOP, PHONE, Browser

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
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(looks, book, place):
    address, shown = PLACES[place]
    looks.open(book, address.format(object=book.store.named("Recipe", "Coq au vin")))
    looks.one(shown)
    check(looks, place)
