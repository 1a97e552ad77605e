"""Values are stored as they were typed and shown as they are stored; what is no value is kept, named and not saved."""

import json

import pytest
from selenium.webdriver.common.keys import Keys

from browser import until
from in_all import insert
from in_recipes import edit, open_recipe
from in_todo import TAGS, identity, pick, set_date, task
from players import PLAYERS


def stored(program, name, entity, wanted):
    return next(row["values"] for row in program.stored(name).objects(entity) if row["id"] == wanted)


TEXTS = [
    " spaces  within and around ",
    "tab\tand\ttab",
    "line\nfeed",
    "carriage\rreturn",
    "both\r\nof\r\nthem\nand\rmore",
    "😀👩\u200d🍳🏳️\u200d🌈",
    "e\u0301 is not é",
    "\u202eright to left",
    "שלום",
    "a\u00a0no-break\u2003space",
    "<b>&amp;</b>",
    "\\\"'`",
    "\u200b zero width",
]


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_a_text_of_another_program_is_only_changed_where_it_is_typed(window, program, text):
    stamps = identity(program, "Buy stamps")
    program.stored("todo").apply({"set": stamps, "values": {"title": text}})
    window.visit("todo")
    until(window.rows)
    window.click(f'.row[data-id="{stamps}"]')
    field = until(lambda: (found := window.field("Title")).get_attribute("value") and found)
    # Another field alone is changed: the text is not touched.
    set_date(window, "2027-02-03")
    window.save()
    assert stored(program, "todo", "Task", stamps)["title"] == text
    window.click(f'.row[data-id="{stamps}"]')
    field = until(lambda: (found := window.field("Title")).get_attribute("value") and found)
    field.send_keys(Keys.CONTROL, Keys.END)
    insert(window, "!")
    window.save()
    assert stored(program, "todo", "Task", stamps)["title"] == text + "!"


def test_a_list_shows_spaces_and_breaks_and_names_of_spaces_alone(window, program):
    ids = [identity(program, title) for title in ("Buy stamps", "Prune the roses", "Call the plumber")]
    for task_id, title in zip(ids, ["   ", "two  spaces", "two\nlines"], strict=True):
        program.stored("todo").apply({"set": task_id, "values": {"title": title}})
    window.visit("todo")
    until(lambda: "“␣ ␣ ␣”" in window.rows())
    assert {"two  spaces", "two⏎lines"} <= set(window.rows())
    cell = window.row("two  spaces").find_element("css selector", "[role=gridcell]")
    assert cell.text == "two  spaces", "spaces do not collapse"


def test_a_name_that_cannot_be_seen_has_signs_wherever_it_is_shown(window, program):
    blank, shown = "\u200b", "“U+200B”"
    for name, entity, former in [
        ("first", "RootLevel", "Animals"),
        ("todo", "Category", "Home"),
        ("topics", "Category", "Databases"),
        ("recipes", "RecipeType", "Dessert"),
    ]:
        program.stored(name).apply({"rename": program.stored(name).named(entity, former), "to": blank})
    for name, entity, attribute, former in [
        ("todo", "Task", "title", "Buy stamps"),
        ("events", "Event", "title", "Lunch"),
        ("recipes", "Ingredient", "name", "cinnamon"),
    ]:
        program.stored(name).apply({"rename": program.stored(name).objects(entity, "--where", f'{attribute} == "{former}"')[0]["id"], "to": blank})
    window.visit("first")
    until(lambda: shown in window.rows())
    window.visit("events")
    until(lambda: any(row.endswith(f" | {shown}") for row in window.rows()))
    until(lambda: any(row.endswith(shown) for row in window.texts(".plan-row")))
    window.visit("todo")
    until(lambda: shown in window.rows() and shown in [section for section, _ in window.sections()])
    window.visit("topics")
    until(lambda: f"{shown} | 2 topics" in window.rows())
    window.open_row("Swift")
    until(lambda: window.heading() == "Swift" and window.rows())
    window.press("Add topic")
    until(lambda: shown in window.run("return [...document.querySelectorAll('#category option')].map((option) => option.text)"))
    window.press("Cancel")
    window.visit("recipes")
    until(lambda: any(shown in row for row in window.rows()))
    open_recipe(window, "Apple pie")
    until(lambda: shown in window.texts(".facts .fact") and shown in window.texts(".ingredients .name"))


@pytest.mark.parametrize("blank", ["   ", "\u200b"], ids=ascii)
@pytest.mark.parametrize(
    "name,place,add,label",
    [("first", "", "Add root", "Name"), ("todo", "", "Add task", "Title"), ("recipes", "", "Add recipe", "Name"), ("topics", "", "Add category", "Name")],
)
def test_a_name_that_cannot_be_seen_is_refused_in_words_and_kept(window, program, name, place, add, label, blank):
    head = program.head(name)
    window.visit(name, place)
    until(window.rows)
    if name == "first":
        window.press("Edit")
    window.press(add)
    window.type(label, blank)
    window.press("Save")
    until(lambda: "cannot be seen" in window.text(".field .wrong"))
    assert window.field(label).get_attribute("value") == blank and program.head(name) == head
    assert window.driver.switch_to.active_element == window.field(label)
    window.type(label, "A name")
    until(lambda: not any(node.text for node in window.all(".field .wrong")))
    window.save()
    assert program.head(name) == head + 1


@pytest.mark.parametrize("blank", ["   ", "\u200b"], ids=ascii)
def test_a_tag_that_cannot_be_seen_is_refused_in_words(window, blank):
    window.visit("todo")
    task(window, "Buy stamps")
    pick(window, "tags")
    window.one(f"{TAGS} input").send_keys(blank, Keys.ENTER)
    until(lambda: "can be seen" in window.text("form > .wrong"))
    assert len(window.rows(TAGS)) == 3 and window.one(f"{TAGS} input").get_attribute("value") == blank


@pytest.mark.parametrize("title,date", [("Pay the rent", "2026-12-01"), ("Buy stamps", "")])
@pytest.mark.parametrize("keys", [("02", "31", "2027"), ("02", "31"), ("02", Keys.ARROW_RIGHT, "2027")], ids=["all", "no year", "no day"])
def test_a_day_that_does_not_exist_is_named_and_empties_nothing(window, program, title, date, keys):
    window.visit("todo")
    task(window, title)
    field = window.field("Due")
    assert field.get_attribute("value") == date
    if date:
        # Half of a date is made from a whole one by taking a part away.
        field.send_keys(Keys.DELETE, Keys.ARROW_RIGHT, Keys.DELETE, Keys.ARROW_RIGHT, Keys.DELETE, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
    field.send_keys(*keys)
    field.send_keys(Keys.TAB)
    until(lambda: "no day of the calendar" in window.text(".field .wrong"))
    head = program.head("todo")
    window.press("Save")
    until(lambda: window.driver.switch_to.active_element == field, 10, "the focus is where it is wrong")
    assert window.has_form() and program.head("todo") == head
    # Undo gives it up, and the date is what it was.
    # The month alone was a whole date before, and an edit.
    undo = window.driver.find_element("xpath", "//form//button[normalize-space(.)='Undo']")
    until(lambda: (undo.is_enabled() and undo.click(), field.get_attribute("value") == date and not field.get_property("validity")["badInput"])[1])
    until(lambda: not any(node.text for node in window.all(".field .wrong")))
    # An emptied date is a decision.
    window.run("arguments[0].value = ''; for (const kind of ['input', 'change']) arguments[0].dispatchEvent(new Event(kind))", field)
    window.save()
    until(lambda: stored(program, "todo", "Task", identity(program, title))["due"] is None)


@pytest.mark.parametrize(
    "typed,words",
    [("1.5", "minutes"), ("0", "minutes"), ("9007199254740993", "minutes"), ("99999999999999999999999", "minutes"), ("-", "no number"), ("1e", "no number")],
)
def test_a_number_that_is_none_is_kept_named_and_not_saved(window, program, typed, words):
    window.visit("recipes")
    edit(window, "Apple pie")
    head = program.head("recipes")
    field = window.field("Preparation time in minutes")
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys(typed)
    window.press("Save")
    until(lambda: any(words in node.text for node in window.all(".field .wrong")), 10, lambda: [node.text for node in window.all(".wrong")])
    assert window.has_form() and program.head("recipes") == head
    if words == "minutes":
        assert field.get_attribute("value") == typed
        assert any(typed in node.text for node in window.all(".field .wrong")), "it names what was typed"
    field.send_keys(Keys.CONTROL, "a")
    field.send_keys("95")
    window.save()
    assert stored(program, "recipes", "Recipe", program.stored("recipes").named("Recipe", "Apple pie"))["minutes"] == 95


def test_an_integer_of_another_program_keeps_its_digits_in_a_form(window):
    window.visit("recipes")
    found = window.wait("""
        const { integer, parse, stringify } = await import("/page/json.js");
        const text = '{"a":9007199254740993,"b":[-9223372036854775808,1.5,1e30,12],"c":"9007199254740993"}';
        return [stringify(parse(text)), String(integer("9007199254740995")), integer("12")]""")
    assert json.loads(found[0]) == {"a": 9007199254740993, "b": [-9223372036854775808, 1.5, 1e30, 12], "c": "9007199254740993"}
    assert found[1:] == ["9007199254740995", 12]


def test_what_is_wrong_is_in_view_in_a_long_form(window):
    with window.sized(900, 480):
        window.visit("recipes")
        edit(window, "Apple pie")
        window.type("Name", "")
        window.run("document.querySelector('.type-rows').scrollIntoView()")
        window.press("Save")
        wrong = window.one(".field .wrong")
        until(lambda: "must not be empty" in wrong.text and is_in_view(window, wrong))
        window.type("Name", "Apple pie")
        # A file that is no picture is said at the end of the form.
        window.run("document.querySelector('.form h1').scrollIntoView()")
        window.run("""const file = document.querySelector("[type=file]"), list = new DataTransfer();
          list.items.add(new File(["no picture"], "x.png")); file.files = list.files; file.dispatchEvent(new Event("change"))""")
        until(lambda: (found := window.all("form > .wrong")) and "no picture" in found[0].text and is_in_view(window, found[0]))


def is_in_view(window, node):
    return window.run(
        """const { top, bottom, left } = arguments[0].getBoundingClientRect();
      const middle = document.elementFromPoint(left + 2, (top + bottom) / 2);
      return bottom > top && Boolean(middle) && (arguments[0].contains(middle) || middle.contains(arguments[0]))""",
        node,
    )


@pytest.mark.parametrize("name", PLAYERS)
def test_the_cursor_stays_where_a_row_was_deleted(window, name):
    window.visit(name)
    until(window.rows)
    ids = window.run(
        """return [...document.querySelectorAll('.holder .row:not([hidden])')].filter((row) => row.offsetParent && row.dataset.id)
          .sort((a, b) => a.top - b.top).map((row) => row.dataset.id)"""
    )
    window.keys(Keys.HOME, Keys.DELETE)
    until(lambda: window.all("dialog .danger") or len(window.rows()) < len(ids))
    for answer in window.all("dialog .danger"):
        answer.click()
    until(
        lambda: window.run("return document.querySelector('.holder .row.at:not([hidden]):not(.going)')?.dataset.id") == ids[1],
        10,
        "the cursor is at the row that took its place",
    )
    assert window.run("return document.activeElement.getAttribute('role')") == "grid"


def test_an_object_that_is_gone_is_named_and_not_by_its_identity(window, program):
    window.visit("todo")
    until(window.rows)
    # The page has not been told yet: its stream is held.
    said = window.wait("""
        const { wordsOf } = await import("/support/words.js");
        const { post } = await import("/page/server.js");
        const id = "00000000-0000-4000-8000-000000000001";
        const problems = [];
        for (const [path, body] of [["/actions/delete%20task", { input: { object: id } }], ["/forms", { form: "task", object: id }]]) {
          await post(path, body).catch((problem) => problems.push(wordsOf(problem, "“Buy stamps”")));
        }
        return problems""")
    assert said == ["“Buy stamps” is not there any more: another window has deleted it."] * 2


def test_what_went_wrong_in_a_form_has_no_identity(window):
    window.visit("todo")
    said = window.wait("""
        const { FormView } = await import("/support/form-view.js");
        const problem = document.createElement("p");
        FormView.prototype.fail.call({ problem, app: {} }, "There is no object 00000000-0000-4000-8000-000000000001.");
        return problem.textContent""")
    assert said == "There is no object …00000001."
