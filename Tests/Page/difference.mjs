// The pure modules of the page, without a browser: the sixty cases of the contract, the parser of streams, the layout.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { applyDifference, DifferenceError } from "../../Sources/DaybookPage/Assets/difference.js";
import { localText, timeOfText } from "../../Sources/DaybookPage/Assets/dates.js";
import { Model } from "../../Sources/DaybookPage/Assets/facts.js";
import { proposals } from "../../Sources/DaybookPage/Assets/filter.js";
import { parse, stringify } from "../../Sources/DaybookPage/Assets/json.js";
import { Layout } from "../../Sources/DaybookPage/Assets/layout.js";
import { identified } from "../../Sources/DaybookPage/Assets/server.js";
import { EventParser } from "../../Sources/DaybookPage/Assets/stream.js";
import { checkCase } from "./cases.js";

const { cases } = JSON.parse(readFileSync(new URL("../DifferenceCases/Data/cases.json", import.meta.url)));

test("all cases are there", () => assert.equal(cases.length, 60));
for (const item of cases) test(item.id, () => checkCase(item, applyDifference));

test("a difference that does not fit is refused", () => {
  const list = [{ name: "", rows: [{ id: "a" }, { id: "b" }] }];
  for (
    const difference of [
      { rows: [{ change: "delete", id: "b", from: [0, 0] }] },
      { rows: [{ change: "insert", id: "c", to: [0, 5] }] },
      { rows: [{ change: "insert", id: "c", to: [1, 0] }] },
      { rows: [{ change: "update", id: "a", from: [0, 0], to: [0, 1] }] },
      { sections: [{ change: "delete", index: 0, name: "" }] },
      { sections: [{ change: "insert", index: 2, name: "x" }] },
    ]
  ) assert.throws(() => applyDifference(list, difference), DifferenceError);
});

test("a difference of groups is applied by their keys", () => {
  const group = (key, count) => ({ key: { "type.name": key, n: 1 }, values: { count } });
  const state = identified({ sections: [{ name: "", objects: [group(null, 2), group("Soup", 4)] }] });
  const list = state.sections.map(({ name, objects }) => ({ name, rows: objects }));
  assert.deepEqual(list[0].rows.map(({ id }) => id), ["[null,1]", '["Soup",1]']);
  // A double of the store is written with its fraction.
  const difference = identified(parse(`{"sections": [], "rows": [{"change": "delete", "id": [null, 1.0], "from": [0, 0]},
    {"change": "update", "id": ["Soup", 1.0], "from": [0, 1], "to": [0, 0]}], "causes": {"[\\"Soup\\",1.0]": [7]},
    "objects": {"[\\"Soup\\",1.0]": {"key": {"type.name": "Soup", "n": 1.0}, "values": {"count": 5}}}}`));
  const after = applyDifference(list, difference, ({ id }) => difference.objects[id]);
  assert.deepEqual(after[0].rows, [{ ...group("Soup", 5), id: '["Soup",1]' }]);
  assert.deepEqual(difference.causes['["Soup",1]'], [7]);
});

test("a stream may be cut anywhere", () => {
  const text = ': hello\r\n\r\nevent: state\r\nid: 7-ab\r\ndata: {"a":\ndata: 1}\n\nid: 8\rdata: x\r\rdata\n\n';
  const whole = new EventParser().push(text);
  assert.deepEqual(whole, [{ event: "state", data: '{"a":\n1}', id: "7-ab" }, { event: "message", data: "x", id: "8" }, { event: "message", data: "", id: undefined }]);
  for (let first = 0; first <= text.length; first++) {
    for (let second = first; second <= text.length; second++) {
      const parser = new EventParser();
      const events = [text.slice(0, first), text.slice(first, second), text.slice(second)].flatMap((piece) => parser.push(piece));
      assert.deepEqual(events, whole);
    }
  }
});

test("a layout finds each row where it stands", () => {
  for (const counts of [null, [{ name: "a", count: 3 }, { name: "b", count: 1 }, { name: "c", count: 20 }]]) {
    const layout = new Layout({ total: 24, counts, row: 32, header: 40 });
    for (let index = 0; index < 24; index++) {
      assert.equal(layout.indexAt(layout.top(index)), index);
      assert.equal(layout.indexAt(layout.top(index) + 31), index);
      const { first, end } = layout.between(layout.top(index), layout.top(index) + 1);
      assert.ok(first <= index && index < end);
    }
    assert.equal(layout.height, 24 * 32 + (counts ? 3 * 40 : 0));
  }
});

test("numbers of JSON keep all their digits", () => {
  const text =
    '{"a":9007199254740993,"b":-9223372036854775808,"c":0.1,"d":0.1234567890123456789,"e":"9007199254740993 \\" 9007199254740993","f":1e400,"g":[1e+300,-0.0,1,5e-324,0.30000000000000004,9007199254740991],"h":"a\\\\","i":12345678901234567890}';
  assert.equal(stringify(parse(text)), text);
  const value = parse(text);
  assert.equal(value.a, 9007199254740993n);
  assert.equal(value.g[5], 9007199254740991);
  assert.equal(value.e, '9007199254740993 " 9007199254740993');
  assert.throws(() => parse('{"a": 9007199254740993'));
  assert.equal(stringify(undefined), undefined);
});

test("a date is the same after it was text", () => {
  const zone = process.env.TZ;
  for (const place of ["America/Los_Angeles", "UTC", "Europe/London", "Asia/Kolkata", "Pacific/Auckland", "Pacific/Apia", "America/St_Johns"]) {
    process.env.TZ = place;
    for (let time = Date.UTC(2025, 11, 20); time < Date.UTC(2027, 0, 10); time += 7_199_999) {
      const iso = new Date(time).toISOString().replace(".000Z", "Z");
      assert.equal(new Date(timeOfText(localText(iso))).getTime(), time, `${iso} in ${place}: ${localText(iso)}`);
    }
    assert.equal(timeOfText("2026-03-09T01:02:03.123456Z"), "2026-03-09T01:02:03.123456Z");
    for (
      const wrong of [
        "2026-02-31",
        "2025-02-29",
        "2026-04-31 10:00",
        "31 February",
        "2026-00-10",
        "2026-01-00",
        "2026-01-01 24:00",
        "2026-12-31T23:59:61Z",
        "2026-01-01 10:00+24:00",
        "2026-01-01 10:00+01:60",
        "2026-01-01 10:00:00.Z",
        "",
        "x",
      ]
    ) assert.throws(() => timeOfText(wrong), /[a-z]/);
  }
  // As the store reads them: six digits of a fraction, and a leap second where UTC may have one.
  for (
    const [text, time] of [
      ["2026-03-09T01:02:03.1234567Z", "2026-03-09T01:02:03.123456Z"],
      ["2026-03-09t01:02:03.999999999999z", "2026-03-09T01:02:03.999999Z"],
      ["2026-03-09 01:02:03,5-00:00", "2026-03-09T01:02:03.5Z"],
      ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"],
      ["2016-12-31T23:59:60.25Z", "2017-01-01T00:00:00.25Z"],
      ["2017-01-01 05:29:60+05:30", "2017-01-01T00:00:00Z"],
    ]
  ) assert.equal(timeOfText(text), time);
  for (const wrong of ["2016-12-30T23:59:60Z", "2016-12-31T22:59:60Z", "2016-12-31T23:59:60+01:00"]) assert.throws(() => timeOfText(wrong), /second 60/);
  process.env.TZ = "Europe/Berlin";
  assert.equal(timeOfText("2017-01-01 00:59:60"), "2017-01-01T00:00:00Z");
  for (const wrong of ["2026-03-29 02:30", "2026-10-25 02:30"]) assert.throws(() => timeOfText(wrong), /clocks/);
  assert.equal(timeOfText("2026-10-25 02:30 +02:00"), "2026-10-25T00:30:00Z");
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test("objects have the fields of their entity's ancestors, and lists of a parent show which entity each is of", () => {
  const model = new Model({
    entities: [
      { name: "Car", parent: "Vehicle", attributes: [{ name: "doors", type: "integer" }], relationships: [{ name: "garage", to: "Garage" }] },
      { name: "Vehicle", abstract: true, nameAttribute: "plate", attributes: [{ name: "plate", type: "string" }], relationships: [{ name: "owner", to: "Person" }] },
      { name: "Loop", parent: "Loop", attributes: [{ name: "entity", type: "string" }] },
    ],
  });
  const keys = (entity) => model.columns(entity).map(({ key }) => key);
  assert.deepEqual(keys("Car"), ["plate", "doors", "owner", "garage", "createdAt", "changedAt"]);
  assert.deepEqual(keys("Vehicle"), ["plate", "owner", "entity", "createdAt", "changedAt"]);
  assert.equal(model.nameAttribute("Car"), "plate");
  // A model that contradicts itself is drawn too, and the attribute has the name.
  assert.deepEqual(keys("Loop"), ["entity", "createdAt", "changedAt"]);
});

test("a relationship that is its own inverse is drawn as one loop with one name", async () => {
  globalThis.matchMedia ??= () => ({ matches: false });
  globalThis.document ??= {
    createElementNS: (_, tag) => ({
      tag,
      attributes: {},
      children: [],
      setAttribute(name, value) {
        this.attributes[name] = value;
      },
      append(...children) {
        this.children.push(...children);
      },
    }),
  };
  const { drawModel } = await import("../../Sources/DaybookPage/Assets/model-drawing.js");
  const friends = { name: "friends", to: "Person", inverse: "friends", many: true };
  const drawing = drawModel(new Model({ entities: [{ name: "Person", relationships: [friends] }] }));
  const all = (node) => [node, ...(node.children ?? []).flatMap(all)];
  const edges = all(drawing).filter(({ attributes }) => attributes?.class === "edge");
  assert.deepEqual(edges.map(({ attributes }) => [attributes["marker-start"], attributes["marker-end"]]), [["url(#arrow)", "url(#arrow)"]]);
  const labels = all(drawing).filter(({ attributes }) => attributes?.class === "label");
  assert.deepEqual(labels.map(({ children }) => children), [["friends *"]]);
});

test("words of a filter belong to the object at which a path begins", () => {
  const attribute = (name) => ({ name, type: "string" });
  const model = new Model({
    entities: [
      { name: "Recipe", attributes: [attribute("name"), attribute("note")], relationships: [{ name: "ingredients", to: "Ingredient", many: true }, { name: "type", to: "Type" }] },
      { name: "Ingredient", attributes: [attribute("amount")], relationships: [{ name: "recipe", to: "Recipe" }] },
      { name: "Type", attributes: [attribute("title")], relationships: [{ name: "recipes", to: "Recipe", many: true }] },
    ],
  });
  for (
    const [text, words] of [
      ["n", ["name", "note", "NOT"]],
      ["COUNT(ingredients WHERE a", ["amount", "AND"]],
      ["COUNT(ingredients WHERE (n", ["NOT"]],
      ['COUNT(ingredients WHERE amount == "(") > 1 AND na', ["name"]],
      ["ANY ingredients WHERE (amount == nil OR recipe.n", ["recipe.name", "recipe.note"]],
      ["ANY type.recipes WHERE (no", ["note", "NOT"]],
      ["COUNT(ingredients WHERE ANY recipe.ingredients WHERE (a", ["amount", "AND"]],
      ["ANY ingredients WHERE (amount == nil) AND no", ["note", "NOT"]],
      ["ANY ingredients wh", ["WHERE"]],
      ["ANY nothing WHERE (no", ["note", "NOT"]],
      [")) no", ["note", "NOT"]],
    ]
  ) assert.deepEqual(proposals(model, "Recipe", text).words, words, text);
});
