"""What a person does and sees in Recipes."""

import datetime

from browser import until

NAMES = ["Apple pie", "Chocolate cake", "Greek salad", "Lemonade", "Margherita pizza", "Pancakes", "Ratatouille", "Tomato soup"]
PIE = ["flour", "cold butter", "tart apples", "sugar", "cinnamon", "lemon", "egg"]


def titles(window):
    return window.run("""return [...document.querySelectorAll(".recipe-list .row:not([hidden]):not(.going)")].filter((row) => row.offsetParent)
      .sort((a, b) => a.top - b.top).map((row) => row.querySelector("strong")?.textContent).filter(Boolean)""")


def shows(window, names):
    until(lambda: titles(window) == names, 20, lambda: f"{names}, not {titles(window)}")


def open_recipe(window, name):
    until(
        lambda: window.run(
            """const rows = [...document.querySelectorAll(".recipe-list .row")];
      const row = rows.find((row) => row.offsetParent && row.querySelector("strong")?.textContent === arguments[0]);
      row?.click(); return Boolean(row)""",
            name,
        )
    )
    until(lambda: window.run("return document.querySelector('.part h1')?.textContent") == name, 10, name)


def edit(window, name):
    open_recipe(window, name)
    edit_shown(window, name)


def edit_shown(window, name):
    """Opens the form of the recipe that is shown."""
    window.press("Edit")
    until(lambda: window.field("Name").get_attribute("value") == name and window.all(".ingredient-rows li") and window.all(".type-rows li"))


def parts(window):
    """The names of the ingredients, in the form or in the detail view."""
    return window.run("""const form = document.querySelector(".ingredient-rows");
      return form ? [...form.querySelectorAll("input.name")].map((input) => input.value)
        : [...document.querySelectorAll(".ingredients .name")].map((node) => node.textContent)""")


def has_parts(window, names):
    until(lambda: parts(window) == names, 10, lambda: f"{names}, not {parts(window)}")


def handle(window, name):
    return window.one(f'[aria-label="Move {name}"]')


COOKED = [
    ("March 2026", ["Greek salad | 7 Mar 2026", "Margherita pizza | 13 Mar 2026"]),
    ("February 2026", ["Pancakes | 2 times, last 22 Feb 2026", "Margherita pizza | 14 Feb 2026", "Tomato soup | 19 Feb 2026"]),
    ("January 2026", ["Pancakes | 18 Jan 2026", "Tomato soup | 27 Jan 2026"]),
]
"""What was cooked in which month, before anybody cooks something."""


def cooked(window):
    """Opens the list of what was cooked from the list of recipes."""
    window.press("Cooked")
    until(lambda: window.heading() == "Cooked" and window.rows(), 10, "what was cooked")


def from_events(program, through=None):
    """Returns what was cooked as it follows from the events of the journal: `[(month, [rows])]`."""
    names, days = {}, {}
    for commit in program.commits("recipes")[:through]:
        for event in commit.get("events", []):
            if event["event"] == "inserted" and event["entity"] == "Recipe":
                names[event["object"]] = event["values"]["name"]
            elif event["event"] == "renamed":
                names[event["object"]] = event["to"]
            elif event["event"] == "recorded":
                of = days.setdefault((event["values"]["day"][:7], event["object"]), [])
                (of.append if event["name"] == "Cooked" else of.remove)(event["values"]["day"][:10])
    months = {}
    for (month, recipe), of in days.items():
        if of:
            months.setdefault(month, []).append((-len(of), names[recipe], max(of)))
    return [(words(month, "%B %Y"), [row(*each) for each in sorted(months[month])]) for month in sorted(months, reverse=True)]


def row(count, name, last):
    times = f"{-count} times, last " if count < -1 else ""
    return f"{name} | {times}{words(last, '%-d %b %Y')}"


def words(date, form):
    return datetime.date.fromisoformat(f"{date}-01"[:10]).strftime(form).replace("Sep ", "Sept ")
