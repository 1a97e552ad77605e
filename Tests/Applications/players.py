"""Persons who do random things in a window: one kind for each application, over the list that its first view shows."""

import datetime
import json
import urllib.parse
import urllib.request

from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, until
from in_todo import CATEGORIES, leave, pick

SIGHT = (1000, 12_000)
"""A window so high that no row is out of view."""


class Player:
    """A person at a window; a subclass says what there is to do in its application."""

    name = place = list = noun = ""
    label = "Title"

    def __init__(self, window, author, chance, numbers):
        self.window, self.author, self.chance, self.numbers = window, author, chance, numbers

    def begin(self):
        self.window.resize(*SIGHT)
        self.window.visit(self.name, self.place)
        until(self.window.rows)
        self.window.run("localStorage.setItem('daybook-author', arguments[0])", self.author)

    def end(self):
        self.window.run("localStorage.clear()")
        self.window.resize(*DESKTOP)

    def acts(self):
        """The acts on a row; adding, undoing and redoing are common to all."""
        return [self.change, self.change, self.delete]

    def act(self):
        """Does one thing, and returns its name when it is done."""
        rows = self.window.run(
            """return [...document.querySelectorAll('.holder .row:not([hidden]):not(.going)')]
              .filter((row) => row.offsetParent && row.dataset.id).map((row) => row.dataset.id)"""
        )
        act = self.chance.choice([self.add, self.add, self.undo, self.redo, *(self.acts() if rows else [])])
        if act in (self.add, self.undo, self.redo):
            act()
            return act.__name__
        row = self.chance.choice(sorted(rows))
        act(row)
        return f"{act.__name__} {row}"

    def new_name(self):
        return f"{self.chance.choice('ABCDEFÉZ9')}{self.chance.randrange(100)} {self.noun} {next(self.numbers)}"

    def click_row(self, row, part=""):
        self.window.click(f'.holder .row[data-id="{row}"]:not([hidden]):not(.going) {part}')

    def is_listed(self):
        """Whether the list is in view again, without a form above it."""
        return not self.window.has_form() and any(node.is_displayed() for node in self.window.all(".holder .list, .empty"))

    def fill(self, label, words):
        self.window.field(label)
        self.window.type(label, words)

    def save(self):
        self.window.save()
        until(self.is_listed)

    def said(self, act):
        """Performs an act that ends with a message."""
        self.window.run("document.querySelector('.toast').hidden = true")
        act()
        until(lambda: any(node.is_displayed() for node in self.window.all(".toast")), 10, "a message")

    def in_edit_mode(self, act):
        self.window.press("Edit")
        act()
        self.window.press("Done")

    def open_form(self, row):
        """Opens the form of a row."""
        self.click_row(row)

    def finish(self):
        """Saves the form, and returns to the list."""
        self.save()

    def add(self):
        self.window.press(f"Add {self.noun}")
        self.fill(self.label, self.new_name())
        self.finish()

    def change(self, row):
        self.open_form(row)
        self.fill(self.label, self.new_name())
        self.finish()

    def delete(self, row):
        def act():
            self.click_row(row, ".remove")
            until(lambda: any(node.is_displayed() for node in self.window.all("dialog .danger, .toast")))
            for answer in self.window.all("dialog .danger"):
                answer.click()

        self.in_edit_mode(lambda: self.said(act))

    def undo(self):
        self.said(lambda: self.window.press("Undo"))

    def redo(self):
        self.said(lambda: self.window.press("Redo"))

    def title(self, section):
        """The title of a section in the page."""
        return section

    def input(self, store):
        """What the list is of."""
        return {}

    def request(self, program):
        """Returns the list's request as options of the command, as the application defines it."""
        text = urllib.parse.urlencode({"input": json.dumps(self.input(program.stored(self.name)))})
        with urllib.request.urlopen(f"{program.address}/{self.name}/lists/{self.list}?{text}") as answer:
            request = json.load(answer)
        options = [request["entity"]]
        for option in ("where", "section", "timezone"):
            options += [f"--{option}", request[option]] if option in request else []
        for key in request["sort"]:
            options += ["--sort", key]
        return options

    def form_undo(self):
        return self.window.driver.find_element("xpath", "//form//button[normalize-space(.)='Undo']")

    def wanted(self, program, *options):
        """Returns the list as the command reads it: `[(section, [identities])]`, without sections that have no rows."""
        sections = program.stored(self.name).fetch(*self.request(program), *options)["sections"]
        return [(section["name"], [row["id"] for row in section["objects"]]) for section in sections if section["objects"]]

    def titled(self, wanted):
        return [(self.title(section), rows) for section, rows in wanted]

    def is_current(self, program):
        """Whether the window shows what the store has."""
        return self.shown() == self.titled(self.wanted(program))

    def shown(self):
        """The sections in the window with the identities of their rows; one without a title for a list without sections."""
        sections = self.window.run("""
          const nodes = [...document.querySelectorAll('.holder .row:not([hidden]):not(.going), .holder .section')].filter((node) => node.offsetParent);
          const list = [];
          for (const node of nodes.sort((a, b) => a.top - b.top)) {
            if (node.classList.contains('section')) list.push([node.firstChild.textContent, []]);
            else if (!node.dataset.id) return null;
            else {
              if (!list.length) list.push(['', []]);
              list.at(-1)[1].push(node.dataset.id);
            }
          }
          return list;""")
        return sections and [(name, rows) for name, rows in sections]


def row_of(player):
    """The first row of the list."""
    return player.shown()[0][1][0]


class FirstPlayer(Player):
    name, list, noun, label = "first", "1", "root", "Name"

    def acts(self):
        return [self.change, self.delete, self.put_below]

    def open_form(self, row):
        if not self.window.visible_button("Done"):
            self.window.press("Edit")
        self.click_row(row)

    def finish(self):
        self.save()
        self.window.press("Done")

    def add(self):
        self.window.press("Edit")
        super().add()

    def put_below(self, row):
        """Adds a child to a root, which goes with it later."""
        self.click_row(row)
        until(lambda: self.window.visible_button("Back"))

        self.window.press("Edit")
        self.window.press("Add child")
        self.fill("Name", self.new_name())
        self.finish()
        self.window.press("Back")
        until(lambda: self.window.heading() == "Roots" and self.is_listed())


class TodoPlayer(Player):
    name, list, noun = "todo", "tasks", "task"

    def acts(self):
        return [self.change, self.sort_in, self.sort_in, self.delete]

    def title(self, section):
        return section or "No Category"

    def sort_in(self, row):
        self.click_row(row)
        self.window.field("Title")
        pick(self.window, "categories")
        self.chance.choice(self.window.all(f"{CATEGORIES} .row:not([hidden])")).click()
        leave(self.window)
        self.save()


class RecipesPlayer(Player):
    name, list, noun, label = "recipes", "recipes", "recipe", "Name"

    def input(self, store):
        return {"text": ""}

    def acts(self):
        return [self.change, self.change, self.add_part, self.delete]

    def open_form(self, row):
        self.click_row(row)
        self.window.one(".recipe")
        self.window.press("Edit")

    def add_part(self, row):
        """Adds an ingredient, with another name of the recipe."""
        self.open_form(row)
        self.fill("Name", self.new_name())
        count = len(self.window.all(".ingredient-rows li"))
        self.window.one('[aria-label="New ingredient: name"]').send_keys(f"part {next(self.numbers)}", Keys.ENTER)
        until(lambda: len(self.window.all(".ingredient-rows li")) > count)
        self.finish()

    def finish(self):
        self.window.save()
        self.window.one(".recipe")
        self.window.press("Back")
        until(self.is_listed)


class TopicsPlayer(Player):
    name, list, noun = "topics", "topics", "topic"

    def begin(self):
        super().begin()
        self.window.open_row("Swift")
        until(lambda: self.window.heading() == "Swift" and self.is_listed())

    def input(self, store):
        return {"category": store.named("Category", "Swift")}

    def acts(self):
        return [self.change, self.move, self.delete]

    def open_form(self, row):
        self.click_row(row)
        self.window.one(".topic")
        self.window.press("Edit")
        self.window.field("Title")

    def move(self, row):
        """Moves a topic to another category, so that it leaves the list."""
        self.open_form(row)
        until(
            lambda: self.window.run("""const choice = document.querySelector('#category'); if (!choice?.value) return false;
          choice.value = [...choice.options].find((option) => option.text === 'Gardening').value; choice.dispatchEvent(new Event('change')); return true""")
        )
        self.save()


class EventsPlayer(Player):
    name, place, list, noun = "events", "#/day", "days", "event"

    def input(self, store):
        return {"timezone": "UTC"}

    def title(self, section):
        return datetime.date.fromisoformat(section[:10]).strftime("%A %-d %B %Y")

    def shown(self):
        return [(name.replace(",", ""), rows) for name, rows in super().shown()]

    def acts(self):
        return [self.change, self.retime, self.delete]

    def add(self):
        count = len(self.window.rows())
        self.window.press("Add event")
        until(lambda: len(self.window.rows()) == count + 1)

    def retime(self, row):
        self.click_row(row)
        time = f"2026-03-{self.chance.randint(1, 6):02}T{self.chance.randint(0, 23):02}:15:00"
        self.window.run(
            """arguments[0].value = arguments[1]; for (const kind of ["input", "change"]) arguments[0].dispatchEvent(new Event(kind))""",
            self.window.field("Time"),
            time,
        )
        self.save()


PLAYERS = {kind.name: kind for kind in (FirstPlayer, TodoPlayer, RecipesPlayer, TopicsPlayer, EventsPlayer)}
