"""Groups in the list: their keys and values with bars, live and in the past."""

from selenium.webdriver.common.keys import Keys

from browser import until
from listmenus import cells, choose


def groups(server, *options):
    command = ["--group", "type.name", "--show", "count,sum:servings", *options]
    return [row for section in server.store.fetch("Recipe", *command)["sections"] for row in section["objects"]]


def shown(page):
    columns = [cells(page, column) for column in ("type.name", "count", "sum:servings")]
    # Rows may come or go between two of them.
    return list(zip(*columns, strict=True)) if len(set(map(len, columns))) == 1 else columns


def agrees(page, server, *options):
    """Waits until the list has the groups that the command prints."""

    def expected():
        rows = groups(server, *options)
        return [(row["key"]["type.name"] or "", *(f"{row['values'][name]:,}" for name in ("count", "sum:servings"))) for row in rows]

    until(lambda: shown(page) == expected(), 10, lambda: (expected(), shown(page)))


def test_groups_are_followed_and_have_bars(page, kitchen):
    page.open(kitchen, "#/list")
    until(page.names)
    choose(page, "Group", "group by type.name")
    page.click(".menu.show summary")
    page.one(".menu.show input").send_keys("count, sum:servings", Keys.ENTER)
    choose(page, "Sort", "sort sum:servings ↓")
    agrees(page, kitchen, "--sort", "sum:servings:desc")
    bars = (
        "return [...document.querySelectorAll('.canvas .row:not([hidden]) [data-column=\"sum:servings\"]')]"
        ".map((cell) => parseFloat(cell.style.getPropertyValue('--share')))"
    )
    shares = page.run(bars)
    assert shares[0] == 100 and shares == sorted(shares, reverse=True)
    soup = kitchen.store.named("RecipeType", "Soup")
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "Borscht", "servings": 400}, "relate": {"type": soup}})
    agrees(page, kitchen, "--sort", "sum:servings:desc")
    assert cells(page, "type.name")[0] == "Soup"
    # A group that is new, and the last one of another that goes.
    kitchen.store.apply({"insert": "Recipe", "values": {"name": "Untyped", "servings": 900}})
    agrees(page, kitchen, "--sort", "sum:servings:desc")
    page.click('[aria-sort="descending"] button')
    agrees(page, kitchen, "--sort", "sum:servings")


def test_groups_are_read_at_earlier_positions(page, book):
    head = book.store.head
    for at in (head // 2, head // 2 - 3, head - 1):
        page.open(book, f"#/list?group=type.name&values=count,sum:servings&at={at}")
        agrees(page, book, "--at", str(at))


def test_a_group_leads_to_its_objects(page, kitchen):
    page.open(kitchen, "#/list?group=type.name&sort=type.name:desc")
    until(lambda: cells(page, "type.name")[:1] == ["Stew"])
    page.click(".canvas .row:not([hidden])")
    names = [row["values"]["name"] for row in kitchen.store.objects("Recipe", "--where", 'type.name == "Stew"', "--sort", "name")]
    until(lambda: page.names() == names, 10, lambda: (names, page.names()))


def test_a_wrong_value_is_said_and_the_list_stays(page, kitchen):
    page.open(kitchen, "#/list?group=type.name")
    until(lambda: cells(page, "count"))
    page.click(".menu.show summary")
    page.one(".menu.show input").send_keys("median:servings", Keys.ENTER)
    until(lambda: "is not computed over groups" in page.text("#filter-problem"))
    assert "show" in page.text("#filter-problem")
