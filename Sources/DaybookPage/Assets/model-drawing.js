// The model as a drawing: entities as boxes, relationships as lines with their inverse and delete rules, parents as dashed lines.
import { drawn } from "./elements.js";

const width = 256;
const lineHeight = 20;
const titleHeight = 32;
const [gapX, gapY] = [196, 56];

/** Returns a drawing of a model; the entities in `fresh` are marked as changed. */
export function drawModel(model, fresh = new Set()) {
  const boxes = placeBoxes(model);
  const right = Math.max(...boxes.map((box) => box.x + width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  const byName = new Map(boxes.map((box) => [box.entity.name, box]));
  const edges = [...pairs(model), ...parents(model)].map((pair) => drawPair(pair, byName));
  return drawn(
    "svg",
    { width: right + 16, height: bottom + 56, viewBox: `-8 -8 ${right + 16} ${bottom + 56}`, role: "img", "aria-label": describe(model) },
    drawn(
      "defs",
      {},
      drawn("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, drawn("path", { d: "M0 0 8 4 0 8z", class: "mark" })),
    ),
    edges.map(({ line }) => line),
    boxes.map((box) => drawBox(box, fresh.has(box.entity.name))),
    edges.map(({ label }) => label),
  );
}

const describe = (model) =>
  model.entities.map(({ name, parent, relationships = [] }) =>
    `${name}${parent ? `, child of ${parent}` : ""}${relationships.length ? ` to ${relationships.map((relationship) => relationship.to).join(", ")}` : ""}`
  ).join("; ");

/** Puts entities in columns by their distance from the one with the most relationships: most lines are short. */
function placeBoxes(model) {
  const neighbours = new Map(model.entities.map(({ name }) => [name, new Set()]));
  for (const { name, parent, relationships = [] } of model.entities) {
    for (const { to } of [...relationships, { to: parent }]) {
      if (to === name || !neighbours.has(to)) continue;
      neighbours.get(name).add(to);
      neighbours.get(to).add(name);
    }
  }
  const order = [...model.entities].sort((a, b) => neighbours.get(b.name).size - neighbours.get(a.name).size);
  const columns = [];
  const seen = new Set();
  for (const start of order) {
    let [level, depth] = [seen.has(start.name) ? [] : [start.name], 0];
    while (level.length > 0) {
      for (const name of level) seen.add(name);
      (columns[depth] ??= []).push(...level);
      level = [...new Set(level.flatMap((name) => [...neighbours.get(name)]))].filter((name) => !seen.has(name));
      depth += 1;
    }
  }
  const entities = new Map(model.entities.map((entity) => [entity.name, entity]));
  const heights = columns.map((names) => names.reduce((sum, name) => sum + heightOf(entities.get(name)) + gapY, -gapY));
  const tallest = Math.max(...heights);
  return columns.flatMap((names, column) => {
    let y = (tallest - heights[column]) / 2;
    return names.map((name) => {
      const entity = entities.get(name);
      const box = { entity, x: column * (width + gapX), y, height: heightOf(entity) };
      y += box.height + gapY;
      return box;
    });
  });
}

const heightOf = ({ attributes = [] }) => titleHeight + attributes.length * lineHeight + 12;

function drawBox({ entity, x, y, height }, isFresh) {
  const attributes = (entity.attributes ?? []).map((attribute, index) => {
    const line = y + titleHeight + 18 + index * lineHeight;
    const derived = attribute.derived && Object.entries(attribute.derived).map(([verb, of]) => `${verb} of ${of}`).join(", ");
    const kind = derived ?? `${attribute.type}${attribute.optional ? "?" : ""}`;
    return [
      drawn("text", { x: x + 12, y: line, class: attribute.name === entity.nameAttribute ? "name" : "" }, attribute.name),
      drawn("text", { x: x + width - 12, y: line, "text-anchor": "end", class: "quiet" }, shortened(kind, 30 - attribute.name.length)),
    ];
  });
  return drawn(
    "g",
    { class: [isFresh && "fresh", entity.derived && "derived"] },
    drawn("rect", { x, y, width, height, rx: 8, class: "box" }),
    drawn("path", { class: "title", d: `M${x + 0.5} ${y + titleHeight}v${8 - titleHeight}q0 -7.5 7.5 -7.5h${width - 16}q7.5 0 7.5 7.5v${titleHeight - 8}z` }),
    drawn("text", { x: x + 12, y: y + 21, class: "name" }, entity.name, entity.abstract && drawn("tspan", { class: "quiet" }, " abstract")),
    entity.derived && drawn("title", {}, `written by the projection ${entity.derived.projection}`),
    attributes,
  );
}

const shortened = (words, length) => (words.length > length ? `${words.slice(0, Math.max(4, length - 1))}…` : words);

/** Relationships with their inverses: one line for both. */
function pairs(model) {
  const seen = new Set();
  return model.entities.flatMap((entity) =>
    (entity.relationships ?? []).flatMap((relationship) => {
      if (seen.has(`${entity.name}.${relationship.name}`)) return [];
      seen.add(`${entity.name}.${relationship.name}`);
      seen.add(`${relationship.to}.${relationship.inverse}`);
      const inverse = model.relationships(relationship.to).find(({ name }) => name === relationship.inverse);
      return [{ from: entity.name, relationship, inverse }];
    })
  );
}

/** Entities with their parents, as relationships without a word. */
const parents = (model) => model.entities.filter(({ parent }) => parent).map(({ name, parent }) => ({ from: name, relationship: { name: "child of", to: parent, isParent: true } }));

function drawPair({ from, relationship, inverse }, byName) {
  const [a, b] = [byName.get(from), byName.get(relationship.to)];
  if (!a || !b) return { line: null, label: null };
  const sameBefore = a.lines?.get(b) ?? 0;
  (a.lines ??= new Map()).set(b, sameBefore + 1);
  const shift = sameBefore * 44;
  if (a === b) {
    // A loop hangs below its box, where no other line passes.
    const [x, y] = [a.x + width - 84 - shift, a.y + a.height];
    return { line: edge(`M${x} ${y}c0 36 56 36 56 0`, relationship, inverse), label: labels(x - 8, y + 20, relationship, inverse, "end") };
  }
  const [left, right] = a.x <= b.x ? [a, b] : [b, a];
  if (left.x === right.x) {
    const [upper, lower] = a.y < b.y ? [a, b] : [b, a];
    const x = a.x + width / 2 + shift;
    const [from, to] = [upper.y + upper.height, lower.y];
    return { line: edge(upper === a ? `M${x} ${from}V${to}` : `M${x} ${to}V${from}`, relationship, inverse), label: labels(x + 8, (from + to) / 2 - 4, relationship, inverse, "start") };
  }
  // Lines leave a box each at a place of its own, so that their labels do not meet.
  const y1 = Math.max(left.y + 16, Math.min(left.y + left.height - 16, middle(right) + shift));
  const y2 = Math.max(right.y + 16, Math.min(right.y + right.height - 16, middle(left) + shift));
  const [x1, x2] = [left.x + width, right.x];
  const half = (x1 + x2) / 2;
  const path = left === a ? `M${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}` : `M${x2} ${y2}C${half} ${y2} ${half} ${y1} ${x1} ${y1}`;
  return { line: edge(path, relationship, inverse), label: labels(half, (y1 + y2) / 2 - 8, relationship, inverse, "middle") };
}

const middle = (box) => box.y + box.height / 2;

const edge = (d, relationship, inverse) =>
  drawn("path", { class: ["edge", relationship.isParent && "parent"], d, "marker-end": relationship.many ? "url(#arrow)" : null, "marker-start": inverse?.many ? "url(#arrow)" : null });

function labels(x, y, relationship, inverse, anchor) {
  // A relationship that is its own inverse has one name.
  const words = [...new Set([relationship, inverse])].filter(Boolean).map((side) => {
    const rule = side.onDelete && side.onDelete !== "nullify" ? ` (${side.onDelete})` : "";
    return `${side.name}${side.many ? " *" : side.optional ? " ?" : ""}${rule}`;
  });
  return drawn("g", {}, words.map((line, index) => drawn("text", { x, y: y + index * 16, class: "label", "text-anchor": anchor }, line)));
}
