"""Topics: the topics of a category by last change, in batches, while they are edited."""

import pytest

from browser import until
from daybook import run
from in_topics import descend, open_topic, titles


@pytest.fixture
def topics(window):
    window.visit("topics")
    categories(window, ["Databases | 2 topics", "Gardening | 0 topics", "Swift | 45 topics"])
    return window


def categories(window, rows):
    window.shows(rows)


def asked(window):
    """The batches that were read: their offsets."""
    return window.run("""return performance.getEntriesByType("resource").map(({ name }) => new URL(name)).filter((url) => url.pathname.endsWith("/fetch/Topic"))
      .map((url) => [Number(url.searchParams.get("limit")), Number(url.searchParams.get("offset") ?? 0)])""")


def test_a_category_is_added_and_its_topics_are_counted(topics, other):
    other.visit("topics")
    topics.press("Add category")
    topics.field("Name")
    topics.keys("Cooking")
    topics.save()
    rows = ["Cooking | 0 topics", "Databases | 2 topics", "Gardening | 0 topics", "Swift | 45 topics"]
    for window in (topics, other):
        categories(window, rows)
    topics.open_row("Cooking")
    topics.press("Add topic")
    topics.field("Title")
    topics.keys("How long does an egg take?")
    topics.save()
    categories(other, ["Cooking | 1 topic", *rows[1:]])


def test_topics_have_contents_and_the_last_change_is_first(topics, program):
    descend(topics, "Databases")
    assert "All that ever happened" in topics.text('[aria-label="Topics"]')
    topics.press("Add topic")
    topics.field("Title")
    topics.keys("What is a layer?")
    topics.type("Contents", "Edits on top.\nIn memory.")
    topics.save()
    until(lambda: titles(topics)[0] == "What is a layer?" and len(titles(topics)) == 3)
    open_topic(topics, "What is a layer?")
    assert topics.text(".topic .contents") == "Edits on top.\nIn memory." and len(topics.all(".topic time")) == 2
    assert len(program.stored("topics").objects("Topic", "--where", 'category.name == "Databases"')) == 3


def test_an_edited_topic_rises_while_one_looks(topics, other):
    other.visit("topics")
    descend(other, "Databases")
    descend(topics, "Databases")
    first, last = titles(topics)
    topics.run("""for (const row of document.querySelectorAll('[aria-label="Topics"] .row')) row.known = row.querySelector("strong")?.textContent""")
    open_topic(other, last)
    other.press("Edit")
    other.field("Title")
    other.type("Contents", "More than before.")
    other.save()
    until(lambda: titles(topics) == [last, first])
    assert "More than before." in topics.text('[aria-label="Topics"]')
    # The rows are the same elements: they moved.
    assert topics.run(
        """return [...document.querySelectorAll('[aria-label="Topics"] .row:not([hidden])')].filter((row) => row.querySelector("strong"))
          .every((row) => row.known === row.querySelector("strong").textContent)"""
    )


def test_topics_are_read_in_batches_of_20_while_scrolling(topics):
    topics.run("performance.clearResourceTimings()")
    descend(topics, "Swift")
    until(lambda: asked(topics))
    assert set(map(tuple, asked(topics))) <= {(20, 0), (20, 20)}, "the last batch is not read before it comes into view"
    seen = set(titles(topics))
    for top in range(0, 45 * 56, 280):
        topics.run("document.querySelector('[aria-label=\"Topics\"]').scrollTop = arguments[0]", top)
        until(
            lambda: (
                titles(topics)
                and not topics.run("""const view = document.querySelector('[aria-label="Topics"]').getBoundingClientRect();
          return [...document.querySelectorAll('[aria-label="Topics"] .empty-row:not([hidden])')].map((row) => row.getBoundingClientRect())
            .some(({ top, bottom }) => bottom > view.top && top < view.bottom)""")
            ),
            20,
            f"rows at {top}",
        )
        seen |= set(titles(topics))
    assert len(seen) == 45
    assert {tuple(batch) for batch in asked(topics)} == {(20, 0), (20, 20), (20, 40)}
    assert topics.one('[aria-label="Topics"]').get_attribute("aria-rowcount") == "45"


def test_a_topic_crosses_the_batches(topics, program):
    descend(topics, "Swift")
    order = [row["values"]["title"] for row in program.stored("topics").objects("Topic", "--where", 'category.name == "Swift"', "--sort", "changedAt:desc")]
    program.stored("topics").apply(
        {"rename": next(row["id"] for row in program.stored("topics").objects("Topic", "--where", f'title == "{order[-1]}"')), "to": "Risen"}
    )
    until(lambda: titles(topics)[0] == "Risen")
    assert titles(topics)[1:15] == order[:14]
    until(lambda: len(titles(topics)) == len(set(titles(topics))))


def test_another_name_of_the_category_keeps_the_list(topics, other):
    descend(topics, "Databases")
    before = titles(topics)
    other.visit("topics")
    until(other.rows)
    other.press("Edit")
    other.open_row("Databases")
    other.field("Name")
    other.type("Name", "Stores")
    other.save()
    until(lambda: topics.heading() == "Stores")
    assert titles(topics) == before
    other.open_row("Stores")
    other.type("Name", "Swift")
    other.press("Save")
    until(lambda: "“Swift” is taken" in other.text(".field .wrong"))
    other.press("Cancel")


def test_topics_and_categories_are_deleted_and_brought_back_after_a_restart(topics, program):
    descend(topics, "Databases")
    gone, kept = titles(topics)
    topics.press("Edit")
    topics.press(f"Delete {gone}")
    until(lambda: titles(topics) == [kept])
    topics.press("Done")
    topics.press("Back")
    categories(topics, ["Databases | 1 topic", "Gardening | 0 topics", "Swift | 45 topics"])
    topics.press("Edit")
    topics.press("Delete Swift")
    topics.one("dialog h1")
    assert "45 Topic" in topics.text("dialog") and "with new times of creation and change" in topics.text("dialog")
    topics.run("document.querySelector('dialog .danger').click()")
    categories(topics, ["Databases | 1 topic", "Gardening | 0 topics"])
    program.kill()
    program.start()
    topics.visit("topics")
    categories(topics, ["Databases | 1 topic", "Gardening | 0 topics"])
    topics.press("Undo")
    categories(topics, ["Databases | 1 topic", "Gardening | 0 topics", "Swift | 45 topics"])
    topics.press("Undo")
    categories(topics, ["Databases | 2 topics", "Gardening | 0 topics", "Swift | 45 topics"])
    run("verify", program.stored("topics").path)


def test_a_topic_comes_back_with_new_times_as_was_said(topics):
    descend(topics, "Databases")
    first, last = titles(topics)
    open_topic(topics, last)
    topics.press("Delete")
    assert "with new times of creation and change" in topics.text("dialog[open]")
    topics.click("dialog[open] .danger")
    until(lambda: titles(topics) == [first])
    topics.press("Undo")
    # The last change is first.
    until(lambda: titles(topics) == [last, first])


def test_a_topic_moves_to_another_category(topics):
    descend(topics, "Databases")
    moved, kept = titles(topics)
    open_topic(topics, moved)
    topics.press("Edit")
    until(
        lambda: topics.run(
            """const choice = document.querySelector('#category'); if (!choice?.options.length) return false;
              choice.value = [...choice.options].find((option) => option.text === 'Gardening').value;
              choice.dispatchEvent(new Event('change')); return true"""
        )
    )
    topics.save()
    until(lambda: titles(topics) == [kept])
