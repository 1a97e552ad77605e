"""A list that a client of a stream keeps by its events alone."""


class ListCopy:
    """A list that a client keeps by the events of a stream."""

    def __init__(self):
        self.sections = []
        self.position = 0
        self.resets = 0

    def take(self, kind, value):
        if kind == "state":
            self.sections = [[section["name"], [row["id"] for row in section["objects"]]] for section in value["sections"]]
            self.position = value["position"]
        elif kind == "difference":
            assert value["from"] == self.position
            self.apply(value)
            self.position = value["to"]
        elif kind == "position":
            self.position = value["position"]
        elif kind == "reset":
            self.resets += 1

    def apply(self, difference):
        """Applies a difference: all old places are of the list before, all new ones of the list after."""
        rows = difference["rows"]
        left = {(section, row) for section, row in (change["from"] for change in rows if "from" in change)}
        kept = [[name, [row for number, row in enumerate(ids) if (index, number) not in left]]
                for index, (name, ids) in enumerate(self.sections)]
        gone = {change["index"] for change in difference["sections"] if change["change"] == "delete"}
        kept = [section for index, section in enumerate(kept) if index not in gone]
        for change in sorted((change for change in difference["sections"] if change["change"] == "insert"), key=lambda it: it["index"]):
            kept.insert(change["index"], [change["name"], []])
        for change in sorted((change for change in rows if "to" in change), key=lambda it: it["to"]):
            kept[change["to"][0]][1].insert(change["to"][1], change["id"])
        self.sections = kept

