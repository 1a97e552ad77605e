"""Makes stores that have every kind of event, value, link and commit, with the command."""

import base64
import json
import math
import os
import random
import subprocess
import uuid

from lmdbfile import LMDBFile

BINARY = os.environ.get("DAYBOOK", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.build/debug/daybook"))

MODEL = {
    "entities": [
        {
            "name": "Thing",
            "nameAttribute": "name",
            "attributes": [
                {"name": "name", "type": "string", "order": "natural"},
                {"name": "count", "type": "integer", "optional": True},
                {"name": "size", "type": "double", "optional": True},
                {"name": "price", "type": "decimal", "optional": True},
                {"name": "isNew", "type": "boolean", "optional": True},
                {"name": "at", "type": "date", "optional": True},
                {"name": "key", "type": "uuid", "optional": True},
                {"name": "photo", "type": "data", "optional": True},
                {"name": "info", "type": "codable", "optional": True},
                {"name": "title", "type": "string", "optional": True, "order": "caseInsensitive"},
                {"name": "old", "type": "string", "optional": True},
                {"name": "partCount", "derived": {"count": "parts"}},
                {"name": "weight", "derived": {"sum": "parts.grams"}},
            ],
            "relationships": [
                {"name": "parts", "to": "Part", "many": True, "ordered": True, "inverse": "thing", "onDelete": "cascade"},
                {"name": "tags", "to": "Tag", "many": True, "inverse": "things"},
                {"name": "shelves", "to": "Shelf", "many": True, "ordered": True, "inverse": "things"},
                {"name": "partner", "to": "Thing", "optional": True, "inverse": "partnerOf"},
                {"name": "partnerOf", "to": "Thing", "optional": True, "inverse": "partner"},
            ],
            "unique": [["name"], ["title", "count"]],
            "indexes": [["count", "name"], ["at:desc"], ["size", "price:desc"], ["title"], ["changedAt:desc"], ["key", "isNew"], ["price"]],
        },
        {
            "name": "Part",
            "attributes": [{"name": "grams", "type": "integer", "default": 1}],
            "relationships": [{"name": "thing", "to": "Thing", "inverse": "parts", "optional": True}],
            "indexes": [["thing.name", "grams"], ["thing"]],
        },
        {
            "name": "Tag",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [
                {"name": "things", "to": "Thing", "many": True, "inverse": "tags"},
                {"name": "home", "to": "Shelf", "optional": True, "inverse": "tags"},
                {"name": "list", "to": "Shelf", "optional": True, "inverse": "listed"},
            ],
        },
        {
            "name": "Shelf",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [
                {"name": "things", "to": "Thing", "many": True, "inverse": "shelves"},
                {"name": "tags", "to": "Tag", "many": True, "inverse": "home"},
                {"name": "listed", "to": "Tag", "many": True, "ordered": True, "inverse": "list"},
            ],
        },
        {"name": "Passing", "attributes": [{"name": "word", "type": "string"}]},
    ],
    "events": [
        {"name": "Seen", "about": "Thing", "attributes": [{"name": "by", "type": "string"}, {"name": "times", "type": "integer", "optional": True}]},
        {"name": "Forgotten", "about": "Thing", "attributes": []},
    ],
}


def identity(number):
    return str(uuid.UUID(int=0x1000 + number))


def run(*arguments, text=None):
    result = subprocess.run([BINARY, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, f"{arguments}: {result.stderr}"
    return result.stdout


class Store:
    """A store in a directory."""

    def __init__(self, path):
        self.path = str(path)

    @classmethod
    def make(cls, path, model=MODEL):
        store = cls(path)
        run("init", store.path, "--model", store.model_file(model))
        return store

    def model_file(self, model):
        path = f"{self.path}-model.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(model, file)
        return path

    def apply(self, *lines, options=()):
        run("apply", self.path, *options, text="".join(json.dumps(line) + "\n" for line in lines))

    def change_model(self, model):
        run("model", self.path, "--apply", self.model_file(model), "--author", "modeller")

    def exported(self):
        """Returns the commits, and the bytes of the large values by their digests."""
        commits, values = [], {}
        for line in map(json.loads, run("export", self.path).splitlines()):
            if "position" in line:
                commits.append(line)
            else:
                piece = line["largeValue"]
                values[piece["sha256"]] = values.get(piece["sha256"], b"") + base64.b64decode(piece["bytes"])
        return commits, values

    def logged(self):
        return [json.loads(line) for line in run("log", self.path, "--jsonl").splitlines()]

    def objects(self, entity):
        return [json.loads(line) for line in run("fetch", self.path, entity, "--jsonl").splitlines()]

    def stats(self):
        return json.loads(run("stats", self.path, "--json"))


def large(number, size):
    return base64.b64encode(random.Random(number).randbytes(size)).decode()


def first_lines():
    """Returns commits with each kind of event, value, link, cause and text."""
    i = identity
    return [
        {"insert": "Tag", "id": i(1), "values": {"name": "red"}},
        {"insert": "Tag", "id": i(2), "values": {"name": "blå"}},
        {"insert": "Shelf", "id": i(3), "values": {"name": "top\u0000shelf"}},
        {"insert": "Shelf", "id": i(4), "values": {"name": ""}},
        {
            "commit": [
                {
                    "insert": "Thing",
                    "id": i(10),
                    "as": "$a",
                    "values": {
                        "name": "Thing 10",
                        "count": -5,
                        "size": 2.5,
                        "price": "12.50",
                        "isNew": True,
                        "at": "2026-01-02T03:04:05.123456Z",
                        "key": i(99),
                        "photo": "AAEC",
                        "info": {"b": [1, 2.5, "x", None], "a": True},
                        "title": "Ärger 007",
                        "old": "retired later",
                    },
                },
                {"insert": "Part", "id": i(11), "values": {"grams": 7}, "relate": {"thing": "$a"}},
                {"insert": "Part", "id": i(12), "values": {}, "relate": {"thing": "$a"}},
            ],
            "author": "anna",
            "message": "more\nlines",
            "happenedAt": "1969-12-31T23:59:59.5Z",
            "commitID": i(500),
            "metadata": {"ticket": 17, "who": "x", "ok": True, "ratio": 1.5, "none": None, "é": ""},
            "correlation": "flow-1",
            "causation": 2,
        },
        {"insert": "Thing", "id": i(20), "values": {"name": "other 0012", "isNew": False, "size": -1e300, "price": "-0.001", "at": "1900-01-01T00:00:00Z"}},
        {
            "commit": [
                {"relate": i(10), "relationship": "tags", "to": i(1)},
                {"relate": i(10), "relationship": "tags", "to": i(2)},
                {"relate": i(10), "relationship": "shelves", "to": i(3)},
                {"relate": i(10), "relationship": "shelves", "to": i(4), "before": i(3)},
                {"relate": i(20), "relationship": "shelves", "to": i(3)},
                {"relate": i(10), "relationship": "partner", "to": i(20)},
            ]
        },
        {"set": i(10), "values": {"count": None, "size": -0.0, "price": "0", "isNew": False, "photo": large(1, 65_537), "title": "b"}},
        {"set": i(10), "values": {"photo": large(2, (2 << 20) + 1), "info": "text", "count": 9_223_372_036_854_775_807}},
        {"set": i(20), "values": {"photo": large(2, (2 << 20) + 1), "count": -9_223_372_036_854_775_808, "price": "123456789012345678901234567890"}},
        {"set": i(10), "values": {"photo": large(3, 65_536), "info": json.loads("[" * 20 + "]" * 20)}},
        {"rename": i(10), "to": "Renamed"},
        {"relate": i(10), "relationship": "parts", "to": i(12), "before": i(11)},
        {"relate": i(10), "relationship": "shelves", "to": i(3), "before": i(4)},
        {"unrelate": i(10), "relationship": "tags", "to": i(1)},
        {"relate": i(20), "relationship": "parts", "to": i(11)},
        {"record": "Seen", "about": i(10), "values": {"by": "me", "times": 3}},
        {"commit": [{"record": "Seen", "about": i(20), "values": {"by": "you"}}, {"record": "Forgotten", "about": i(20), "values": {}}], "causation": i(500)},
        {"relate": i(10), "relationship": "partner", "to": i(10)},
        {"insert": "Tag", "id": i(6), "values": {"name": "housed"}, "relate": {"home": i(3), "list": i(4)}},
        {"insert": "Passing", "id": i(30), "values": {"word": "gone with its entity"}},
        {"delete": i(30)},
        {"insert": "Thing", "id": i(40), "values": {"name": "x" * 1_000, "title": "ß" * 300, "count": 1}, "author": "carl"},
        {"delete": i(20)},
        {"record": "Seen", "about": i(20), "values": {"by": "later"}},
        {"insert": "Thing", "id": i(20), "values": {"name": "again"}},
        {"insert": "Tag", "id": i(5), "values": {"name": "a"}, "author": "a" * 500, "correlation": "ö" * 100},
    ]


def later_model():
    """Returns a model without an entity, an attribute and an event, and with renamed and added ones."""
    model = json.loads(json.dumps(MODEL))
    thing = model["entities"][0]
    thing["attributes"] = [attribute for attribute in thing["attributes"] if attribute["name"] != "old"]
    thing["attributes"][1].update({"name": "amount", "renamedFrom": "count"})
    thing["attributes"].append({"name": "grade", "type": "integer", "default": 3, "optional": True})
    thing["attributes"].append({"name": "heaviest", "derived": {"max": "parts.grams"}})
    thing["unique"], thing["indexes"] = [["name"]], [["grade", "name"], ["amount"], ["heaviest:desc"]]
    thing["groups"] = [{"name": "grades", "by": ["grade", "title.initial"], "show": ["count", "sum:amount", "distinct:photo", "max:heaviest"]}]
    passing = model["entities"].pop()
    assert passing["name"] == "Passing"
    for entity, names in (("Tag", ("home", "list")), ("Shelf", ("tags", "listed"))):
        declared = next(it for it in model["entities"] if it["name"] == entity)
        declared["relationships"] = [it for it in declared["relationships"] if it["name"] not in names]
    model["events"].pop()
    return model


def every_kind(directory):
    """A store with every kind of event, two models, and a commit of exactly one chunk."""
    store = Store.make(os.path.join(directory, "kinds"))
    store.apply(*first_lines(), options=("--author", "ben"))
    for arguments in (["undo", "--author", "ben"], ["redo", "--author", "ben"], ["undo", "--author", "ben", "--steps", "3"], ["revert", "10", "--force"]):
        run(arguments[0], store.path, *arguments[1:])
    i = identity
    # An entity is retired when no object of it is left: its records are those of deleted ones.
    if store.objects("Passing"):
        store.apply({"delete": i(30)})
    store.change_model(later_model())
    store.apply(
        {"set": i(10), "values": {"amount": 4, "grade": None}},
        {"set": i(40), "values": {"grade": 3}},
        {"insert": "Thing", "id": i(50), "values": {"name": "new"}},
        {"record": "Seen", "about": i(50), "values": {"by": "it"}},
        {"set": i(10), "values": {"amount": None}},
        {"delete": i(40)},
        {"delete": i(6)},
    )
    # Blocks of the commit index are complete with 64 commits.
    store.apply(*({"commit": [{"rename": i(2), "to": f"name {number}"}], "author": f"author {number % 3}"} for number in range(130)))
    return store


def chunk_sizes(directory):
    """A store with commits of more than a chunk, of exactly one and of one byte less."""
    store = Store.make(os.path.join(directory, "chunks"))

    def size():
        return sum(
            len(value) for key, value in LMDBFile(f"{store.path}/journal/data.mdb").rows("journal") if key[:8] == store.stats()["head"].to_bytes(8, "big")
        )

    def insert(number, count):
        store.apply({"insert": "Tag", "id": identity(number), "values": {"name": "tag"}, "message": "m" * count})
        return size()

    missing = (1 << 20) - insert(1, 1_000_000)
    assert insert(2, 1_000_000 + missing) == 1 << 20
    assert insert(3, 1_000_000 + missing - 1) == (1 << 20) - 1
    assert insert(4, 3_000_000) > 2 << 20
    return store


SUMS = {
    "entities": [
        {
            "name": "Item",
            "attributes": [{"name": "total", "derived": {"sum": "parts.size"}}],
            "relationships": [{"name": "parts", "to": "Part", "many": True, "inverse": "item"}],
            "indexes": [["total"]],
        },
        {
            "name": "Part",
            "attributes": [{"name": "size", "type": "double", "optional": True}],
            "relationships": [{"name": "item", "to": "Item", "optional": True, "inverse": "parts"}],
        },
    ]
}


def sums_of_doubles(directory, count=40):
    """A store with sums of doubles of all exponents, which changed and partly cancel, and the numbers of each item."""
    store = Store.make(os.path.join(directory, "sums"), SUMS)
    chance = random.Random(11)

    def number():
        kind = chance.randrange(4)
        if kind == 0:
            return chance.randrange(-10_000, 10_000) / 100
        # No partial sum leaves the range of doubles, which `math.fsum` would refuse.
        return chance.choice([-1, 1]) * math.ldexp(chance.random(), chance.randrange(-1_070, 1_010) if kind < 3 else chance.randrange(-60, 60))

    numbers, lines = {}, []
    for item in range(count):
        sizes = [number() for _ in range(chance.randrange(12))]
        sizes += [-size for size in sizes if chance.randrange(2)]
        chance.shuffle(sizes)
        numbers[identity(item)] = {identity(1_000 + 100 * item + part): size for part, size in enumerate(sizes)}
        lines.append({"insert": "Item", "id": identity(item)})
        for part, size in numbers[identity(item)].items():
            lines.append({"insert": "Part", "id": part, "values": {"size": size}, "relate": {"item": identity(item)}})
    for item, parts in numbers.items():
        for part in list(parts):
            change = chance.randrange(5)
            if change == 0:
                parts[part] = number()
                lines.append({"set": part, "values": {"size": parts[part]}})
            elif change == 1:
                del parts[part]
                lines.append({"delete": part} if chance.randrange(2) else {"unrelate": part, "relationship": "item", "to": item})
    store.apply(*lines, options=("--batch", "7"))
    return store, {item: list(parts.values()) for item, parts in numbers.items()}


ONE_WAY = {
    "entities": [
        {
            "name": "Document",
            "attributes": [{"name": "title", "type": "string"}, {"name": "words", "derived": {"sum": "pages.words"}}],
            "relationships": [
                {"name": "pages", "to": "Page", "many": True, "ordered": True},
                {"name": "likes", "to": "Document", "many": True},
                {"name": "cover", "to": "Page", "optional": True},
            ],
            "indexes": [["cover.words", "title"]],
        },
        {"name": "Page", "attributes": [{"name": "words", "type": "integer", "default": 1}]},
    ]
}


def one_way_links(directory):
    """A store with relationships that declare no inverse, one of which gets one and another one is removed."""
    store = Store.make(os.path.join(directory, "oneway"), ONE_WAY)
    i = identity
    store.apply(
        *({"insert": "Page", "id": i(number), "values": {"words": number}} for number in range(1, 6)),
        {"insert": "Document", "id": i(10), "values": {"title": "a"}, "relate": {"pages": [i(2), i(1)], "cover": i(1)}},
        {"insert": "Document", "id": i(11), "values": {"title": "b"}, "relate": {"pages": [i(1), i(3)], "likes": [i(10), i(11)]}},
        {"insert": "Document", "id": i(12), "values": {"title": "c"}, "relate": {"cover": i(1)}},
        {"relate": i(10), "relationship": "pages", "to": i(4)},
        {"unrelate": i(11), "relationship": "pages", "to": i(3)},
        {"delete": i(2)},
        {"delete": i(5)},
        options=("--batch", "3"),
    )
    named = json.loads(json.dumps(ONE_WAY))
    named["entities"][0]["relationships"][0]["inverse"] = "documents"
    named["entities"][0]["relationships"].pop(1)
    named["entities"][1]["relationships"] = [{"name": "documents", "to": "Document", "many": True, "inverse": "pages"}]
    return store, named


VEHICLES = {
    "entities": [
        {
            "name": "Vehicle",
            "nameAttribute": "name",
            "attributes": [
                {"name": "name", "type": "string"},
                {"name": "wheels", "type": "integer", "default": 4},
                {"name": "partCount", "derived": {"count": "parts"}},
            ],
            "relationships": [
                {"name": "owner", "to": "Person", "inverse": "vehicles", "optional": True},
                {"name": "parts", "to": "Part", "inverse": "vehicle", "many": True, "onDelete": "cascade"},
            ],
            "unique": [["name"]],
            "indexes": [["wheels", "name"]],
        },
        {
            "name": "Car",
            "parent": "Vehicle",
            "attributes": [{"name": "doors", "type": "integer", "optional": True}],
            "indexes": [["doors", "name"], ["owner.name"]],
        },
        {"name": "Taxi", "parent": "Car", "attributes": [{"name": "licence", "type": "string", "optional": True}], "unique": [["licence"]]},
        {"name": "Bus", "attributes": [{"name": "seats", "type": "integer", "default": 1}]},
        {
            "name": "Person",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "vehicles", "to": "Vehicle", "inverse": "owner", "many": True}],
        },
        {"name": "Part", "relationships": [{"name": "vehicle", "to": "Vehicle", "inverse": "parts"}], "indexes": [["vehicle.name"]]},
    ],
    "events": [{"name": "Serviced", "about": "Vehicle"}],
}


def hierarchy(directory):
    """A store with objects of a hierarchy of three levels, and a model that makes an entity with objects a part of it."""
    store = Store.make(os.path.join(directory, "hierarchy"), VEHICLES)
    i = identity
    store.apply(
        {"insert": "Person", "id": i(1), "values": {"name": "Ada"}},
        {"insert": "Vehicle", "id": i(2), "values": {"name": "Cart"}, "relate": {"owner": i(1)}},
        {"insert": "Car", "id": i(3), "values": {"name": "Beetle", "doors": 2}, "relate": {"owner": i(1)}},
        {"insert": "Taxi", "id": i(4), "values": {"name": "Cab", "licence": "x1", "wheels": 6}},
        {"insert": "Taxi", "id": i(5), "values": {"name": "gone"}},
        {"insert": "Part", "id": i(6), "relate": {"vehicle": i(4)}},
        {"insert": "Bus", "id": i(7), "values": {"seats": 30}},
        {"record": "Serviced", "about": i(4), "values": {}},
        {"rename": i(4), "to": "Yellow"},
        {"set": i(2), "values": {"wheels": 2}},
        {"delete": i(5)},
        {"insert": "Bus", "id": i(8)},
        {"delete": i(8)},
        {"relate": i(4), "relationship": "owner", "to": i(1)},
        options=("--batch", "2"),
    )
    deeper = json.loads(json.dumps(VEHICLES))
    deeper["entities"].append({"name": "Thing", "abstract": True, "attributes": [{"name": "note", "type": "string", "optional": True}], "indexes": [["note"]]})
    deeper["entities"][0]["parent"] = "Thing"
    deeper["entities"][3]["parent"] = "Thing"
    return store, deeper


MUTUAL = {
    "entities": [
        {
            "name": "Person",
            "nameAttribute": "name",
            "attributes": [
                {"name": "name", "type": "string"},
                {"name": "age", "type": "integer", "default": 20},
                {"name": "friendCount", "derived": {"count": "friends"}},
                {"name": "ages", "derived": {"sum": "friends.age"}},
            ],
            "relationships": [
                {"name": "friends", "to": "Person", "inverse": "friends", "many": True},
                {"name": "partner", "to": "Person", "inverse": "partner", "optional": True},
                {"name": "rivals", "to": "Person", "inverse": "rivals", "many": True},
            ],
            "indexes": [["partner.name", "ages:desc"], ["partner.partner.friendCount"]],
        }
    ]
}


def mutual_links(directory):
    """A store with relationships that are their own inverses, one of which gets another name and another one is removed."""
    store = Store.make(os.path.join(directory, "mutual"), MUTUAL)
    i = identity
    store.apply(
        *({"insert": "Person", "id": i(number), "values": {"name": f"p{number}", "age": number}} for number in range(1, 8)),
        {"relate": i(1), "relationship": "friends", "to": i(2)},
        {"relate": i(3), "relationship": "friends", "to": i(1)},
        {"relate": i(4), "relationship": "friends", "to": i(4)},
        {"relate": i(5), "relationship": "friends", "to": i(2)},
        {"unrelate": i(2), "relationship": "friends", "to": i(5)},
        {"relate": i(2), "relationship": "partner", "to": i(1)},
        {"relate": i(3), "relationship": "partner", "to": i(4)},
        {"relate": i(1), "relationship": "partner", "to": i(4)},
        {"relate": i(6), "relationship": "partner", "to": i(6)},
        {"relate": i(6), "relationship": "partner", "to": i(3)},
        {"relate": i(7), "relationship": "partner", "to": i(5)},
        {"relate": i(7), "relationship": "friends", "to": i(1)},
        {"relate": i(1), "relationship": "rivals", "to": i(7)},
        {"relate": i(2), "relationship": "rivals", "to": i(2)},
        {"set": i(2), "values": {"age": 40}},
        {"set": i(4), "values": {"age": 41}},
        {"delete": i(7)},
        options=("--batch", "3"),
    )
    renamed = json.loads(json.dumps(MUTUAL))
    person = renamed["entities"][0]
    person["relationships"][0].update({"name": "mates", "inverse": "mates", "renamedFrom": "friends"})
    person["relationships"].pop()
    person["attributes"][2]["derived"], person["attributes"][3]["derived"] = {"count": "mates"}, {"sum": "mates.age"}
    return store, renamed


SALES = {
    "entities": [
        {
            "name": "Sale",
            "attributes": [
                {"name": "place", "type": "string", "optional": True, "order": "natural"},
                {"name": "at", "type": "date", "optional": True},
                {"name": "amount", "type": "integer", "optional": True},
                {"name": "price", "type": "decimal", "optional": True},
                {"name": "weight", "type": "double", "optional": True},
                {"name": "note", "type": "string", "optional": True, "order": "caseInsensitive"},
                {"name": "photo", "type": "data", "optional": True},
                {"name": "isPaid", "type": "boolean", "default": False},
            ],
            "relationships": [{"name": "shop", "to": "Shop", "optional": True, "inverse": "sales"}],
            "groups": [
                {"name": "byShop", "by": ["shop.name"], "show": ["count", "sum:amount", "average:amount", "min:note", "max:note", "distinct:photo"]},
                {
                    "name": "byMonth",
                    "by": ["at.month", "place"],
                    "show": ["sum:price", "average:price", "count", "sum:weight", "average:weight", "first:note", "last:amount", "min:price"],
                },
                {"name": "byTime", "by": ["at.day", "at.week", "at.year", "place.initial"], "show": ["distinct:shop", "first:shop.name", "max:at"]},
                {"name": "byTarget", "by": ["shop", "isPaid"], "show": ["sum:amount", "last:photo"]},
                {"name": "byWeight", "by": ["weight"]},
            ],
        },
        {
            "name": "Shop",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}, {"name": "sold", "derived": {"count": "sales"}}],
            "relationships": [{"name": "sales", "to": "Sale", "many": True, "inverse": "shop"}],
            "groups": [{"name": "bySold", "by": ["sold"], "show": ["count", "min:id", "max:createdAt"]}],
        },
    ]
}


def kept_groups(directory, count=300):
    """A store with declared groups of all kinds, whose objects joined them, left them and changed in them."""
    store = Store.make(os.path.join(directory, "groups"), SALES)
    chance = random.Random(5)
    choices = {
        "place": ["Hall 2", "Hall 10", "übrig", "9", "", None],
        "at": ["2026-01-02T03:04:05.5Z", "2025-12-31T23:59:59Z", "2026-01-04T00:00:00Z", "1969-12-28T12:00:00Z", None],
        "amount": [1, -3, 0, 9_223_372_036_854_775_807, -9_223_372_036_854_775_808, None],
        "price": ["0.10", "-12.5", "1000000000000000000000000000000", "0.00000000000000000001", "0", None],
        "weight": [0.1, -2.5, 1e300, 5e-324, 0.0, None],
        "note": ["b", "A", "a", "x" * 500 + "2", "x" * 500 + "1", "", None],
        "photo": ["AAEC", "", large(4, 65_537), large(5, 70_000), None],
        "isPaid": [True, False],
    }

    def values(names):
        return {name: chance.choice(choices[name]) for name in names}

    shops = [identity(number) for number in range(1, 5)]
    store.apply(*({"insert": "Shop", "id": shop, "values": {"name": name}} for shop, name in zip(shops, ("Nord", "Süd", "Ost", "Ost"), strict=True)))
    sales, lines, links = [], [], {}
    for number in range(count):
        sale = identity(1_000 + number)
        sales.append(sale)
        links[sale] = chance.choice([*shops, None])
        line = {"insert": "Sale", "id": sale, "values": values(choices)}
        lines.append({**line, "relate": {"shop": links[sale]}} if links[sale] else line)
    for _ in range(count):
        sale, change = chance.choice(sales), chance.randrange(5)
        if change == 0 and links[sale]:
            lines.append({"unrelate": sale, "relationship": "shop", "to": links[sale]})
            links[sale] = None
        elif change == 1:
            links[sale] = chance.choice([shop for shop in shops if shop != links[sale]])
            lines.append({"relate": sale, "relationship": "shop", "to": links[sale]})
        elif change == 2 and len(sales) > count // 2:
            sales.remove(sale)
            lines.append({"delete": sale})
        else:
            lines.append({"set": sale, "values": values(chance.sample(sorted(choices), 2))})
    lines.append({"rename": shops[0], "to": "West"})
    store.apply(*lines, options=("--batch", "7"))
    return store


def many_objects(directory, count=4_000):
    """A store with enough entries that indexes have boundaries of two levels."""
    store = Store.make(os.path.join(directory, "many"))
    chance = random.Random(7)
    store.apply(
        *(
            {
                "insert": "Thing",
                "id": identity(1_000 + number),
                "values": {
                    "name": f"Thing {chance.randrange(10**9)} {number}",
                    "count": chance.randrange(50),
                    "title": chance.choice(["B" * 200 + str(number), "Ö" * 300 + str(number), None]),
                    "price": f"{chance.randrange(-999, 999)}.{chance.randrange(99):02}",
                },
            }
            for number in range(count)
        ),
        options=("--batch", "4000"),
    )
    return store
