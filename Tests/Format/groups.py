"""Makes the rows of declared groups, by docs/file-format.md alone."""

import datetime
import decimal
import unicodedata
import uuid
from fractions import Fraction

from journal import Bytes
from writing import digest_identity, field, term, varint, zigzag

# The tags of the fields in a group's row: the keys, the values, the numbers by which it is sorted; and the state.
FIRST_TAG, STATE_TAG = 65_279, 65_534
DAY = 86_400_000_000
NULL = 0, None
# A group has no history: no positions and no times.
RECORD_HEAD = b"\1" + bytes(3 + 8 + 1)
LIMB = 10**18


def text(word):
    data = word.encode()
    return varint(len(data)) + data


def month_number(time):
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=time // DAY)
    return date.year * 12 + date.month - 1


def initial(name):
    return unicodedata.normalize("NFC", name[0]).upper() if name[0].isalpha() else "#"


# The number of a time, in UTC.
TIME_NUMBERS = {
    "day": lambda time: time // DAY,
    "week": lambda time: (time // DAY + 3) // 7,
    "month": month_number,
    "year": lambda time: month_number(time) // 12,
}


def time_name(transform, number):
    """Returns the text that a group has for the number of a time."""
    if transform == "year":
        return f"{number:04}"
    if transform == "month":
        return f"{number // 12:04}-{number % 12 + 1:02}"
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=number if transform == "day" else number * 7)
    if transform == "day":
        return date.isoformat()
    year, week, _ = date.isocalendar()
    return f"{year:04}-W{week:02}"


class Key:
    """A key of declared groups: a path, and a transform of its values."""

    def __init__(self, rows, entity, written):
        path, _, last = written.rpartition(".")
        is_transform = path and (last in TIME_NUMBERS or last == "initial") and rows.type_of(entity, path) in ("date", "string")
        self.path, self.transform = (path, last) if is_transform else (written, "none")
        self.tags = rows.tags_of(entity, self.path)

    def encoded(self, stored):
        """Returns the value by which objects are grouped."""
        form, value = stored
        if form == 3 and self.transform in TIME_NUMBERS:
            return 1, TIME_NUMBERS[self.transform](value)
        if form == 6 and self.transform == "initial":
            return (6, initial(value)) if value else NULL
        return stored

    def shown(self, stored):
        return (6, time_name(self.transform, stored[1])) if self.transform in TIME_NUMBERS and stored[0] else stored


def number(stored):
    """Returns the exact number of a value."""
    form, value = stored
    if form in (1, 2):
        return Fraction(value)
    reader = Bytes(value)
    sign, exponent = reader.byte(), reader.zigzag()
    return (-1) ** sign * int.from_bytes(reader.rest(), "big") * Fraction(10) ** exponent


def shortest(total, base):
    """Returns a number other than 0 as an integer that the base does not divide, and the exponent of the base."""
    whole, exponent = total, 0
    while whole.denominator > 1:
        whole, exponent = whole * base, exponent - 1
    whole = whole.numerator
    while whole % base == 0:
        whole, exponent = whole // base, exponent + 1
    return whole, exponent


def signed_bytes(whole):
    """Returns a whole number of any size."""
    magnitude = abs(whole).to_bytes((abs(whole).bit_length() + 7) // 8, "big")
    return varint(len(magnitude) << 1 | (whole < 0)) + magnitude


def sum_bytes(kind, numbers):
    """Returns the stored form of the sum of finite numbers."""
    count, total = varint(len(numbers)), sum(numbers, Fraction(0))
    if kind == "integer":
        return count + signed_bytes(total.numerator)
    if kind == "double":
        # No infinities.
        if not total:
            return count + b"\0\0\0"
        whole, exponent = shortest(total, 2)
        return count + b"\0\0" + signed_bytes(whole) + zigzag(exponent)
    if not total:
        return count + b"\0\0"
    whole, exponent = shortest(total, 10)
    limbs, rest = [], abs(whole)
    while rest:
        rest, limb = divmod(rest, LIMB)
        limbs.append(varint(limb))
    return count + b"\0" + varint(len(limbs) << 1 | (whole < 0)) + zigzag(exponent) + b"".join(limbs)


def decimal_value(total):
    """Returns a decimal, or None if it has more than 38 digits."""
    whole, exponent = shortest(total, 10) if total else (0, 0)
    if abs(whole) >= 10**38 or not -128 <= exponent <= 127:
        return None
    coefficient = abs(whole).to_bytes((abs(whole).bit_length() + 7) // 8, "big")
    return 9, bytes([whole < 0]) + zigzag(exponent) + coefficient


def sum_value(kind, numbers):
    """Returns the sum, or None if its type has no such value."""
    total = sum(numbers, Fraction(0))
    if kind == "integer":
        return (1, total.numerator) if -(1 << 63) <= total < 1 << 63 else None
    if kind == "decimal":
        return decimal_value(total)
    try:
        return 2, total.numerator / total.denominator
    except OverflowError:
        return None


def average_value(kind, numbers):
    if not numbers:
        return NULL
    average = sum(numbers, Fraction(0)) / len(numbers)
    if kind != "decimal":
        # The quotient of integers is rounded once.
        return 2, average.numerator / average.denominator
    context = decimal.Context(prec=38, rounding=decimal.ROUND_HALF_EVEN, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)
    return decimal_value(Fraction(context.divide(decimal.Decimal(average.numerator), decimal.Decimal(average.denominator))))


class Group:
    """A group: the values of its key, and of each object the values of the paths, with their orders."""

    def __init__(self, key):
        self.key, self.objects = key, {}

    def values(self, path):
        return [(stored, order) for _, objects in sorted(self.objects.items()) for stored, order in [objects[path]]]

    def present(self, path):
        return [(stored, order) for stored, order in self.values(path) if stored[0]]

    def numbers(self, path):
        return [number(stored) for stored, _ in self.present(path)]


class KeptGroups:
    """The groups of one declaration, and their rows."""

    def __init__(self, rows, entity, declared, objects):
        self.tag, self.keys_tag = declared["tag"], declared["keysTag"]
        self.keys = [Key(rows, entity, written) for written in declared["by"]]
        self.shown = [(function, path.removesuffix(".id")) for function, _, path in (it.partition(":") for it in declared["show"])]
        self.paths = list(dict.fromkeys(path for _, path in self.shown if path))
        self.kinds = [rows.type_of(entity, path) for path in self.paths]
        functions = [{function for function, other in self.shown if other == path} for path in self.paths]
        self.is_added = [bool(names & {"sum", "average"}) for names in functions]
        self.has_set = [bool(names & {"min", "max", "distinct"}) for names in functions]
        self.has_places = [bool(names & {"first", "last"}) for names in functions]
        self.start = varint(entity["tag"]) + b"".join(key.tags + text(key.transform) for key in self.keys)
        self.groups, self.orders = {}, [None] * len(self.keys)
        for identity, record in objects:
            self.add(identity, record, rows, entity)

    def add(self, identity, record, rows, entity):
        values = []
        for place, key in enumerate(self.keys):
            stored, order = rows.value_of(entity, identity, record, key.path)
            values.append(key.encoded(stored))
            # By the letters of a language, `initial` would have its order.
            self.orders[place] = self.orders[place] or (order if key.transform == "none" else None)
        encoded = b"".join(field(place, value) for place, value in enumerate(values, 1))
        group = self.groups.setdefault(encoded, Group(values))
        group.objects[uuid.UUID(identity).bytes] = [rows.value_of(entity, identity, record, path) for path in self.paths]

    def identity(self, encoded):
        return digest_identity(self.start + varint(len(encoded)) + encoded)

    def row_key(self, tag, encoded):
        return tag.to_bytes(2, "big") + self.identity(encoded)

    def value(self, function, path, group):
        """Returns a value, or None for a sum or an average that its type does not have."""
        if function == "count":
            return 1, len(group.objects)
        place = self.paths.index(path)
        if function == "sum":
            return sum_value(self.kinds[place], group.numbers(place))
        if function == "average":
            return average_value(self.kinds[place], group.numbers(place))
        if function == "distinct":
            return 1, len({field(1, stored) for stored, _ in group.present(place)})
        if function in ("first", "last"):
            return group.values(place)[0 if function == "first" else -1][0]
        ranked = sorted(group.present(place), key=lambda value: term(*value))
        return ranked[0 if function == "min" else -1][0] if ranked else NULL

    def objects(self):
        """Returns the rows of the groups."""
        rows = {}
        for encoded, group in self.groups.items():
            values = [self.value(function, path, group) for function, path in self.shown]
            fields = [key.shown(stored) for key, stored in zip(self.keys, group.key, strict=True)] + [value or NULL for value in values]
            data = b"".join(field(FIRST_TAG + place, stored) for place, stored in enumerate(fields))
            for place, (key, stored) in enumerate(zip(self.keys, group.key, strict=True), FIRST_TAG + len(fields)):
                if key.transform in TIME_NUMBERS:
                    data += field(place, stored)
            rows[self.row_key(self.tag, encoded)] = RECORD_HEAD + data + field(STATE_TAG, (7, self.state(encoded, group, None in values)))
        return rows

    def state(self, encoded, group, has_fault):
        data = varint(len(encoded)) + encoded + varint(len(group.objects)) + bytes([has_fault])
        for place, kind in enumerate(self.kinds):
            if self.is_added[place]:
                data += sum_bytes(kind, group.numbers(place))
            if self.has_set[place]:
                data += varint(len({field(1, stored) for stored, _ in group.present(place)}))
        return data

    def links(self):
        """Returns the rows of values, of places and of faults."""
        rows = {}
        for encoded, group in self.groups.items():
            start = self.row_key(self.tag, encoded)
            for place, kind in enumerate(self.kinds):
                if self.has_set[place]:
                    rows.update(self.set_rows(start + bytes([place]), kind, group.present(place)))
                if self.has_places[place]:
                    for identity, values in group.objects.items():
                        rows[start + bytes([place | 128]) + identity] = varint(1) + field(1, values[place][0])
            faults = [place for place, (function, path) in enumerate(self.shown) if self.value(function, path, group) is None]
            if faults:
                rows[self.row_key(self.keys_tag, encoded)] = bytes(faults)
        return rows

    def set_rows(self, start, kind, values):
        rows, counts = {}, {}
        for stored, order in values:
            counts.setdefault(field(1, stored), [0, stored, order])[0] += 1
        for data, (count, stored, order) in counts.items():
            sorted_value = b"" if kind in ("data", "codable") else term(stored, order)[:400]
            rows[start + sorted_value + digest_identity(data)] = varint(count) + data
        return rows

    def views(self):
        """Returns the rows of the index by the keys."""
        rows = {}
        for encoded, group in self.groups.items():
            terms = b"".join(term(stored, order) for stored, order in zip(group.key, self.orders, strict=True))
            rows[self.keys_tag.to_bytes(2, "big") + terms[:493] + self.identity(encoded)] = b""
        return rows
