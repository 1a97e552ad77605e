"""Random grouped requests at random positions, against SQL over the same rows: by SQLite, and by DuckDB where Python has it.

The model declares the groups of some keys. Sums and averages of doubles are compared with `math.fsum` and with fractions, since SQL adds in
floating point. How many requests are made is in DAYBOOK_GROUP_REQUESTS."""

import datetime
import fractions
import math
import os
import random
import sqlite3
import time

import requests

from daybook import Server, Store

try:
    import duckdb
except ImportError:
    duckdb = None

SEED = int(os.environ.get("DAYBOOK_SEED", random.randrange(1 << 32)))
COUNT = int(os.environ.get("DAYBOOK_GROUP_REQUESTS", "400"))

MODEL = {
    "entities": [
        {
            "name": "Box",
            "attributes": [{"name": "label", "type": "string", "optional": True}, {"name": "size", "type": "integer", "optional": True}],
            "relationships": [{"name": "items", "to": "Item", "inverse": "box", "many": True}],
        },
        {
            "name": "Item",
            "attributes": [
                {"name": "name", "type": "string", "optional": True},
                {"name": "number", "type": "integer", "optional": True},
                {"name": "ratio", "type": "double", "optional": True},
                {"name": "flag", "type": "boolean", "optional": True},
                {"name": "day", "type": "date", "optional": True},
            ],
            "relationships": [{"name": "box", "to": "Box", "inverse": "items", "optional": True}],
        },
    ]
}

# Keys and values with what they are in SQL.
KEYS = {
    "name": "name",
    "number": "number",
    "flag": "flag",
    "ratio": "ratio",
    "day.month": "month",
    "day.year": "year",
    "box.label": "label",
    "box.size": "size",
}
COLUMNS = {"number": "number", "name": "name", "box.size": "size", "box.label": "label", "ratio": "ratio"}
NUMBERS = ["number", "box.size", "ratio"]
FUNCTIONS = {"sum": "coalesce(sum({0}), 0)", "average": "avg({0})", "min": "min({0})", "max": "max({0})", "distinct": "count(DISTINCT {0})"}


# Some groups are kept, so that many requests are answered from them.
MODEL["entities"][1]["groups"] = [
    {
        "name": f"kept{number}",
        "by": keys,
        "show": ["count"] + [f"{function}:{path}" for function in FUNCTIONS for path in (NUMBERS if function in ("sum", "average") else COLUMNS)],
    }
    for number, keys in enumerate([["name"], ["box.label"], ["day.month"], ["number", "flag"], ["box.size", "day.year"]])
]


class World:
    """Commits of a store, and the rows after each of them."""

    def __init__(self, store, generator):
        self.store, self.generator = store, generator
        self.boxes, self.items, self.states = {}, {}, {}
        self.number = 0

    def identity(self):
        self.number += 1
        return f"0190163d-8694-739b-8000-{self.number:012x}"

    def value(self, name):
        if self.generator.random() < 0.2:
            return None
        return {
            "label": lambda: self.generator.choice(["a", "b", "B", "é", ""]),
            "size": lambda: self.generator.randint(-2, 5),
            "name": lambda: self.generator.choice(["x", "y", "X", "", "zz"]),
            "number": lambda: self.generator.choice([-3, 0, 1, 2, 7, 1 << 40]),
            "ratio": lambda: self.generator.choice([0.0, 0.1, 0.2, 0.3, -0.1, 1e16, -1e16, 2.5, 1e-9]),
            "flag": lambda: self.generator.random() < 0.5,
            "day": lambda: f"{self.generator.randint(2023, 2026)}-{self.generator.randint(1, 12):02}-15T10:00:00Z",
        }[name]()

    def values(self, names):
        return {name: self.value(name) for name in names}

    def commit(self):
        operations = []
        for _ in range(self.generator.randint(3, 25)):
            choice = self.generator.random()
            if choice < 0.15 or not self.boxes:
                identity, values = self.identity(), self.values(["label", "size"])
                operations.append({"insert": "Box", "id": identity, "values": values})
                self.boxes[identity] = values
            elif choice < 0.6 or len(self.items) < 5:
                identity, values = self.identity(), self.values(["name", "number", "ratio", "flag", "day"])
                line = {"insert": "Item", "id": identity, "values": values}
                box = self.generator.choice([None, *self.boxes])
                if box:
                    line["relate"] = {"box": box}
                operations.append(line)
                self.items[identity] = {**values, "box": box}
            elif choice < 0.85:
                identity = self.generator.choice(list(self.items))
                name = self.generator.choice(["name", "number", "ratio", "flag", "day"])
                values = self.values([name])
                operations.append({"set": identity, "values": values})
                self.items[identity] |= values
            else:
                identity = self.generator.choice(list(self.items))
                operations.append({"delete": identity})
                del self.items[identity]
        self.store.apply({"commit": operations})
        self.states[self.store.head] = self.rows()

    def rows(self):
        def row(item):
            box = self.boxes.get(item["box"]) or {"label": None, "size": None}
            day = item["day"]
            return {**item, "month": day and day[:7], "year": day and day[:4], **box}

        return [row(item) for item in self.items.values()]


class Tables:
    """The rows of one position in SQL."""

    def __init__(self, rows):
        self.connections = [sqlite3.connect(":memory:")] + ([duckdb.connect()] if duckdb else [])
        columns = ["name", "number", "ratio", "flag", "month", "year", "label", "size"]
        for connection in self.connections:
            connection.execute(
                "CREATE TABLE item (name VARCHAR, number BIGINT, ratio DOUBLE, flag BOOLEAN, month VARCHAR, year VARCHAR, label VARCHAR, size BIGINT)"
            )
            if rows:
                connection.executemany("INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [[row[name] for name in columns] for row in rows])

    def answers(self, query):
        return [connection.execute(query).fetchall() for connection in self.connections]


def exact(function, values):
    """The sum or the average of doubles, rounded once."""
    present = [value for value in values if value is not None]
    if function == "sum":
        return math.fsum(present)
    return float(sum(map(fractions.Fraction, present)) / len(present)) if present else None


def plain(value):
    return int(value) if isinstance(value, bool) else value


def draw(generator):
    keys = generator.sample(list(KEYS), generator.choice([0, 1, 1, 1, 2, 2, 3]))
    shown = ["count"]
    for function in generator.sample(list(FUNCTIONS), generator.randint(0, 4)):
        column = generator.choice(NUMBERS if function in ("sum", "average") else list(COLUMNS))
        shown.append(f"{function}:{column}")
    where = generator.choice([None, None, "number > 0", 'box.label != nil AND name != "x"', "flag == true"])
    having = generator.choice([None, None, "count > 1", "count <= 3"])
    sort = generator.choice(shown) + generator.choice(["", ":desc"]) if generator.random() < 0.6 else None
    if sort and ("average" in sort or "ratio" in sort):
        # SQL has other last digits.
        sort = None
    limit = generator.choice([None, None, 1, 3])
    return keys, shown, where, having, sort, limit


def sql(keys, shown, where, having, sort, limit):
    def column(value):
        function, _, path = value.partition(":")
        return "count(*)" if function == "count" else FUNCTIONS[function].format(COLUMNS[path])

    columns = [KEYS[key] for key in keys] + [column(value) for value in shown]
    query = f"SELECT {', '.join(columns)} FROM item"
    if where:
        query += {
            "number > 0": " WHERE number > 0",
            'box.label != nil AND name != "x"': " WHERE label IS NOT NULL AND (name <> 'x' OR name IS NULL)",
            "flag == true": " WHERE flag",
        }[where]
    if keys:
        query += f" GROUP BY {', '.join(KEYS[key] for key in keys)}"
    if having:
        query += f" HAVING {having.replace('count', 'count(*)')}"
    order = [f"{KEYS[key]} ASC NULLS FIRST" for key in keys]
    if sort:
        name, isDescending = sort.removesuffix(":desc"), sort.endswith(":desc")
        order.insert(0, column(name) + (" DESC NULLS LAST" if isDescending else " ASC NULLS FIRST"))
    if order:
        query += f" ORDER BY {', '.join(order)}"
    return query + (f" LIMIT {limit}" if limit else "")


def members(rows, keys, where):
    """The rows of each group, for what SQL does not add up exactly."""
    conditions = {
        "number > 0": lambda row: row["number"] is not None and row["number"] > 0,
        'box.label != nil AND name != "x"': lambda row: row["label"] is not None and row["name"] != "x",
        "flag == true": lambda row: row["flag"] is True,
    }
    groups = {}
    for row in rows:
        if where is None or conditions[where](row):
            groups.setdefault(tuple(plain(row[KEYS[key]]) for key in keys), []).append(row)
    return groups


def test_groups_are_the_ones_of_sql(tmp_path):
    print(f"\nDAYBOOK_SEED={SEED}")
    generator = random.Random(SEED)
    world = World(Store.empty(tmp_path, MODEL), generator)
    for _ in range(8):
        world.commit()
    tables = {position: Tables(rows) for position, rows in world.states.items()}
    server = Server(world.store)
    session = requests.Session()
    began = time.monotonic()
    try:
        for _ in range(COUNT):
            position = generator.choice(list(tables))
            keys, shown, where, having, sort, limit = request = draw(generator)
            parameters = [("at", position), *(("group", key) for key in keys or [""]), *(("show", value) for value in shown)]
            parameters += [(name, text) for name, text in (("where", where), ("having", having), ("sort", sort), ("limit", limit)) if text]
            answer = session.get(f"{server.address}/api/fetch/Item", params=parameters, timeout=30)
            assert answer.status_code == 200, (SEED, request, answer.text)
            rows = [row for section in answer.json()["sections"] for row in section["objects"]]
            found = [tuple(plain(row["key"][key]) for key in keys) + tuple(row["values"][value] for value in shown) for row in rows]
            groups = members(world.states[position], keys, where)
            for expected in tables[position].answers(sql(*request)):
                corrected = []
                for answered in expected:
                    line = [plain(value) for value in answered]
                    key = tuple(line[: len(keys)])
                    for number, value in enumerate(shown, len(keys)):
                        function, _, path = value.partition(":")
                        if function in ("sum", "average") and (path == "ratio" or function == "average"):
                            line[number] = exact(function, [row[COLUMNS[path]] for row in groups.get(key, [])])
                    corrected.append(tuple(line))
                assert found == corrected, (SEED, position, request, sql(*request))
    finally:
        server.stop()
    engines = "SQLite" + (f" and DuckDB {duckdb.__version__}" if duckdb else "")
    print(f"{COUNT} requests as {engines}, in {datetime.timedelta(seconds=round(time.monotonic() - began))}")
