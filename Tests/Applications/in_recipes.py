"""What a person does and sees in Recipes."""

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
