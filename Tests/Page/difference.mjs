// The pure modules of the page, without a browser: the sixty cases of the contract, the parser of streams, the layout.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { applyDifference, DifferenceError } from "../../Sources/DaybookPage/Assets/difference.js";
import { Layout } from "../../Sources/DaybookPage/Assets/layout.js";
import { EventParser } from "../../Sources/DaybookPage/Assets/stream.js";
import { checkCase } from "./cases.js";

const { cases } = JSON.parse(readFileSync(new URL("../DifferenceCases/Data/cases.json", import.meta.url)));

test("all cases are there", () => assert.equal(cases.length, 60));
for (const item of cases) test(item.id, () => checkCase(item, applyDifference));

test("a difference that does not fit is refused", () => {
  const list = [{ name: "", rows: [{ id: "a" }, { id: "b" }] }];
  for (const difference of [
    { rows: [{ change: "delete", id: "b", from: [0, 0] }] },
    { rows: [{ change: "insert", id: "c", to: [0, 5] }] },
    { rows: [{ change: "insert", id: "c", to: [1, 0] }] },
    { rows: [{ change: "update", id: "a", from: [0, 0], to: [0, 1] }] },
    { sections: [{ change: "delete", index: 0, name: "" }] },
    { sections: [{ change: "insert", index: 2, name: "x" }] },
  ]) assert.throws(() => applyDifference(list, difference), DifferenceError);
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
