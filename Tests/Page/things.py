"""A store with attributes of all types, and the values that are easily lost on the way to a page and back."""

import random
import uuid

TYPES = ["string", "integer", "double", "decimal", "boolean", "date", "uuid"]
MODEL = {
    "entities": [
        {
            "name": "Thing",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}]
            + [{"name": f"{kind}Value", "type": kind, "optional": True} for kind in TYPES]
            + [{"name": "words", "type": "string", "default": ""}],
            "relationships": [{"name": "owner", "to": "Owner", "inverse": "things", "optional": True}],
        },
        {
            "name": "Owner",
            "nameAttribute": "name",
            "attributes": [{"name": "name", "type": "string"}],
            "relationships": [{"name": "things", "to": "Thing", "many": True, "inverse": "owner"}],
        },
    ]
}

# What is typed, by type. Dates around changes of clocks have their offset; those without one are of the browser's place.
TYPED = {
    "string": [
        "one\ntwo\n\nthree",
        " before and after ",
        "   ",
        "\ttab",
        "😀 👩‍👩‍👧 é é",
        "\u200fשלום\u200e abc \u202edcba",
        "\u200b",
        "\n",
        "\"quoted\" \\ 'single'",
        "<b>&amp;</b>",
        "9007199254740993",
        "nil",
        "",
        "a" * 500,
    ],
    "integer": ["9007199254740993", "-9007199254740993", "9223372036854775807", "-9223372036854775808", "0", "-1", "9007199254740991", "+7"],
    "double": ["1e300", "-0", "0.1", "5e-324", "1.7976931348623157e308", "123456789012345680", "0.30000000000000004", "-2.5E-3", "7"],
    "decimal": ["0.1", "12345678901234567890.123456789", "-0.00000000000000000001", "100"],
    "boolean": ["true", "false"],
    "date": [
        "2026-03-29T00:59:59Z",
        "2026-03-29T01:00:00.000001Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-11-01 08:30:00Z",
        "1970-01-01T00:00:00Z",
        "2026-02-28 23:59:59.5Z",
        "2024-02-29 12:00Z",
        "1999-12-31T23:59:59.999999Z",
        "2026-07-01 00:15",
        "2026-12-31 23:45:10",
        "2026-01-01",
    ],
    "uuid": ["00000000-0000-4000-8000-000000000001"],
}
WRONG = {
    "integer": ["1.5", "many", "9223372036854775808", "1,000", "1e3"],
    "double": ["1e400", "one", "0x10", "--1"],
    "decimal": ["1.2.3", "x"],
    "date": ["2026-02-31", "31 February", "2025-02-29", "2026-13-01", "2026-04-31 10:00", "2026-01-01 25:00", "tomorrow"],
    "uuid": ["not-a-uuid"],
}


def lines(count):
    """Yields lines that insert things with values that are hard already."""
    chosen = random.Random(11)
    yield {"commit": [{"insert": "Owner", "as": f"$owner{index}", "values": {"name": name}} for index, name in enumerate(["Ann", "Bob", "Bob", " Eve "])]}
    for index in range(count):
        values = {
            "name": f"Thing {index}",
            "stringValue": chosen.choice(["a\r\nb\r\nc", "a\rb\nc", "plain", None, ""]),
            "integerValue": chosen.choice([9007199254740993, 3, None]),
            "dateValue": chosen.choice(["2026-03-09T23:30:00Z", "2026-03-10T00:30:00.000001Z", None]),
            "uuidValue": str(uuid.UUID(int=index)),
        }
        yield {"insert": "Thing", "values": values, **({"relate": {"owner": "$owner0"}} if index % 2 else {})}
