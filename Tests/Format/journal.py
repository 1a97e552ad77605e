"""Decodes the journal of a store by docs/file-format.md alone, and returns commits as the lines of `daybook export`."""

import base64
import datetime
import hashlib
import json
import math
import struct
import uuid

from lmdbfile import LMDBFile

CHUNK = 1 << 20
EPOCH = datetime.datetime(1970, 1, 1)
ABSENT = object()

# The rows of `meta` that not every store has, and what reads them.
OPTIONAL_META = {"trusted projections": "check_trust", "stream place": "check_place", "stream fork": "check_fork"}


class Bytes:
    """Reads bytes from the left; what is not as the page says is an error."""

    def __init__(self, data):
        self.data, self.place = bytes(data), 0

    def __bool__(self):
        return self.place < len(self.data)

    def take(self, count):
        assert self.place + count <= len(self.data), f"{count} bytes at {self.place} of {len(self.data)}"
        self.place += count
        return self.data[self.place - count : self.place]

    def rest(self):
        return self.take(len(self.data) - self.place)

    def byte(self):
        return self.take(1)[0]

    def number(self, count):
        return int.from_bytes(self.take(count), "big")

    def signed(self, count):
        return int.from_bytes(self.take(count), "big", signed=True)

    def varint(self):
        result, shift = 0, 0
        while True:
            byte = self.byte()
            result |= (byte & 127) << shift
            if byte < 128:
                assert (byte or shift == 0) and result < 1 << 64, "a varint is in its shortest form"
                return result
            shift += 7

    def zigzag(self):
        number = self.varint()
        return number >> 1 ^ -(number & 1)

    def run(self):
        return self.take(self.varint())

    def text(self):
        return self.run().decode("utf-8")

    def uuid(self):
        return str(uuid.UUID(bytes=self.take(16)))

    def end(self):
        assert not self, f"{len(self.data) - self.place} bytes are left"


def seal(data):
    return hashlib.sha256(data).digest()[:8]


def unsealed(key, value):
    """Returns the value of a sealed row."""
    assert value[-8:] == seal(key + value[:-8]), f"the seal of {key}"
    return value[:-8]


def wrapped(number):
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def time_text(microseconds):
    moment = EPOCH + datetime.timedelta(microseconds=microseconds)
    return moment.isoformat(timespec="microseconds" if microseconds % 1_000_000 else "seconds") + "Z"


def decimal_text(data):
    """Returns plain digits."""
    reader = Bytes(data)
    sign, exponent = reader.byte(), reader.zigzag()
    coefficient = reader.rest()
    assert sign in (0, 1) and coefficient[:1] != b"\0"
    digits = str(int.from_bytes(coefficient, "big"))
    assert digits == "0" or not digits.endswith("0"), "the coefficient has no trailing zeros"
    sign = "-" if sign else ""
    if exponent >= 0:
        return sign + digits + "0" * exponent
    digits = digits.rjust(1 - exponent, "0")
    return f"{sign}{digits[:exponent]}.{digits[exponent:]}"


def retired(parent, key):
    """Returns retired declarations; the export adds the tag to their names, which others may have meanwhile."""
    return [{**it, "name": f"{it['name']}#{it['tag']}"} for it in parent.get(key, [])]


class Names:
    """The declarations of a stored model by their tags, retired ones too."""

    def __init__(self, model):
        self.model = model
        self.entities, self.attributes, self.relationships, self.events = {}, {}, {}, {}
        for entity in model["entities"] + retired(model, "retiredEntities"):
            self.entities[entity["tag"]] = entity
            for attribute in entity.get("attributes", []) + retired(entity, "retiredAttributes"):
                self.attributes[attribute["tag"]] = attribute
            for relationship in entity.get("relationships", []) + retired(entity, "retiredRelationships"):
                self.relationships[relationship["tag"]] = relationship
        for event in model.get("x-events", []) + retired(model, "x-retiredEvents"):
            self.events[event["tag"]] = event
            for attribute in event.get("attributes", []) + retired(event, "retiredAttributes"):
                self.attributes[attribute["tag"]] = attribute
        tags = [*self.entities, *self.attributes, *self.relationships, *self.events]
        for entity in model["entities"]:
            tags += [groups[member] for groups in entity.get("x-groups", []) for member in ("tag", "keysTag")]
        assert len(tags) == len(set(tags)) and max(tags) < model["nextTag"]

    def lineage(self, tag):
        """Returns the tags of an entity and of its ancestors, the root last."""
        tags, named = [tag], {entity["name"]: entity["tag"] for entity in self.model["entities"]}
        while "parent" in self.entities[tags[-1]]:
            parent = self.entities[tags[-1]]["parent"]
            tags.append(named[parent] if isinstance(parent, str) else parent)
        return tags

    def whole(self, entity):
        """Returns an entity with the attributes and relationships of its ancestors."""
        ancestors = [self.entities[tag] for tag in self.lineage(entity["tag"])]
        return {**entity, **{kind: [it for other in ancestors for it in other.get(kind, [])] for kind in ("attributes", "relationships")}}

    def named(self, name):
        """Returns the entity with a name, with the fields of its ancestors."""
        return self.whole(next(it for it in self.model["entities"] if it["name"] == name))

    def is_name(self, entity, attribute):
        names = [self.entities[tag].get("nameAttribute") for tag in self.lineage(entity)]
        return next((name for name in names if name), None) == self.attributes[attribute]["name"]


def read_value(reader, form):
    """Returns (form, value) of the payload of a form; values as Python has them, exact ones as bytes."""
    if form == 1:
        return form, reader.zigzag()
    if form == 2:
        (value,) = struct.unpack(">d", reader.take(8))
        assert not math.isnan(value) and not (value == 0 and math.copysign(1, value) < 0)
        return form, value
    if form == 3:
        return form, reader.signed(8)
    if form in (4, 5):
        return form, form == 5
    if form == 6:
        return form, reader.text()
    if form == 7:
        return form, reader.run()
    if form in (8, 10):
        return form, reader.uuid()
    if form == 9:
        value = reader.run()
        decimal_text(value)
        return form, value
    if form == 11:
        inner = Bytes(reader.run())
        return form, (inner.uuid(), inner.rest())
    if form == 12:
        reference = reader.take(32), reader.number(8)
        assert 65_537 <= reference[1] <= 67_108_864
        return form, reference
    if form == 15:
        return form, ABSENT
    assert form == 0, f"form {form}"
    return form, None


def read_fields(reader, pairs=False):
    """Returns [(tag, (form, value))], or [(tag, old, new)], of all that is left."""
    fields, last = [], 0
    while reader:
        tag, form = divmod(reader.varint(), 16)
        assert last < tag < 1 << 16, "tags rise"
        last = tag
        value = read_value(reader, form)
        if pairs:
            again, form = divmod(reader.varint(), 16)
            assert again == tag
            fields.append((tag, value, read_value(reader, form)))
        else:
            assert form != 15
            fields.append((tag, value))
    return fields


def json_value(stored, kind):
    """Returns the value as the export writes it."""
    form, value = stored
    if form in (0, 15):
        return None
    if form == 3:
        return time_text(value)
    if form == 9:
        return decimal_text(value)
    if form == 7:
        return json.loads(value) if kind == "codable" else base64.b64encode(value).decode()
    if form == 12:
        return {"sha256": value[0].hex(), "size": value[1]}
    return value


class Commit:
    """One commit: the parts of its header, and of its events."""

    def __init__(self, position, data, previous_hash, previous_time):
        reader = Bytes(data)
        self.version, flags = reader.byte(), reader.byte()
        assert self.version in (1, 2) and flags & ~31 == 0
        self.position, self.previous_hash = reader.number(8), reader.take(32)
        assert self.position == position and self.previous_hash == previous_hash
        digest, self.recorded_at = reader.take(32), reader.signed(8)
        assert self.recorded_at >= previous_time
        self.event_count, size = reader.varint(), reader.varint()
        self.is_model = bool(flags & 1)
        self.commit_id = reader.uuid() if flags & 2 else None
        self.happened_at = reader.signed(8) if flags & 4 else None
        self.author = reader.text() if flags & 8 else None
        self.message = reader.text() if flags & 16 else None
        self.reasons = self.read_reasons(reader) if self.version == 2 else {}
        self.hash = hashlib.sha256(data[: reader.place]).digest()
        self.body = reader.take(size)
        assert hashlib.sha256(self.body).digest() == digest, "the digest of the body"
        assert reader.take(8) == self.hash[:8], "the seal"
        reader.end()

    @property
    def time(self):
        return self.recorded_at if self.happened_at is None else self.happened_at

    def read_reasons(self, reader):
        flags, reasons = reader.byte(), {}
        assert 0 < flags < 64 and flags & 6 != 6 and flags & 48 != 48
        if flags & 1:
            text = reader.run()
            reasons["metadata"] = json.loads(text)
            assert list(reasons["metadata"]) == sorted(reasons["metadata"], key=str.encode) and b": " not in text
        if flags & 2:
            reasons["causation"] = reader.varint()
        if flags & 4:
            reasons["causation"] = reader.uuid()
        if flags & 8:
            reasons["correlation"] = reader.text()
        for flag, name in ((16, "undoes"), (32, "redoes")):
            if flags & flag:
                reasons[name] = self.read_positions(reader)
        return reasons

    def read_positions(self, reader):
        positions = []
        for number in range(reader.varint()):
            distance, length = reader.varint(), reader.varint() + 1
            assert distance >= (2 if number else 1)
            start = (positions[-1] if positions else 0) + distance
            positions += range(start, start + length)
        assert positions[-1] < self.position
        return positions

    def line(self, names):
        """Returns the commit as a line of the export."""
        line = {
            "position": self.position,
            "commitID": self.commit_id,
            "recordedAt": time_text(self.recorded_at),
            "happenedAt": None if self.happened_at is None else time_text(self.happened_at),
            "author": self.author,
            "message": self.message,
            "previousHash": self.previous_hash.hex(),
            "hash": self.hash.hex(),
            **self.reasons,
        }
        if self.is_model:
            return {**line, "model": json.loads(self.body)}
        return {**line, "events": [event.line(names) for event in self.events]}

    @property
    def events(self):
        reader, subject, events = Bytes(self.body), None, []
        while reader:
            events.append(Event(reader, self, subject))
            subject = events[-1].subject
        assert len(events) == self.event_count
        return events


KINDS = {1: "inserted", 2: "renamed", 3: "set", 4: "related", 5: "unrelated", 6: "deleted", 7: "recorded"}


class Event:
    def __init__(self, reader, commit, subject):
        head = reader.byte()
        self.commit, self.kind = commit, KINDS[head & 7]
        allowed = {4: 8 | 16 | 32 | 64, 5: 8 | 16 | 32 | 64}.get(head & 7, 8)
        assert head & ~7 & ~allowed == 0, f"flags {head:#x} of {self.kind}"
        self.subject = subject if head & 8 else (reader.varint(), reader.uuid())
        self.previous = self.distance(reader, is_optional=True)
        self.former, self.fields, self.pairs, self.link, self.content, self.declaration = None, [], [], None, None, None
        if self.kind not in ("inserted", "recorded"):
            self.former = {"changed": self.distance(reader), "changedAt": self.moment(reader)}
        if self.kind == "inserted":
            self.fields = read_fields(Bytes(reader.run()))
        elif self.kind in ("renamed", "set"):
            self.pairs = read_fields(Bytes(reader.run()), pairs=True)
        elif self.kind in ("related", "unrelated"):
            self.read_link(reader, head)
        elif self.kind == "deleted":
            created = {"created": self.distance(reader), "createdAt": self.moment(reader)}
            self.former = {**created, **self.former}
            self.fields = read_fields(Bytes(reader.run()))
        else:
            content = reader.run()
            inner = Bytes(content)
            if inner.varint() == 8:
                self.declaration = inner.varint()
                self.fields = read_fields(inner)
                assert all(form for _, (form, _) in self.fields)
            else:
                self.kind, self.content = "unknown", content

    def distance(self, reader, is_optional=False):
        distance = reader.varint()
        if is_optional and distance == 0:
            return None
        return self.commit.position - distance

    def moment(self, reader):
        return wrapped(self.commit.time - reader.zigzag())

    def read_link(self, reader, head):
        self.link = {"tag": reader.varint(), "from": None, "to": None, "orders": [b"", b""]}
        if head & 16:
            self.link["from"], self.link["fromPrevious"] = reader.uuid(), self.distance(reader, is_optional=True)
        if self.kind == "related":
            self.link["to"], self.link["targetPrevious"] = reader.uuid(), self.distance(reader, is_optional=True)
        for number, flag in enumerate((32, 64)):
            if head & flag:
                self.link["orders"][number] = reader.run()

    def line(self, names):
        entity = names.entities[self.subject[0]]
        line = {"event": self.kind}
        if self.kind == "recorded":
            line["name"] = names.events[self.declaration]["name"]
        line.update({"entity": entity["name"], "object": self.subject[1]})
        values = {names.attributes[tag]["name"]: json_value(value, names.attributes[tag].get("type")) for tag, value in self.fields if tag in names.attributes}
        links = {
            names.relationships[tag]["name"]: {"to": value[0], "order": value[1].hex()} if form == 11 else {"to": value}
            for tag, (form, value) in self.fields
            if form in (10, 11)
        }
        if self.kind in ("inserted", "deleted", "recorded"):
            line["values"] = values
            line.update({"links": links} if links else {})
        elif self.kind == "renamed":
            ((tag, old, new),) = self.pairs
            kind = names.attributes[tag].get("type")
            line.update({"from": json_value(old, kind), "to": json_value(new, kind)})
            if not names.is_name(self.subject[0], tag):
                line["attribute"] = names.attributes[tag]["name"]
        elif self.kind == "set":
            line["values"] = {
                names.attributes[tag]["name"]: [json_value(side, names.attributes[tag].get("type")) for side in (old, new)] for tag, old, new in self.pairs
            }
        elif self.kind == "unknown":
            line["content"] = base64.b64encode(self.content).decode()
        else:
            self.add_link(line, names.relationships[self.link["tag"]])
        previous = {"previous": self.previous, **{key: (self.link or {}).get(key) for key in ("targetPrevious", "fromPrevious")}}
        line.update({key: value for key, value in previous.items() if value is not None})
        if self.former:
            line["former"] = {key: time_text(value) if key.endswith("At") else value for key, value in self.former.items()}
        return line

    def add_link(self, line, relationship):
        line.update({"relationship": relationship["name"], "from": self.link["from"]})
        if self.link["to"]:
            line["to"] = self.link["to"]
        if relationship.get("ordered") or any(self.link["orders"]):
            line["order"] = [order.hex() or None for order in self.link["orders"]]


class Journal:
    """The journal of a store that no process writes."""

    def __init__(self, path):
        self.file = LMDBFile(path)
        self.meta = {key.decode(): unsealed(key, value) for key, value in self.file.rows("meta")}
        self.commits = list(self.read_commits())
        self.check_ids()
        self.check_meta()
        self.check_subscriptions()
        self.large_values = self.read_large_values()

    def read_commits(self):
        chunks = {}
        for key, value in self.file.rows("journal"):
            position, chunk = struct.unpack(">QI", key)
            assert chunk == len(chunks.setdefault(position, [])), "chunks count from 0"
            chunks[position].append(value)
        previous = bytes(32), -(1 << 63)
        for number, (position, pieces) in enumerate(chunks.items(), 1):
            assert position == number, "positions have no gap"
            assert all(len(piece) == CHUNK for piece in pieces[:-1]) and len(pieces[-1]) < CHUNK
            commit = Commit(position, b"".join(pieces), *previous)
            previous = commit.hash, commit.recorded_at
            yield commit

    def check_ids(self):
        ids = {str(uuid.UUID(bytes=key)): struct.unpack(">Q", value)[0] for key, value in self.file.rows("commit ids")}
        assert ids == {commit.commit_id: commit.position for commit in self.commits if commit.commit_id}

    def check_meta(self):
        reader = Bytes(self.meta["format"])
        self.format = [reader.varint()]
        self.format.append(reader.varint() if reader else self.format[0])
        reader.end()
        reader = Bytes(self.meta["models"])
        assert [reader.number(8) for _ in range(len(reader.data) // 8)] == [commit.position for commit in self.commits if commit.is_model]
        assert len(self.meta["store id"]) == 16
        for key, value in self.meta.items():
            if key.startswith("projection "):
                self.check_ledger(Bytes(value))
            elif key in OPTIONAL_META:
                getattr(self, OPTIONAL_META[key])(Bytes(value))
            else:
                assert key in ("format", "store id", "models"), f"{key} is not on the page"

    def check_ledger(self, reader):
        assert reader.varint() == 1
        assert reader.number(8) <= len(self.commits)
        while reader:
            reader.varint()
            assert 0 < reader.number(8) <= len(self.commits)
            reader.number(4)

    def check_place(self, reader):
        reader.signed(8)
        message, digest, position, _ = reader.number(8), reader.take(32), reader.number(8), reader.number(8)
        assert (message == 0) == (digest == bytes(32)) and position <= len(self.commits)
        reader.end()

    def check_fork(self, reader):
        position, own, other = reader.number(8), reader.take(32), reader.take(32)
        assert self.commits[position - 1].hash == own != other
        reader.end()

    def check_subscriptions(self):
        for key, value in self.file.rows("subscriptions"):
            assert len(value) in (8, 16)
            (position,) = struct.unpack(">Q", unsealed(key, value) if len(value) == 16 else value)
            assert key.decode() and position <= len(self.commits)

    def check_trust(self, reader):
        assert reader.byte() in (0, 1)
        reader.take(16)
        reader.text()
        reader.take(8)
        if reader:
            reader.varint()
        reader.end()

    def read_large_values(self):
        """Returns the bytes of each large value by its SHA-256, after comparing them."""
        values = {}
        for key, piece in self.file.rows("large values"):
            digest, number = key[:32], int.from_bytes(key[32:], "big")
            assert number * CHUNK == len(values.setdefault(digest, b"")) and 0 < len(piece) <= CHUNK
            values[digest] += piece
        assert all(hashlib.sha256(value).digest() == digest for digest, value in values.items())
        return values

    @property
    def store_id(self):
        return str(uuid.UUID(bytes=self.meta["store id"]))

    def lines(self):
        """Yields the commits as lines of the export."""
        names = None
        for commit in self.commits:
            if commit.is_model:
                names = Names(json.loads(commit.body))
            yield commit.line(names)
