"""What a person does and sees in Events."""

from browser import until

TITLES = ["Dentist", "Review", "Lunch", "Stand-up", "Flight"]


def titles(window):
    return [row.split(" | ")[-1] for row in window.rows()]


def plan(window):
    """The rows of the view that performs the view plan."""
    return window.run("return [...document.querySelectorAll('.plan-row')].map((row) => row.dataset.id)")


def shown(window):
    return window.run(
        """return [...document.querySelectorAll('.holder .row:not([hidden]):not(.going)')]
          .filter((row) => row.offsetParent).sort((a, b) => a.top - b.top).map((row) => row.dataset.id)"""
    )


def settled(window):
    """Waits until both views show the same, and returns it."""
    until(lambda: window.run("return document.querySelector('.verdict').dataset.equal") == "true" and plan(window) == shown(window), 20, "equal")
    return plan(window)


def retime(window, title, time):
    """Edits the time of an event: `time` as a person reads it, in UTC."""
    until(
        lambda: window.run(
            """const rows = [...document.querySelectorAll(".holder .row:not([hidden])")];
      const row = rows.find((row) => row.offsetParent && row.textContent.includes(arguments[0]));
      row?.click(); return Boolean(row)""",
            title,
        )
    )
    window.field("Time")
    until(lambda: window.field("Time").get_attribute("value") != "")
    window.run(
        """const input = document.querySelector("form [type=datetime-local]"); input.value = arguments[0];
      for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind))""",
        time,
    )
    window.save()
