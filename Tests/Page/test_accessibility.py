"""Every part and form, light and dark, wide and narrow: axe finds nothing to report, and nothing is wider than the window."""

import pytest
from selenium.webdriver.common.keys import Keys

import things
from accessibility import check
from bench import Bench
from browser import PHONE, Browser, until

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

LOOKS = {"light": {}, "dark": {"dark": True}, "phone": {"size": PHONE}, "dark-phone": {"size": PHONE, "dark": True}}


@pytest.fixture(scope="module", params=LOOKS)
def looks(request):
    browser = Browser(**LOOKS[request.param])
    yield browser
    browser.close()


@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(looks, book, place):
    address, shown = PLACES[place]
    looks.open(book, address.format(object=book.store.named("Recipe", "Coq au vin")))
    looks.one(shown)
    check(looks, place)


def edit_forms(bench, page):
    """Yields the name of each state of a form while it is shown."""
    bench.edit("Thing 1")
    yield "edit form"
    bench.fill("integerValue", "many")
    page.press("Save")
    until(lambda: page.texts("#side .wrong"))
    yield "refused value"
    bench.fill("integerValue", "2")
    bench.fill("words", "mine")
    bench.call("/api/commits", {"set": bench.things["Thing 1"], "values": {"words": "theirs"}})
    until(lambda: page.texts("#side .conflict"))
    yield "conflict"
    page.press("Close")
    until(lambda: not page.all("#side .edit"))
    assert page.texts("#top .drafts button")
    yield "draft"
    bench.call("/api/commits", {"delete": bench.things["Thing 1"]})
    page.driver.refresh()
    page.click("#top .drafts button")
    until(lambda: page.texts("#side .typed"))
    yield "draft of a deleted object"
    page.press("Discard")
    bench.show("Thing 2")
    page.press("Delete…")
    page.one("dialog[open] .danger")
    yield "delete question"


def dialogs(bench, page):
    """Yields the name of each state of a dialog while it is shown."""
    page.open(bench, "#/list?entity=Thing")
    until(page.names)
    page.press("Go to")
    page.one(".go-to input").send_keys("Thing 2")
    until(lambda: page.texts(".go-to .found button"))
    yield "go to"
    page.one(".go-to input").send_keys(" and nothing like it")
    until(lambda: page.texts(".go-to .wrong"))
    yield "go to nothing"
    # The first one empties the field.
    page.keys(Keys.ESCAPE, Keys.ESCAPE)
    until(lambda: not page.all("dialog[open]"))
    page.press("Keys")
    page.one("dialog[open] .keys")
    yield "keys"
    page.keys(Keys.ESCAPE)
    page.keys("j")
    page.keys("=")
    page.one(".values-of-row button")
    yield "values of a row"
    page.keys(Keys.ESCAPE)
    page.driver.delete_all_cookies()
    page.driver.refresh()
    page.one(".sign-in[open] input")
    yield "sign in"
    page.one(".sign-in input").send_keys("wrong")
    page.press("Sign in")
    until(lambda: page.texts(".sign-in .wrong"))
    yield "refused token"
    page.one(".sign-in input").clear()
    bench.sign_in()


def lists(bench, page):
    """Yields the name of each state of a list while it is shown."""
    page.open(bench, "#/list?entity=Thing")
    until(page.names)
    page.one(".filter input").send_keys("integ")
    until(lambda: page.texts(".proposals li"))
    page.one(".filter input").send_keys(Keys.ARROW_DOWN)
    yield "completion"
    page.one(".filter input").send_keys(Keys.TAB, "== 1 AND nme == 2")
    until(lambda: page.texts(".filter .message"))
    yield "wrong filter"
    page.open(
        bench,
        "#/list?entity=Thing&"
        + "&".join(f"columns={name}" for name in ["name", *(f"{kind}Value" for kind in things.TYPES), "words", "owner", "createdAt", "changedAt"]),
    )
    until(page.names)
    yield "many columns"
    page.open(bench, "#/list?entity=Thing&section=owner.name&columns=name&columns=owner.name&sort=words:nils-last")
    for menu in ["order", "columns"]:
        until(page.names)
        page.click(f".{menu} summary")
        page.one(f".{menu} div input")
        yield f"menu of {menu}"
    page.keys("+")
    until(lambda: page.run("const { min, max } = document.querySelector('.timeline input'); return max - min") < bench.server.store.head - 1)
    yield "zoomed bar"


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_in_forms_and_dialogs(tmp_path, look):
    bench = Bench(tmp_path, **LOOKS[look])
    try:
        bench.server.store.apply(*({"set": bench.things["Thing 3"], "values": {"words": str(number)}} for number in range(40)))
        for views in [edit_forms, dialogs, lists]:
            for view in views(bench, bench.browser):
                check(bench.browser, f"{view}, {look}")
    finally:
        bench.close()
