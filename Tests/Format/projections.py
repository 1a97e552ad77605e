"""Folds the journal and writes the rows of the projections, by docs/file-format.md alone."""

import hashlib
import json
import math
import uuid

from groups import KeptGroups
from journal import ABSENT, Bytes, Names, read_fields, wrapped
from lmdbfile import LMDBFile
from writing import MASK, escaped, term, varint

# CRC-32C: the reversed polynomial of Castagnoli.
CRC_TABLE = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (0x82F63B78 if _byte & 1 else 0)
    CRC_TABLE.append(_byte)

NO_CHECKSUM = ("views.",)


def checksum(key, value):
    crc = ~len(key) & 0xFFFFFFFF
    for byte in key + value:
        crc = crc >> 8 ^ CRC_TABLE[(crc ^ byte) & 255]
    return (~crc & 0xFFFFFFFF).to_bytes(4, "little")


class Record:
    """A live object."""

    def __init__(self, identity, entity, commit):
        self.identity, self.entity = identity, entity
        self.inserted, self.inserted_at = commit.position, commit.time
        self.changed, self.changed_at, self.touched = commit.position, commit.time, commit.position
        self.fields = {}


class Fold:
    """The objects and links that follow from commits."""

    def __init__(self, journal):
        self.journal = journal
        self.records, self.deleted, self.entity_of, self.links = {}, {}, {}, {}
        self.relationships, self.is_ordered, self.rows_of_retired = {}, {}, []
        for commit in journal.commits:
            if commit.is_model:
                self.take_model(commit)
            else:
                for event in commit.events:
                    self.apply(event, commit)
        self.derive()

    def take_model(self, commit):
        """Continues with another model; the rows of the relationships that it retires stay as they are."""
        model = json.loads(commit.body)
        declared = {it["tag"]: it for entity in model["entities"] for it in entity.get("relationships", [])}
        self.rows_of_retired += [row for row in self.link_rows() if row[0] not in declared]
        self.is_ordered.update({tag: bool(it.get("ordered")) for tag, it in declared.items()})
        self.names, self.model_position, self.relationships = Names(model), commit.position, declared

    def touch(self, identity, commit):
        if identity in self.records:
            self.records[identity].touched = commit.position
        elif identity in self.deleted:
            self.deleted[identity] = commit.position

    def apply(self, event, commit):
        entity, identity = event.subject
        self.entity_of[identity] = entity
        if event.kind == "inserted":
            self.deleted.pop(identity, None)
            record = self.records[identity] = Record(identity, entity, commit)
            record.fields = dict(event.fields)
            return
        if event.kind in ("recorded", "unknown"):
            self.touch(identity, commit)
            return
        record = self.records[identity]
        assert event.former["changed"] == record.changed and event.former["changedAt"] == record.changed_at, "former times"
        record.changed, record.changed_at, record.touched = commit.position, commit.time, commit.position
        if event.kind == "deleted":
            for tag, value in event.fields:
                assert (self.held(record, tag) if tag in self.names.attributes else record.fields[tag]) == value, f"commit {commit.position}"
            del self.records[identity]
            self.deleted[identity] = commit.position
        elif event.kind in ("renamed", "set"):
            for tag, old, new in event.pairs:
                assert self.held(record, tag) == old, f"commit {commit.position}, {self.names.attributes[tag]['name']}: {self.held(record, tag)}, not {old}"
                record.fields.pop(tag, None)
                if new[0] != 15:
                    record.fields[tag] = new
        else:
            self.apply_link(event, record, identity, commit)

    def held(self, record, tag):
        """Returns what an event has as the old value: a missing field has the value that its attribute was added with."""
        attribute = self.names.attributes[tag]
        stored = self.value(record, attribute)
        return stored if tag in record.fields or "valueWhenMissing" in attribute else (15, ABSENT)

    def apply_link(self, event, record, identity, commit):
        link, relationship = event.link, self.names.relationships[event.link["tag"]]
        for other in (link["from"], link["to"]):
            if other:
                self.touch(other, commit)
        if relationship.get("many") or self.is_mirrored(relationship):
            targets = self.links.setdefault((link["tag"], identity), {})
            if link["from"]:
                assert targets.pop(link["from"]) == link["orders"][0]
            if link["to"]:
                targets[link["to"]] = link["orders"][1]
            return
        record.fields.pop(link["tag"], None)
        if link["to"]:
            order = link["orders"][1]
            record.fields[link["tag"]] = (11, (link["to"], order)) if order else (10, link["to"])

    def is_mirrored(self, relationship):
        return relationship["inverse"] == relationship["name"] and self.owner_entity(relationship)["name"] == relationship["to"]

    def inverse(self, tag):
        relationship = self.relationships[tag]
        if self.is_mirrored(relationship):
            return relationship
        for other in self.relationships.values():
            is_named = other["name"] == relationship["inverse"] and other["inverse"] == relationship["name"] and other is not relationship
            if is_named and self.owner_entity(other)["name"] == relationship["to"] and other["to"] == self.owner_entity(relationship)["name"]:
                return other
        raise AssertionError(f"{relationship['name']} has no inverse")

    def owner_entity(self, relationship):
        return next(entity for entity in self.names.model["entities"] if relationship in entity.get("relationships", []))

    def link_rows(self):
        """Yields (relationship tag, source, order, target, value): the rows of links."""
        for identity, record in self.records.items():
            for tag, (form, value) in record.fields.items():
                if form in (10, 11) and tag in self.relationships:
                    target, order = value if form == 11 else (value, b"")
                    yield self.inverse(tag)["tag"], target, order, identity, b""
        for (tag, identity), targets in self.links.items():
            if identity not in self.records or tag not in self.relationships:
                continue
            relationship, inverse = self.relationships[tag], self.inverse(tag)
            for target, order in targets.items():
                is_ordered = relationship.get("ordered")
                yield tag, identity, order if is_ordered else b"", target, b"" if is_ordered else order
                if inverse is relationship and target == identity:
                    continue
                yield inverse["tag"], target, b"" if is_ordered else order, identity, order if is_ordered else b""

    def targets(self, tag, identity):
        return self.by_source.get((tag, identity), [])

    def derive(self):
        """Adds the derived values to the records."""
        self.by_source = {}
        for tag, source, _, target, _ in self.link_rows():
            self.by_source.setdefault((tag, source), []).append(target)
        for entity in self.names.model["entities"]:
            for attribute in entity.get("attributes", []):
                if "derived" in attribute:
                    for identity, record in self.records.items():
                        if entity["tag"] in self.names.lineage(record.entity):
                            self.derive_value(identity, record, self.names.whole(entity), attribute)

    def derive_value(self, identity, record, entity, attribute):
        ((kind, path),) = attribute["derived"].items()
        name, _, source = path.partition(".")
        relationship = next(it for it in entity["relationships"] if it["name"] == name)
        targets = self.targets(relationship["tag"], identity)
        if kind == "count":
            value = len(targets)
        else:
            target = self.names.named(relationship["to"])
            summarized = next(it for it in target["attributes"] if it["name"] == source)
            values = [value for form, value in (self.value(self.records[other], summarized) for other in targets) if form]
            # A sum of doubles is the double that is nearest to the exact sum.
            total = {"integer": sum, "double": math.fsum}[summarized["type"]]
            value = {"sum": total, "max": max, "min": min}[kind](values) if values else None
        # The least and the greatest of some values may be 0, and then it has a field.
        if value or (kind in ("max", "min") and value is not None):
            record.fields[attribute["tag"]] = (2 if isinstance(value, float) else 1, value)

    def value(self, record, attribute):
        """Returns the stored form of an attribute, with the value that a missing one has."""
        if attribute["tag"] in record.fields:
            return record.fields[attribute["tag"]]
        if "derived" in attribute:
            return (1, 0) if {"count", "sum"} & set(attribute["derived"]) else (0, None)
        if "valueWhenMissing" in attribute:
            assert attribute["type"] in ("integer", "string")
            return (1 if attribute["type"] == "integer" else 6), attribute["valueWhenMissing"]
        return 0, None


class Rows:
    """The rows that follow from a fold, by table, as the page says."""

    def __init__(self, fold):
        self.fold, self.names = fold, fold.names
        self.groups = [KeptGroups(self, entity, declared, objects) for entity, objects in self.entities() for declared in entity.get("x-groups", [])]

    def rows_of_groups(self, table):
        """Returns the rows of all declared groups in a table."""
        return {key: value for groups in self.groups for key, value in getattr(groups, table)().items()}

    def links(self):
        rows = self.rows_of_groups("links")
        for tag, source, order, target, value in [*self.fold.link_rows(), *self.fold.rows_of_retired]:
            ordered = order + b"\0" if self.fold.is_ordered[tag] else b""
            rows[tag.to_bytes(2, "big") + uuid.UUID(source).bytes + ordered + uuid.UUID(target).bytes] = value
        return rows

    def entities(self):
        """Yields each entity, with the fields of its ancestors, and its objects, those of its descendants included."""
        for entity in self.names.model["entities"]:
            objects = [(identity, record) for identity, record in self.fold.records.items() if entity["tag"] in self.names.lineage(record.entity)]
            yield self.names.whole(entity), objects

    def resolve(self, entity, record, path):
        """Returns (stored value, order) of a path of an index."""
        name, _, rest = path.partition(".")
        if rest:
            relationship = next(it for it in entity["relationships"] if it["name"] == name)
            target = self.names.named(relationship["to"])
            link = self.link(record, relationship)
            if link is None:
                # The order is the same for a missing value, which is one byte.
                return (0, None), None
            return self.resolve(target, self.fold.records[link[1][0] if link[0] == 11 else link[1]], rest)
        if name in ("createdAt", "changedAt"):
            return (3, record.inserted_at if name == "createdAt" else record.changed_at), None
        for relationship in entity.get("relationships", []):
            if relationship["name"] == name:
                return self.link(record, relationship) or (0, None), None
        attribute = next(it for it in entity["attributes"] if it["name"] == name)
        return self.fold.value(record, attribute), attribute.get("order")

    def link(self, record, relationship):
        """Returns the stored form of a to-one link, which is in rows alone if the relationship is its own inverse."""
        if self.fold.is_mirrored(relationship):
            return next(((10, target) for target in self.fold.targets(relationship["tag"], record.identity)), None)
        return record.fields.get(relationship["tag"])

    def value_of(self, entity, identity, record, path):
        """Returns (stored value, order) of a path of groups; a link is the identity of its target."""
        if path == "id":
            return (8, identity), None
        (form, value), order = self.resolve(entity, record, path.removesuffix(".id"))
        if form in (10, 11):
            return (8, value if form == 10 else value[0]), order
        # A derived sum of 0 has no field.
        return (2, float(value)) if form == 1 and self.type_of(entity, path) == "double" else (form, value), order

    def end_of(self, entity, path):
        """Returns the relationships of a path, the entity at its end and the last name."""
        *names, last = path.split(".")
        steps = []
        for name in names:
            steps.append(next(it for it in entity["relationships"] if it["name"] == name))
            entity = self.names.named(steps[-1]["to"])
        return steps, entity, last

    def type_of(self, entity, path):
        """Returns the type of the values of a path."""
        _, end, name = self.end_of(entity, path)
        attribute = next((it for it in end.get("attributes", []) if it["name"] == name), None)
        if attribute is None:
            return "date" if name in ("createdAt", "changedAt") else "uuid"
        if "derived" not in attribute:
            return attribute["type"]
        ((kind, source),) = attribute["derived"].items()
        return "integer" if kind == "count" else self.type_of(end, source)

    def tags_of(self, entity, path):
        """Returns the tags on a path as a part of the identities of groups."""
        steps, end, name = self.end_of(entity, path.removesuffix(".id"))
        data = b"".join(varint(step["tag"]) for step in steps)
        if name in ("id", "createdAt", "changedAt"):
            return data + varint(len(name) + 1) + b"\0" + name.encode()
        return data + varint(next(it["tag"] for it in [*end.get("attributes", []), *end.get("relationships", [])] if it["name"] == name))

    def views(self):
        rows = self.rows_of_groups("views")
        for entity, objects in self.entities():
            indexes = [(entity["timelineTag"], ["createdAt"]), *zip(entity.get("indexTags", []), entity.get("indexes", []), strict=True)]
            for tag, paths in indexes:
                for identity, record in objects:
                    terms = b""
                    for path in paths:
                        name, _, direction = path.partition(":")
                        value, order = self.resolve(entity, record, name)
                        terms += term(value, order, direction == "desc")
                    rows[tag.to_bytes(2, "big") + terms[:493] + uuid.UUID(identity).bytes] = b""
        return rows

    def unique(self):
        rows = {}
        for entity, objects in self.entities():
            for tag, paths in zip(entity.get("uniqueTags", []), entity.get("unique", []), strict=True):
                for identity, record in objects:
                    values = [self.resolve(entity, record, path)[0] for path in paths]
                    if any(form == 0 for form, _ in values):
                        continue
                    terms = b"".join(term(value) for value in values)
                    terms = terms if len(terms) <= 400 else hashlib.sha256(terms).digest()
                    rows[tag.to_bytes(2, "big") + terms] = uuid.UUID(identity).bytes
        return rows

    def counts(self, views):
        """Returns the counts of the entries of indexes, by the stretches of each level."""
        rows, by_tag = {}, {}
        for key in sorted(views):
            by_tag.setdefault(key[:2], []).append((key, level_count(key)))
        for tag, keys in by_tag.items():
            for level in range(8):
                if level and not any(levels > level for _, levels in keys):
                    continue
                counts, start = {tag: [0, 0]}, tag
                for key, levels in keys:
                    if levels > level:
                        start = key
                        counts[start] = [0, 0]
                    counts[start][0] += 1
                    # A key with cut terms is as long as a key can be.
                    counts[start][1] += len(key) == 2 + 493 + 16
                for start, numbers in counts.items():
                    rows[bytes([level]) + start] = b"".join(number.to_bytes(8, "big") for number in numbers)
        return rows

    def commit_index(self):
        """Returns the rows of complete blocks of commits."""
        rows, blocks = {}, len(self.fold.journal.commits) // 64
        for commit in self.fold.journal.commits[: blocks * 64]:
            block, bit = divmod(commit.position - 1, 64)
            for words in self.terms(commit):
                key = words + block.to_bytes(8, "big")
                rows[key] = rows.get(key, 0) | 1 << bit
        return {key: bits.to_bytes(8, "big") for key, bits in rows.items()}, blocks

    def terms(self, commit):
        if commit.is_model:
            yield b"\1"
        else:
            for event in commit.events:
                kind = {"inserted": 1, "renamed": 2, "set": 3, "related": 4, "unrelated": 5, "deleted": 6, "unknown": 7, "recorded": 8}[event.kind]
                yield b"\2" + event.subject[0].to_bytes(2, "big") + bytes([kind])
                if event.kind == "recorded":
                    yield b"\3" + event.declaration.to_bytes(2, "big")
        for byte, text in ((b"\4", commit.author), (b"\5", commit.reasons.get("correlation"))):
            if text is not None:
                words = escaped(text.encode())
                yield byte + (words if len(words) <= 400 else b"\0\1" + hashlib.sha256(text.encode()).digest())
        cause = commit.reasons.get("causation")
        if isinstance(cause, int):
            yield b"\6" + cause.to_bytes(8, "big")
        elif cause:
            position = next((it.position for it in self.fold.journal.commits if it.commit_id == cause), None)
            if position:
                yield b"\6" + position.to_bytes(8, "big")
        if "undoes" in commit.reasons or "redoes" in commit.reasons:
            yield b"\7"
        yield b"\x08" + (commit.time // 86_400_000_000 + (1 << 63)).to_bytes(8, "big")


def mixed(number):
    product = (number ^ 0xA0761D6478BD642F) * 0xE7037ED1A0B428DB
    return (product & MASK) ^ product >> 64


def level_count(key):
    """Returns the number of levels of which the key is a boundary."""
    if len(key) > 510:
        return 0
    number, whole = len(key), len(key) // 8 * 8
    for place in range(0, whole, 8):
        number = mixed(number ^ int.from_bytes(key[place : place + 8], "little"))
    number = mixed(mixed(number ^ int.from_bytes(key[whole:], "little")))
    zeros = (number & -number).bit_length() - 1 if number else 64
    return min(max((zeros - 9) // 4 + 1, 0), 8)


def read_record(value):
    """Returns the entity's tag or None, and the members of a live object's row or the position of a deleted one's last event."""
    reader = Bytes(value)
    kind = reader.byte()
    entity = reader.varint() if kind in (3, 4) else None
    if kind in (2, 4):
        position = reader.varint()
        reader.end()
        return entity, position
    assert kind in (1, 3)
    inserted = reader.varint()
    changed, touched = inserted + reader.varint(), inserted + reader.varint()
    inserted_at = reader.signed(8)
    changed_at = wrapped(inserted_at + reader.zigzag())
    return entity, (inserted, changed, touched, inserted_at, changed_at, dict(read_fields(reader)))


class Projections:
    """The tables of a store's projections."""

    def __init__(self, path):
        self.file = LMDBFile(path)
        self.state = self.read_state(Bytes(self.unchecked("projections", b"built-in")))

    def rows(self, table):
        """Returns the rows of a table, without their checksums, which are compared."""
        rows = {}
        for key, value in self.file.rows(table):
            if table.startswith(NO_CHECKSUM):
                rows[key] = value
                continue
            rows[key], found = value[:-4], value[-4:]
            assert found == checksum(key, rows[key]), f"the checksum of {key!r} in {table}"
        return rows

    def unchecked(self, table, key):
        return self.rows(table)[key]

    def read_state(self, reader):
        state = {
            "version": reader.varint(),
            "collations": reader.varint(),
            "checkpoint": reader.number(8),
            "hash": reader.take(32),
            "model": reader.number(8),
            "generations": [reader.varint() for _ in range(5)],
            "left out": 0,
            "orders": "",
            "groups": 0,
        }
        if reader:
            state["left out"] = reader.varint()
        if reader:
            state["orders"] = reader.text()
        if reader:
            state["groups"] = reader.varint()
        reader.end()
        return state

    def compare(self, fold):
        """Compares each row of each table with the row that follows from the journal."""
        journal, rows = fold.journal, Rows(fold)
        last = journal.commits[-1]
        state = self.state
        assert (state["version"], state["checkpoint"], state["hash"], state["model"]) == (5, last.position, last.hash, fold.model_position), state
        assert state["groups"] == (8 if rows.groups else 0), state
        generations = dict(zip(("objects", "links", "views", "unique", "counts"), state["generations"], strict=True))
        tables = {name: self.rows(f"{name}.{number}") for name, number in generations.items()}
        self.compare_objects(tables["objects"], rows)
        views = rows.views()
        for name, expected in (("links", rows.links()), ("views", views), ("unique", rows.unique()), ("counts", rows.counts(views))):
            assert_equal(name, tables[name], expected)
        expected, blocks = rows.commit_index()
        assert_equal("commit-index", self.rows("commit-index"), expected)
        reader = Bytes(self.unchecked("projections", b"commit-index"))
        assert [reader.varint() for _ in range(3)] == [1, blocks, 0]
        reader.end()
        for key in self.rows("projections"):
            if key.startswith(b"projection "):
                self.check_user(key.removeprefix(b"projection ").decode(), journal)
            else:
                assert key in (b"built-in", b"commit-index"), f"{key!r} is not on the page"

    def user_record(self, name):
        """Returns what the record of a user's projection says of its live rows, and of unfinished ones."""
        reader = Bytes(self.unchecked("projections", b"projection " + name.encode()))
        assert reader.varint() == 4
        record = {}
        while reader:
            kind = reader.byte()
            assert kind in (1, 2) and kind not in record
            record[kind] = {
                "version": reader.varint(),
                "generation": reader.varint(),
                "fold": reader.varint(),
                "identity": reader.take(8),
                "digest": reader.take(32),
                "checkpoint": reader.number(8),
                "hash": reader.take(32),
                "left out": reader.varint(),
                "unknown events": reader.varint(),
            }
            flags = reader.byte()
            assert flags in range(8)
            if flags & 2:
                record[kind]["stop"] = reader.number(8), reader.text()
            record[kind]["entities"] = json.loads(reader.text())
            if flags & 4:
                record[kind]["reads"] = [(reader.text(), reader.varint(), reader.varint()) for _ in range(reader.varint())]
        return record

    def derived_objects(self, name, instance):
        """Returns the derived objects of a user's projection by the names of their entities: the values of each by name."""
        table = f"projection/{name}.{instance['generation']}"
        tag, names, attributes = instance["entities"]["firstTag"], {}, {}
        for entity in instance["entities"]["model"]["entities"]:
            names[tag] = entity["name"]
            tag += 2
            for attribute in entity["attributes"]:
                attributes[tag] = attribute["name"]
                tag += 1
            tag += 2 * len(entity.get("relationships", [])) + len(entity.get("indexes", [])) + len(entity.get("unique", []))
        objects = {entity: [] for entity in names.values()}
        for key, value in self.rows(f"{table}.objects").items():
            _, record = read_record(value)
            if isinstance(record, int):
                continue
            fields = record[-1]
            objects[names[int.from_bytes(key[:2], "big")]].append({attributes[tag]: value for tag, (_, value) in fields.items()})
        digest = bytes(32)
        for key, changes in sorted(self.rows(f"{table}.changes").items()):
            assert len(key) == 8 and int.from_bytes(key, "big") <= instance["checkpoint"]
            digest = hashlib.sha256(digest + key + changes).digest()
        assert digest == instance["digest"]
        return objects

    def quarantine(self, name, instance):
        """Returns the commits that a user's projection has left out as position: (state, reason)."""
        commits = {}
        for key, value in self.rows(f"projection/{name}.{instance['generation']}").items():
            assert len(key) == 8 and value[0] in (0, 1, 2)
            commits[int.from_bytes(key, "big")] = value[0], value[1:].decode()
        return commits

    def check_user(self, name, journal):
        for instance in self.user_record(name).values():
            checkpoint = instance["checkpoint"]
            assert instance["hash"] == (journal.commits[checkpoint - 1].hash if checkpoint else bytes(32))
            assert len(self.quarantine(name, instance)) == instance["left out"]
            self.derived_objects(name, instance)

    def compare_objects(self, table, rows):
        fold, found = rows.fold, {}
        tags = {groups.tag for groups in rows.groups}
        assert_equal("groups", {key: value for key, value in table.items() if int.from_bytes(key[:2], "big") in tags}, rows.rows_of_groups("objects"))
        for key, value in table.items():
            if int.from_bytes(key[:2], "big") in tags:
                continue
            found[int.from_bytes(key[:2], "big"), str(uuid.UUID(bytes=key[2:]))] = read_record(value)
        members = {
            identity: (record.inserted, record.changed, record.touched, record.inserted_at, record.changed_at, record.fields)
            for identity, record in fold.records.items()
        }
        members.update(fold.deleted)
        expected = {}
        for identity, row in members.items():
            lineage = fold.names.lineage(fold.entity_of[identity])
            # The record of an object of a root does not name its entity.
            expected[lineage[-1], identity] = (lineage[0] if len(lineage) > 1 else None, row)
        assert_equal("objects", found, expected)


def assert_equal(name, found, expected):
    for key in found.keys() | expected.keys():
        assert found.get(key) == expected.get(key), f"{name}: {key!r} is {found.get(key)!r}, and follows as {expected.get(key)!r}"
