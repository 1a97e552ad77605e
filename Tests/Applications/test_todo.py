"""Todo: tasks by category, a task that is provisional until it is left, and pick lists that hold their order."""

import pytest
from selenium.webdriver.common.keys import Keys

from browser import until
from in_todo import CATEGORIES, TAGS, chosen, leave, pick, set_date, task


@pytest.fixture
def tasks(window):
    return window.visit("todo")


def test_tasks_are_in_sections_by_category(tasks):
    until(
        lambda: (
            tasks.sections()
            == [
                ("No Category", ["Buy stamps"]),
                ("Garden", ["Prune the roses"]),
                ("Home", ["Call the plumber", "Pay the rent | 1 Dec 2026"]),
                ("Office", ["Send the report | 5 Dec 2026"]),
            ]
        ),
        10,
        str(tasks.sections()),
    )


def test_no_category_is_never_offered_as_a_choice(tasks):
    task(tasks, "Buy stamps")
    assert chosen(tasks, "categories") == "none"
    pick(tasks, "categories")
    assert [row.split(" | ")[-2] for row in tasks.rows(CATEGORIES)] == ["Home", "Garden", "Office"]


def test_a_task_is_added_by_a_form_with_a_date_picker(tasks, program):
    head = program.head("todo")
    tasks.press("Add task")
    assert tasks.field("Due").get_attribute("type") == "date"
    tasks.type("Title", "Order seeds")
    set_date(tasks, "2027-02-03")
    tasks.save()
    until(lambda: "Order seeds | 3 Feb 2027" in dict(tasks.sections())["No Category"])
    assert program.head("todo") == head + 1


def test_a_task_is_provisional_until_it_is_left(tasks, other, program):
    other.visit("todo")
    head = program.head("todo")
    for leaving in ("Cancel", "Save"):
        task(tasks, "Buy stamps")
        tasks.type("Title", "Buy many stamps")
        set_date(tasks, "2027-02-03")
        pick(tasks, "categories")
        tasks.open_row("Office", CATEGORIES)
        leave(tasks)
        pick(tasks, "tags")
        tasks.open_row("urgent", TAGS)
        leave(tasks)
        until(lambda: chosen(tasks, "categories") == "Office" and set(chosen(tasks, "tags").split(", ")) == {"errand", "urgent"})
        assert program.head("todo") == head, "nothing is written yet"
        assert "Buy stamps" in other.rows()
        tasks.press(leaving)
        tasks.one(".list")
        if leaving == "Cancel":
            until(lambda: dict(tasks.sections()).get("No Category") == ["Buy stamps"])
            assert program.head("todo") == head
    assert program.head("todo") == head + 1, "all of it is one commit"
    for each in (tasks, other):
        until(lambda: dict(each.sections())["Office"] == ["Send the report | 5 Dec 2026", "Buy many stamps | 3 Feb 2027"])
        assert "No Category" not in dict(each.sections())


@pytest.mark.parametrize(
    "name,panel,before,row,during,after",
    [
        (
            "tags",
            TAGS,
            ["phone | 2 tasks", "urgent | 2 tasks", "✓ | errand | 1 task"],
            "phone",
            ["✓ | phone | 3 tasks", "urgent | 2 tasks", "✓ | errand | 1 task"],
            None,
        ),
        (
            "tags",
            TAGS,
            ["phone | 2 tasks", "urgent | 2 tasks", "✓ | errand | 1 task"],
            "urgent",
            ["phone | 2 tasks", "✓ | urgent | 3 tasks", "✓ | errand | 1 task"],
            ["✓ | urgent | 3 tasks", "phone | 2 tasks", "✓ | errand | 1 task"],
        ),
        (
            "categories",
            CATEGORIES,
            ["Home | 2 tasks", "Garden | 1 task", "Office | 1 task"],
            "Office",
            ["Home | 2 tasks", "Garden | 1 task", "✓ | Office | 2 tasks"],
            ["Home | 2 tasks", "✓ | Office | 2 tasks", "Garden | 1 task"],
        ),
    ],
)
def test_no_row_of_a_pick_list_moves_until_it_is_left(tasks, name, panel, before, row, during, after):
    def shown():
        return [" | ".join(part for part in words.split(" | ") if part) for words in tasks.rows(panel)]

    task(tasks, "Buy stamps")
    pick(tasks, name)
    until(lambda: shown() == before, 10, lambda: f"by number of tasks, then by name: {shown()}")
    tasks.open_row(row, panel)
    until(lambda: shown() == during, 10, lambda: f"the count changes in place: {shown()}")
    tasks.open_row(row, panel)
    until(lambda: shown() == before, 10, lambda: f"and back: {shown()}")
    tasks.open_row(row, panel)
    until(lambda: shown() == during)
    leave(tasks)
    pick(tasks, name)
    until(lambda: shown() == (after or during), 10, lambda: f"now the rows are where they belong: {shown()}")


def test_categories_and_tags_are_added_inside_the_pick_lists(tasks, program):
    head = program.head("todo")
    task(tasks, "Prune the roses")
    pick(tasks, "tags")
    tasks.one(f"{TAGS} input").send_keys("spring", Keys.ENTER)
    until(lambda: any("spring" in row for row in tasks.rows(TAGS)), 10, "a new row is shown while the order is held")
    assert tasks.rows(TAGS)[-1].endswith("spring | 1 task"), tasks.rows(TAGS)
    leave(tasks)
    pick(tasks, "categories")
    tasks.one(f"{CATEGORIES} input").send_keys("Balcony")
    tasks.press("Add")
    until(lambda: any("Balcony" in row for row in tasks.rows(CATEGORIES)))
    leave(tasks)
    until(lambda: chosen(tasks, "categories") == "Balcony" and chosen(tasks, "tags") == "spring")
    assert program.head("todo") == head and not program.stored("todo").objects("Tag", "--where", 'name == "spring"')
    tasks.save()
    until(lambda: dict(tasks.sections()).get("Balcony") == ["Prune the roses"])
    assert program.head("todo") == head + 1


def test_a_taken_category_name_is_refused_at_save_with_the_form_open(tasks, program):
    head = program.head("todo")
    task(tasks, "Buy stamps")
    pick(tasks, "categories")
    tasks.one(f"{CATEGORIES} input").send_keys("Home", Keys.ENTER)
    until(lambda: len(tasks.rows(CATEGORIES)) == 4)
    leave(tasks)
    tasks.press("Save")
    until(lambda: "“Home” is taken" in tasks.text("form .wrong[role=alert]"))
    assert tasks.has_form() and program.head("todo") == head
    tasks.press("Undo")
    until(lambda: chosen(tasks, "categories") == "none")
    tasks.type("Title", "Buy stamps and paper")
    tasks.save()
    until(lambda: dict(tasks.sections())["No Category"] == ["Buy stamps and paper"])


def test_the_tasks_of_a_deleted_category_have_none(tasks):
    tasks.press("Categories")
    tasks.shows(["Home | 2 tasks", "Garden | 1 task", "Office | 1 task"])
    tasks.press("Edit")
    tasks.press("Delete Garden")
    tasks.shows(["Home | 2 tasks", "Office | 1 task"])
    tasks.press("Back")
    until(lambda: dict(tasks.sections())["No Category"] == ["Buy stamps", "Prune the roses"])
    assert "Garden" not in dict(tasks.sections())
