// JSON whose integers keep all of their digits: what a number of JavaScript cannot hold is read as a BigInt, and written as one.

export const parse = (text) => JSON.parse(text, (_, value, { source } = {}) => (typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(source ?? "") ? BigInt(source) : value));

export const write = (value) => JSON.stringify(value, (_, item) => (typeof item === "bigint" ? JSON.rawJSON(String(item)) : item));

/** Returns the integer of a text, as a BigInt where a number would have other digits. */
export const integer = (text) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text));
