"""What a person does and sees in Topics."""

from browser import until


def descend(window, name):
    window.open_row(name)
    until(lambda: window.heading() == name and window.all('[aria-label="Topics"] .topic-cell'), 10, name)


def titles(window):
    return window.run("""return [...document.querySelectorAll('[aria-label="Topics"] .row:not([hidden]):not(.going)')].filter((row) => row.offsetParent)
      .sort((a, b) => a.top - b.top).map((row) => row.querySelector("strong")?.textContent).filter(Boolean)""")


def open_topic(window, name):
    until(
        lambda: window.run(
            """const rows = [...document.querySelectorAll('[aria-label="Topics"] .row')];
      const row = rows.find((row) => row.offsetParent && row.querySelector("strong")?.textContent === arguments[0]);
      row?.click(); return Boolean(row)""",
            name,
        )
    )
    until(lambda: window.heading() == name, 10, name)
