"""Hierarchies of entities in the page: lists of a parent, objects with inherited fields, the drawing of the model."""

import pytest

from browser import until
from daybook import Server, Store

MODEL = {
    "entities": [
        {
            "name": "Vehicle",
            "abstract": True,
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}, {"name": "wheels", "type": "integer", "default": 4}],
            "relationships": [{"name": "owner", "to": "Person", "inverse": "vehicles", "optional": True}],
        },
        {"name": "Car", "parent": "Vehicle", "attributes": [{"name": "doors", "type": "integer", "optional": True}]},
        {"name": "Truck", "parent": "Vehicle", "attributes": [{"name": "load", "type": "double", "optional": True}]},
        {
            "name": "Person",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "vehicles", "to": "Vehicle", "inverse": "owner", "many": True}],
        },
    ]
}


@pytest.fixture(name="garage")
def fixture_garage(tmp_path):
    store = Store.empty(tmp_path, MODEL)
    store.apply(
        {
            "commit": [
                {"insert": "Person", "as": "$ada", "values": {"name": "Ada"}},
                {"insert": "Car", "as": "$car", "values": {"name": "Beetle", "doors": 2}},
                {"relate": "$car", "relationship": "owner", "to": "$ada"},
            ]
        },
        {"insert": "Truck", "values": {"name": "Actros", "wheels": 10}},
    )
    server = Server(store)
    yield server
    server.stop()


def cells(page):
    """Returns the texts of the rows in view, in their order."""
    return page.run("""
        return [...document.querySelectorAll(".canvas .row:not([hidden]):not(.going)")]
          .sort((a, b) => a.getAttribute("aria-rowindex") - b.getAttribute("aria-rowindex"))
          .map((row) => Object.fromEntries([...row.cells].map((cell) => [cell.dataset.column, cell.textContent])))""")


def test_a_list_of_a_parent_shows_the_entity_of_each_object(page, garage):
    page.open(garage, "#/list?entity=Vehicle")
    until(
        lambda: [(row["name"], row["entity"], row["wheels"]) for row in cells(page)] == [("Actros", "Truck", "10"), ("Beetle", "Car", "4")],
        what=lambda: cells(page),
    )
    garage.store.apply({"insert": "Car", "values": {"name": "Cab"}})
    until(lambda: [row["name"] for row in cells(page)] == ["Actros", "Beetle", "Cab"], what=lambda: cells(page))
    page.open(garage, "#/list?entity=Vehicle&section=entity")
    until(lambda: [row["name"] for row in cells(page) if "name" in row] == ["Beetle", "Cab", "Actros"], what=lambda: cells(page))


def test_an_object_has_what_it_inherits(page, garage):
    page.open(garage, f"#/list?entity=Car&object={garage.store.named('Car', 'Beetle')}")
    until(lambda: page.text(".object h1") == "Beetle")
    until(lambda: "Ada" in page.text(".object"))
    assert {"name", "wheels", "doors", "owner"} <= set(page.texts(".object .term"))


def test_the_drawing_leads_from_children_to_their_parent(page, garage):
    page.open(garage, "#/model")
    until(lambda: page.all(".drawing svg"))
    assert len(page.all(".drawing .edge.parent")) == 2
    assert "Car, child of Vehicle" in page.one(".drawing svg").get_attribute("aria-label")
    assert "abstract" in page.text(".drawing")
