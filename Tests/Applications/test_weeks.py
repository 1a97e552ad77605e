"""Todo's list of weeks: rows that one projection counts, under titles that a second one adds up from them."""

import os
import random

import pytest

from applications import Watch
from browser import until
from daybook import run
from in_all import slide
from in_todo import CATEGORIES, counted, identity, leave, pick, set_date, task, weeks

ROUNDS = int(os.environ.get("DAYBOOK_APPLICATION_ROUNDS", "8"))
"""The commits of the random test, times three."""

BEGINNING = [
    ("No Due Date · 3 tasks", ["No Category | 1 task", "Garden | 1 task", "Home | 1 task"]),
    ("30 Nov – 6 Dec 2026 · 2 tasks", ["Home | 1 task", "Office | 1 task"]),
]


@pytest.fixture
def listed(window):
    """A window on the weeks."""
    window.visit("todo")
    weeks(window)
    return window


def test_tasks_are_counted_by_week_and_category(listed, program):
    listed.lists(BEGINNING)
    assert counted(program) == BEGINNING
    assert not listed.visible_button("Edit"), "nothing of it is edited: it follows from the tasks"


def test_two_windows_show_each_commit_and_the_slider_each_position(listed, other, program):
    other.visit("todo")
    seen = {program.head("todo"): BEGINNING}

    def step(act, wanted):
        act()
        listed.lists(wanted)
        assert counted(program) == wanted
        seen[program.head("todo")] = wanted

    def add():
        other.press("Add task")
        other.type("Title", "Order seeds")
        set_date(other, "2026-12-31")
        other.save()

    step(add, [*BEGINNING, ("28 Dec 2026 – 3 Jan 2027 · 1 task", ["No Category | 1 task"])])

    def move():
        task(other, "Order seeds")
        set_date(other, "2026-12-03")
        pick(other, "categories")
        other.open_row("Home", CATEGORIES)
        leave(other)
        other.save()

    moved = [BEGINNING[0], ("30 Nov – 6 Dec 2026 · 3 tasks · most in Home", ["Home | 2 tasks", "Office | 1 task"])]
    step(move, moved)

    def delete():
        other.press("Edit")
        other.press("Delete Pay the rent")
        until(lambda: not any("Pay the rent" in row for row in other.rows()))
        other.press("Done")

    step(delete, BEGINNING)
    step(lambda: other.press("Undo"), moved)
    weeks(other)
    other.lists(moved)
    for position in [*reversed(seen), *seen]:
        slide(listed, position)
        listed.lists(seen[position])
    slide(listed, 1)
    until(lambda: "Nothing was here then." in listed.text(".empty"))
    other.lists(moved)
    listed.press("now")
    listed.lists(moved)


def test_the_weeks_follow_the_name_and_the_end_of_a_category(listed, other, program):
    stored = program.stored("todo")
    stored.apply({"set": identity(program, "Call the plumber"), "values": {"due": "2026-12-02"}})
    listed.lists(
        [
            ("No Due Date · 2 tasks", ["No Category | 1 task", "Garden | 1 task"]),
            ("30 Nov – 6 Dec 2026 · 3 tasks · most in Home", ["Home | 2 tasks", "Office | 1 task"]),
        ]
    )
    head = program.head("todo")
    # A new name is no change of any row: it comes through the links, as does the order.
    stored.apply({"rename": stored.named("Category", "Home"), "to": "Quarters"})
    renamed = ("30 Nov – 6 Dec 2026 · 3 tasks · most in Quarters", ["Office | 1 task", "Quarters | 2 tasks"])
    listed.lists([("No Due Date · 2 tasks", ["No Category | 1 task", "Garden | 1 task"]), renamed])
    rows = "return [...document.querySelectorAll('.holder .row:not([hidden]):not(.going)')].map((row) => row.dataset.id).sort()"
    identities = listed.run(rows)
    # The tasks of a deleted category have none: they are counted with the others that have none.
    other.visit("todo", "#/categories")
    other.press("Edit")
    other.press("Delete Garden")
    listed.lists([("No Due Date · 2 tasks", ["No Category | 2 tasks"]), renamed])
    other.press("Delete Quarters")
    listed.lists([("No Due Date · 2 tasks", ["No Category | 2 tasks"]), ("30 Nov – 6 Dec 2026 · 3 tasks", ["No Category | 2 tasks", "Office | 1 task"])])
    assert counted(program) == listed.sections()
    slide(listed, head)
    listed.lists(
        [
            ("No Due Date · 2 tasks", ["No Category | 1 task", "Garden | 1 task"]),
            ("30 Nov – 6 Dec 2026 · 3 tasks · most in Home", ["Home | 2 tasks", "Office | 1 task"]),
        ]
    )
    listed.press("now")
    for _ in range(2):
        head = program.head("todo")
        listed.press("Undo")
        until(lambda: program.head("todo") == head + 1)
    listed.lists([("No Due Date · 2 tasks", ["No Category | 1 task", "Garden | 1 task"]), renamed])
    assert listed.run(rows) == identities, "the key is the identity of a row, which comes back as what it was"


def test_the_weeks_are_there_after_a_crash(listed, program):
    program.stored("todo").apply({"set": identity(program, "Buy stamps"), "values": {"due": "2026-12-02"}})
    program.kill()
    # Another program has not the projections' code: what it writes is counted when the applications run again.
    program.stored("todo").apply({"insert": "Task", "values": {"title": "Buy ink", "due": "2026-12-03"}})
    program.start()
    wanted = counted(program)
    assert wanted[1] == ("30 Nov – 6 Dec 2026 · 4 tasks", ["No Category | 2 tasks", "Home | 1 task", "Office | 1 task"])
    until(lambda: listed.text(".live") == "live", 40)
    listed.lists(wanted)
    listed.visit("todo")
    weeks(listed)
    listed.lists(wanted)
    program.stop()
    run("verify", program.stored("todo").path)


def commit(chance, stored, number):
    """Returns a random commit: tasks come, go, and change their dates and categories; categories come, go, and change their names."""
    tasks, categories = stored.objects("Task"), stored.objects("Category")
    day = chance.choice([None, f"2026-12-{chance.randint(1, 28):02}", f"2027-01-{chance.randint(1, 9):02}"])
    category = chance.choice([None, *(row["id"] for row in categories)])
    insert = {"insert": "Task", "values": {"title": f"Task {number}", "due": day}, "relate": {"category": category}}
    task = chance.choice(tasks)["id"] if tasks else None
    acts = [[insert], [insert], [{"insert": "Category", "values": {"name": f"{chance.choice('ABÉZ')} {number}"}}]]
    if task:
        due = {"set": task, "values": {"due": day}}
        acts += [[due], [{"delete": task}], [due, insert], [{"set": task, "values": {"title": f"Task {number}"}}]]
        acts += [[{"relate": task, "relationship": "category", "to": category}, due]] * 3 if category else []
    if len(categories) > 1:
        acts += [[{"delete": category or categories[0]["id"]}], [{"rename": categories[0]["id"], "to": f"{chance.choice('ABÉZ')} {number}"}]]
    return {"commit": chance.choice(acts)}


def test_random_commits_of_another_program_are_counted_at_each_position(listed, other, program):
    seed = int(os.environ.get("DAYBOOK_SEED") or random.randrange(1 << 32))
    print(f"\nDAYBOOK_SEED={seed}, {3 * ROUNDS} commits")
    chance, stored = random.Random(seed), program.stored("todo")
    other.visit("todo")
    weeks(other)
    request = ["CategoryWeek", "--section", "week", "--sort", "category.name"]
    watch = Watch(stored, *request)
    try:
        for number in range(3 * ROUNDS):
            stored.apply(commit(chance, stored, number))
            wanted = counted(program)
            for each in (listed, other):
                each.lists(wanted)
            sections = stored.fetch(*request)["sections"]
            watch.catch_up([(section["name"], [row["id"] for row in section["objects"]]) for section in sections], f"commit {number}")
    finally:
        watch.close()
    for position in chance.sample(range(2, program.head("todo") + 1), ROUNDS):
        slide(listed, position)
        listed.lists(counted(program, "--at", str(position)))
    program.stop()
    run("verify", stored.path)
