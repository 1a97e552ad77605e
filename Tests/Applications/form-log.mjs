// The log of a form's edits against a server that loses requests, answers and whole forms: each edit is performed once, in order.
//
//     DAYBOOK_SEED=7 node --test Tests/Applications/form-log.mjs
import assert from "node:assert/strict";
import { test } from "node:test";
import { FormLog } from "../../Examples/Support/Assets/form-log.js";

const rounds = 400;
const firstSeed = Number(process.env.DAYBOOK_SEED ?? Math.floor(Math.random() * 1e9));

/** Returns a source of numbers from 0 to 1 that a seed determines. */
function chances(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** A form on the server: what was performed, and the last number of each page; its record is a copy of both. */
class Server {
  performed = [];
  numbers = {};

  take({ page, number, body }) {
    const last = this.numbers[page] ?? 0;
    if (number <= last) return;
    assert.equal(number, last + 1, "an edit comes after the one before it");
    this.numbers[page] = number;
    if (body.set) this.performed.push(body.set.value);
  }

  get record() {
    return { numbers: { ...this.numbers }, performed: [...this.performed] };
  }
}

test("each edit is performed once and in order, whatever is lost", () => {
  for (let seed = firstSeed; seed < firstSeed + rounds; seed += 1) {
    const chance = chances(seed);
    const told = `DAYBOOK_SEED=${seed}`;
    let server = new Server();
    let log = new FormLog(null, "page 0");
    const typed = [];
    const seen = server.record;
    log.take(seen);
    for (let step = 0; step < 60; step += 1) {
      const act = chance();
      if (act < 0.35) {
        typed.push(typed.length);
        log.add("edit", { set: { value: typed.at(-1) } });
      } else if (act < 0.7) {
        const edit = log.next;
        if (edit && chance() < 0.7) {
          edit.isSent = true;
          server.take(edit);
          if (chance() < 0.7) edit.isAnswered = true;
        }
      } else if (act < 0.85) {
        log.take(server.record);
      } else if (act < 0.93) {
        // The server has dropped the form: what no state had is gone there.
        server = Object.assign(new Server(), { numbers: { ...log.record.numbers }, performed: [...log.record.performed] });
        log.sendAgain();
      } else {
        log = new FormLog(JSON.parse(JSON.stringify(log.stored())), `page ${seed} ${step}`);
      }
    }
    for (let edit = log.next; edit; edit = log.next) {
      server.take(edit);
      edit.isAnswered = true;
    }
    assert.deepEqual(server.performed, typed, told);
    log.take(server.record);
    assert.equal(log.hasEdits, false, told);
  }
});

test("an edit takes the place of the last one of its field until that is sent", () => {
  const log = new FormLog(null, "page");
  const first = log.add("edit", { set: { title: "a" } }, "set title");
  assert.equal(log.add("edit", { set: { title: "ab" } }, "set title"), first);
  assert.deepEqual(log.next.body, { set: { title: "ab" } });
  first.isSent = true;
  const second = log.add("edit", { set: { title: "abc" } }, "set title");
  assert.notEqual(second, first);
  log.add("edit", { set: { due: null } }, "set due");
  assert.equal(log.add("edit", { set: { title: "abcd" } }, "set title").number, 4);
  assert.equal(log.lastSetting("title").number, 4);
});

test("a stored edit that was perhaps sent is not replaced, and no page numbers as another one does", () => {
  const log = new FormLog(null, "one");
  log.add("edit", { set: { title: "a" } }, "set title");
  const [left, right] = ["two", "three"].map((page) => new FormLog(log.stored(), page));
  const server = new Server();
  server.take = Server.prototype.take;
  for (const each of [left, right]) each.add("edit", { set: { title: each.page, value: each.page } }, "set title");
  for (const each of [left, right]) for (let edit = each.next; edit; edit = each.next) [edit.isAnswered] = [true, server.take(edit)];
  assert.deepEqual(server.performed.filter(Boolean), ["two", "three"]);
});

test("an edit that is too large to store keeps its number", () => {
  const log = new FormLog(null, "page");
  log.add("edit", { action: "choose photo", input: { photo: "x".repeat(300_000) } });
  log.add("edit", { set: { title: "a" } });
  const again = new FormLog(new FormLog(log.stored(), "another").stored(), "other");
  assert.equal(again.hasLost, true);
  assert.deepEqual(again.next.body, {});
  again.next.isAnswered = true;
  assert.equal(again.next.number, 2);
  // Only a state says whether the server has it.
  again.take({ numbers: { page: 1 } });
  assert.equal(again.hasLost, false);
});
