"""First: an outline of six levels."""

import json
import urllib.error
import urllib.request

import pytest
from selenium.webdriver.common.keys import Keys

from browser import until
from in_first import add, descend

LEVELS = ["Animals", "Vertebrates", "Mammals", "Carnivores", "Cats", "Iberian lynx"]


@pytest.fixture
def outline(window):
    return window.visit("first")


def test_the_roots_are_listed_by_name(outline):
    assert outline.heading() == "Roots"
    outline.shows(["Animals", "Plants"])
    outline.press("Edit")
    add(outline, "Minerals")
    outline.shows(["Animals", "Minerals", "Plants"])
    # Numbers in names count by their value.
    for name in ("Root 10", "Root 9"):
        add(outline, name)
    outline.shows(["Animals", "Minerals", "Plants", "Root 9", "Root 10"])


def test_a_root_opens_its_children_by_name_under_its_own(outline):
    descend(outline, "Animals")
    outline.shows(["Insects", "Vertebrates"])
    outline.press("Back")
    until(lambda: outline.heading() == "Roots")
    outline.shows(["Animals", "Plants"])


def test_only_edit_mode_shows_add_and_delete(outline):
    assert not outline.visible_button("Add root") and not outline.visible_button("Delete Animals")
    outline.press("Edit")
    assert outline.visible_button("Add root") and outline.visible_button("Delete Animals")
    outline.open_row("Animals")
    until(lambda: outline.has_form() and outline.field("Name").get_attribute("value") == "Animals", 10, "in Edit mode a row is renamed")
    outline.press("Cancel")
    outline.press("Done")
    assert not outline.visible_button("Add root") and not outline.visible_button("Delete Animals")
    descend(outline, "Animals")


def test_the_name_form_is_modal_with_its_field_focused(outline, program):
    outline.press("Edit")
    outline.press("Add root")
    field = outline.field("Name")
    assert outline.run("return document.activeElement === arguments[0] && arguments[0].closest('dialog').matches(':modal')", field)
    outline.keys("Minerals")
    head = program.head("first")
    outline.press("Cancel")
    until(lambda: not outline.has_form())
    outline.shows(["Animals", "Plants"])
    assert program.head("first") == head, "cancelling leaves nothing"
    add(outline, "Minerals")
    outline.shows(["Animals", "Minerals", "Plants"])
    assert program.head("first") == head + 1, "saving is one commit"


def test_a_root_and_a_child_are_renamed(outline, other):
    other.visit("first")
    descend(other, "Animals")
    outline.press("Edit")
    outline.open_row("Animals")
    outline.type("Name", "Zoo")
    outline.save()
    outline.shows(["Plants", "Zoo"])
    until(lambda: other.heading() == "Zoo", 10, "the title of the other window follows")
    outline.press("Done")
    descend(outline, "Zoo")
    outline.press("Edit")
    outline.open_row("Insects")
    outline.type("Name", "Worms")
    outline.save()
    for each in (outline, other):
        each.shows(["Vertebrates", "Worms"])


def test_a_child_is_deleted(outline):
    descend(outline, "Animals")
    outline.press("Edit")
    outline.press("Delete Insects")
    outline.shows(["Vertebrates"])


def test_a_root_takes_its_children_deepest_first(outline, program):
    outline.press("Edit")
    outline.press("Delete Animals")
    until(lambda: "and 6 below it" in outline.text("dialog h1"))
    outline.press("Cancel")
    outline.shows(["Animals", "Plants"])
    outline.press("Delete Animals")
    outline.press("Delete")
    outline.shows(["Plants"])
    deleted = [event["entity"] for event in program.commits("first")[-1]["events"] if event["event"] == "deleted"]
    assert deleted == ["SixthLevel", "FifthLevel", "FourthLevel", "ThirdLevel", "SecondLevel", "SecondLevel", "RootLevel"]
    assert len(program.stored("first").objects("SecondLevel")) == 1


def test_there_are_six_levels(outline, program):
    descend(outline, *LEVELS[:5])
    outline.shows(["Iberian lynx"])
    outline.open_row("Iberian lynx")
    assert outline.heading() == "Cats", "nothing is below the sixth level"
    outline.press("Edit")
    add(outline, "Lynx rufus")
    outline.shows(["Iberian lynx", "Lynx rufus"])
    model = json.load(urllib.request.urlopen(f"{program.address}/first/api/model"))
    assert [entity["name"] for entity in model["entities"]] == ["RootLevel", "SecondLevel", "ThirdLevel", "FourthLevel", "FifthLevel", "SixthLevel"]


def test_a_child_belongs_to_exactly_one_parent(outline, program):
    descend(outline, "Animals")
    outline.press("Edit")
    outline.open_row("Insects")
    parent = outline.field("Belongs to (exactly one)")
    until(lambda: parent.get_attribute("value") == program.stored("first").named("RootLevel", "Animals"))
    head = program.head("first")
    outline.run("arguments[0].value = ''; arguments[0].dispatchEvent(new Event('change'))", parent)
    outline.press("Save")
    until(lambda: "A parent is required" in outline.text("form .wrong[role=alert]"), 10, "the form says so")
    assert outline.has_form() and program.head("first") == head
    outline.run(
        """const [choice] = arguments; choice.value = [...choice.options].find((option) => option.textContent === 'Plants').value;
          choice.dispatchEvent(new Event('change'))""",
        parent,
    )
    outline.save()
    outline.shows(["Vertebrates"])
    outline.press("Back")
    outline.press("Done")
    descend(outline, "Plants")
    outline.shows(["Insects", "Trees"])


def test_an_empty_name_is_refused_by_a_rule_of_the_model(outline, program):
    outline.press("Edit")
    outline.press("Add root")
    outline.field("Name")
    outline.keys(Keys.ENTER)
    until(lambda: "must not be empty" in outline.text(".field .wrong"))
    assert outline.field("Name").get_attribute("aria-invalid") == "true"
    outline.keys("Minerals")
    outline.save()
    outline.shows(["Animals", "Minerals", "Plants"])
    # The page has no part in it: the model refuses the same from anywhere.
    body = json.dumps({"insert": "RootLevel", "values": {"name": ""}}).encode()
    request = urllib.request.Request(f"{program.address}/first/api/commits", body, {"Content-Type": "application/json", "Origin": program.address})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 422 and json.load(refused.value)["failure"]["rule"] == "minimumLength"
