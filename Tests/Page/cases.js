// One of the sixty cases of the contract: its difference, applied to its first list, must lead to its last one.

/** Throws where a case does not hold. Runs in a browser and without one. */
export function checkCase({ id, query, initial, expect, final }, applyDifference) {
  const before = sectioned(initial, query);
  const difference = {
    sections: expect.sections.map(({ type, ...rest }) => ({ change: type, ...rest })),
    rows: expect.rows.map(({ type, ...rest }) => ({ change: type, ...rest })),
  };
  const copy = JSON.stringify(before);
  const after = applyDifference(before, difference).map(({ name, rows }) => [name, rows.map((row) => row.id)]);
  if (JSON.stringify(after) !== JSON.stringify(final)) throw new Error(`${id}: ${JSON.stringify(after)}`);
  if (JSON.stringify(before) !== copy) throw new Error(`${id}: the old list has changed`);
}

function sectioned(rows, { sections, limit, offset = 0 }) {
  const matching = rows.filter((row) => row.match !== false);
  const window = matching.slice(offset, limit === null || limit === undefined ? undefined : offset + limit);
  if (sections === null || sections === undefined) return [{ name: "", rows: window }];
  const result = [];
  for (const row of window) {
    if (result.at(-1)?.name !== row.section) result.push({ name: row.section, rows: [] });
    result.at(-1).rows.push(row);
  }
  return result;
}
