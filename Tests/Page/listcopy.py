"""A list that a client of a stream keeps by its events alone."""

import json


def identity(row):
    """Returns the identity of an object, a group or a change: its id, or the compact text of a group's key."""
    own = row["id"] if "id" in row else list(row["key"].values())
    return own if isinstance(own, str) else json.dumps(own, ensure_ascii=False, separators=(",", ":"))


class ListCopy:
    """A list that a client keeps by the events of a stream."""

    def __init__(self):
        self.sections = []
        # The values of the objects in it, by id; the number of all rows, and of each section if the request counts them.
        self.values = {}
        self.total = self.counts = None
        self.position = 0
        self.resets = 0

    def take(self, kind, value):
        if kind == "state":
            self.sections, self.values = self.contents(value)
            self.note_totals(value)
            self.position = value["position"]
        elif kind == "difference":
            assert value["from"] == self.position
            self.apply(value)
            self.values |= {name: row["values"] for name, row in value["objects"].items()}
            left = {name for _, ids in self.sections for name in ids}
            self.values = {name: values for name, values in self.values.items() if name in left}
            self.note_totals(value)
            self.position = value["to"]
        elif kind == "position":
            self.position = value["position"]
        elif kind == "reset":
            self.resets += 1

    def note_totals(self, value):
        self.total = value["total"]
        self.counts = value.get("counts")

    @staticmethod
    def contents(result):
        """Returns the sections of a result, as names with ids, and the values of its objects by id."""
        sections = [[section["name"], [identity(row) for row in section["objects"]]] for section in result["sections"]]
        return sections, {identity(row): row["values"] for section in result["sections"] for row in section["objects"]}

    def differs(self, result):
        """Returns in what the list differs from a fetched result, or nothing."""
        sections, values = self.contents(result)
        pairs = [
            ("sections", self.sections, sections),
            ("values", self.values, values),
            ("total", self.total, result["total"]),
            ("counts", self.counts, result.get("counts")),
        ]
        return "; ".join(f"{name}: {own}, a fetch returns {fetched}" for name, own, fetched in pairs if own != fetched)

    def apply(self, difference):
        """Applies a difference: all old places are of the list before, all new ones of the list after."""
        rows = difference["rows"]
        left = {(section, row) for section, row in (change["from"] for change in rows if "from" in change)}
        kept = [[name, [row for number, row in enumerate(ids) if (index, number) not in left]] for index, (name, ids) in enumerate(self.sections)]
        gone = {change["index"] for change in difference["sections"] if change["change"] == "delete"}
        kept = [section for index, section in enumerate(kept) if index not in gone]
        for change in sorted((change for change in difference["sections"] if change["change"] == "insert"), key=lambda it: it["index"]):
            kept.insert(change["index"], [change["name"], []])
        for change in sorted((change for change in rows if "to" in change), key=lambda it: it["to"]):
            kept[change["to"][0]][1].insert(change["to"][1], identity(change))
        self.sections = kept
