// The pure part of following a request: the difference of a sectioned list, applied.
//
// A list is `[{name, rows: [{id, ...}]}]`. Paths of deletes and sources of moves and updates count in the old list, all
// others in the new one; nothing is sequential. The order of the steps below is the one that always works: take out
// rows, drop sections, add sections by rising index, add rows by rising path.

/** A difference that does not fit the list that it was applied to. */
export class DifferenceError extends Error {}

function expect(condition, what) {
  if (!condition) throw new DifferenceError(what);
}

/**
 * Returns the list that a difference leads to; the old one stays as it was.
 *
 * `rowOf(change, old)` returns the new row of an insert, a move or an update; by default the old one, or the id alone.
 */
export function applyDifference(sections, difference, rowOf = (change, old) => old ?? { id: change.id }) {
  const changes = difference.rows ?? [];
  const taken = sections.map(() => new Set());
  const targets = [];
  const updates = [];
  for (const change of changes) {
    const old = change.from && rowAt(sections, change.from, change.id);
    if (change.change === "update") {
      updates.push({ change, old });
      continue;
    }
    if (change.from) taken[change.from[0]].add(change.from[1]);
    if (change.to) targets.push({ path: change.to, row: rowOf(change, old) });
  }
  const rest = sections.map((section, index) => ({
    name: section.name,
    rows: section.rows.filter((_, row) => !taken[index].has(row)),
  }));
  const result = changeSections(rest, difference.sections ?? []);
  addRows(result, targets);
  for (const { change, old } of updates) {
    const section = result[change.to[0]];
    expect(section?.rows[change.to[1]]?.id === change.id, `${change.id} is not at ${change.to}`);
    section.rows[change.to[1]] = rowOf(change, old);
  }
  return result;
}

function rowAt(sections, [section, row], id) {
  const found = sections[section]?.rows[row];
  expect(found?.id === id, `${id} was not at ${section}, ${row}`);
  return found;
}

function changeSections(sections, changes) {
  const deleted = new Set();
  for (const change of changes) {
    if (change.change !== "delete") continue;
    expect(sections[change.index]?.name === change.name, `no section ${change.name} at ${change.index}`);
    expect(sections[change.index].rows.length === 0, `section ${change.name} still has rows`);
    deleted.add(change.index);
  }
  const result = sections.filter((_, index) => !deleted.has(index));
  const inserted = changes.filter((change) => change.change === "insert").sort((a, b) => a.index - b.index);
  for (const change of inserted) {
    expect(change.index <= result.length, `section ${change.name} beyond the end`);
    result.splice(change.index, 0, { name: change.name, rows: [] });
  }
  return result;
}

/** Merges the new rows of each section with the ones that stayed, in one pass. */
function addRows(sections, targets) {
  const bySection = new Map();
  for (const target of targets) {
    const index = target.path[0];
    expect(index < sections.length, `no section ${index}`);
    if (!bySection.has(index)) bySection.set(index, []);
    bySection.get(index).push(target);
  }
  for (const [index, list] of bySection) {
    list.sort((a, b) => a.path[1] - b.path[1]);
    const stayed = sections[index].rows;
    const rows = [];
    let next = 0;
    for (const { path, row } of list) {
      while (rows.length < path[1] && next < stayed.length) rows.push(stayed[next++]);
      expect(rows.length === path[1], `a row for ${path} beyond the end`);
      rows.push(row);
    }
    while (next < stayed.length) rows.push(stayed[next++]);
    sections[index].rows = rows;
  }
}
