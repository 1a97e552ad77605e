"""The program with the applications, and a window on one of them, as the tests use them."""

import json
import os
import pathlib
import select
import subprocess
import time
import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, Browser, until
from daybook import BINARY as COMMAND
from daybook import ROOT, Server, Store, new_journal

BINARY = os.environ.get("DAYBOOK_APPLICATIONS", str(ROOT / ".build/debug/Applications"))


class Program(Server):
    """`Applications` on a directory, which can be killed and started again at the same address."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)
        self.journal = new_journal()
        super().__init__(None)

    @property
    def command(self):
        return [BINARY, str(self.directory), "--port", str(self.port), *self.journal]

    def stored(self, name):
        """Returns the store of an application, as the command line opens it beside the program."""
        return Store(self.directory / f"{name}.daybook")

    def head(self, name):
        return self.stored(name).head

    def commits(self, name):
        """Returns all commits with their events."""
        with urllib.request.urlopen(f"{self.address}/{name}/api/commits?limit=1000") as answer:
            return json.load(answer)["commits"]


class Window(Browser):
    """A window on one application."""

    def __init__(self, program, name, size=DESKTOP, **options):
        super().__init__(size, **options)
        self.program, self.name = program, name

    def visit(self, name=None, place=""):
        """Opens the first page of an application anew."""
        self.name = name or self.name
        self.go(f"{self.program.address}/{self.name}{place}")
        self.one(".list, .empty, .task")
        return self

    def sections(self, within=".holder"):
        """Returns the list in view: `[(section, [rows])]`, the rows by the text of their cells."""
        lines = self.run(
            """
            const nodes = [...document.querySelectorAll(`${arguments[0]} .row:not([hidden]):not(.going), ${arguments[0]} .section`)]
              .filter((node) => node.offsetParent && node.querySelector("[role=gridcell]"));
            const words = (node) => [...node.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent).filter((text) => !/^[⟲›−]*$/.test(text));
            return nodes.sort((a, b) => a.top - b.top).map((node) => [node.classList.contains("section"), words(node)])""",
            within,
        )
        result = []
        for is_section, words in lines:
            if is_section:
                result.append((words[0], []))
                continue
            if not result:
                result.append(("", []))
            result[-1][1].append(" | ".join(words))
        return result

    def rows(self, within=".holder"):
        return [row for _, rows in self.sections(within) for row in rows]

    def shows(self, rows, within=".holder"):
        """Waits until the list has exactly these rows."""
        until(lambda: self.rows(within) == rows, 20, lambda: f"{rows}, not {self.rows(within)}")

    def lists(self, sections, within=".holder"):
        """Waits until the list has exactly these sections with their rows."""
        until(lambda: self.sections(within) == sections, 20, lambda: f"{sections}, not {self.sections(within)}")

    def row(self, name, within=".holder"):
        """Returns the element of a row by the text of its name."""

        def find():
            return self.run(
                """return [...document.querySelectorAll(`${arguments[0]} .row:not([hidden]):not(.going)`)]
              .find((row) => row.offsetParent && [...row.querySelectorAll("[role=gridcell]")].some((cell) => cell.textContent === arguments[1]))""",
                within,
                name,
            )

        return until(find, 10, name)

    def open_row(self, name, within=".holder"):
        """Clicks a row; it may be drawn again at that moment, so it is tried more than once."""
        until(lambda: (self.row(name, within).click(), True)[1], 10, name)

    def press(self, label):
        """Clicks a button as soon as it is there and does something."""
        until(lambda: (button := self.visible_button(label)) and button.is_enabled() and (button.click(), True)[1], 10, label)

    def visible_button(self, label):
        return next(
            (node for node in self.driver.find_elements("xpath", f'//button[normalize-space(.)="{label}" or @aria-label="{label}"]') if node.is_displayed()),
            None,
        )

    def type(self, label, words):
        """Fills a field of the open form, as a person would."""
        field = self.field(label)
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE if words == "" else words)

    def field(self, label):
        return until(
            lambda: next(
                (
                    node
                    for node in self.driver.find_elements(
                        "xpath", f'//label[normalize-space(.)="{label}"]/following-sibling::*[self::input or self::textarea or self::select]'
                    )
                    if node.is_displayed() and not node.get_attribute("readonly")
                ),
                None,
            ),
            10,
            label,
        )

    def has_form(self):
        return any(node.is_displayed() for node in self.all("form.form"))

    def heading(self):
        return self.text(".part h1")

    def save(self):
        """Saves the open form, which closes."""
        self.press("Save")
        until(lambda: not self.has_form(), 10, "the form is closed")


class Watch:
    """`daybook watch` in a terminal: the list that its differences lead to."""

    def __init__(self, store, *options):
        self.process = subprocess.Popen([COMMAND, "watch", store.path, *options, "--jsonl"], stdout=subprocess.PIPE, bufsize=0)
        position = json.loads(self.process.stdout.readline())["position"]
        state = store.fetch(*options, "--at", str(position))
        self.sections = [(section["name"], [row["id"] for row in section["objects"]]) for section in state["sections"]]

    def catch_up(self, wanted, what="", seconds=20):
        """Reads differences until they lead to a list of sections that have rows; fails if they do not in time."""
        end = time.monotonic() + seconds
        while (shown := [(name, rows) for name, rows in self.sections if rows]) != wanted:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            assert ready, f"{what}: watch shows {shown}, not {wanted}"
            self.sections = applied(self.sections, json.loads(self.process.stdout.readline()))

    def close(self):
        self.process.kill()
        self.process.wait()


def applied(sections, difference):
    """Returns a list with a difference applied, as `reasons.md` defines it: written anew here, to check the other writing."""
    moved = {tuple(row["from"]) for row in difference["rows"] if "from" in row and row["change"] != "update"}
    rest = [(name, [row for number, row in enumerate(rows) if (place, number) not in moved]) for place, (name, rows) in enumerate(sections)]
    deleted = {change["index"] for change in difference["sections"] if change["change"] == "delete"}
    result = [section for place, section in enumerate(rest) if place not in deleted]
    for change in sorted((change for change in difference["sections"] if change["change"] == "insert"), key=lambda change: change["index"]):
        result.insert(change["index"], (change["name"], []))
    targets = [(tuple(row["to"]), row["id"]) for row in difference["rows"] if "to" in row and row["change"] != "update"]
    for (section, place), row in sorted(targets):
        result[section][1].insert(place, row)
    return result
