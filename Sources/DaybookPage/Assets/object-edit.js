// Changing an object, where the server writes: values, name, links, deletion. Each is one commit.
import { announce, button, element, field } from "./elements.js";
import { go } from "./place.js";
import { get, post, requestAddress } from "./server.js";

/** Names that are proposed while a link is typed. */
const mostProposals = 50;

/** Writes operations as one commit; the object must be as it was when it was shown. */
export async function write(page, operations, { object, since, message } = {}) {
  const line = { commit: operations };
  if (message) line.message = message;
  if (object && since) line.when = { untouched: object, since };
  const answer = await post("/api/commits", line);
  page.moved(answer.position);
  announce(`Saved as commit ${answer.position}.`);
  return answer;
}

/** Returns a form for the values and links of an object; `done` is called when it is closed. */
export function editForm(page, object, since, done) {
  const { model } = page;
  const position = page.head;
  const problem = element("p", { class: "wrong", role: "alert" });
  const attributes = model.attributes(object.entity).filter(({ derived, type }) => !derived && type !== "data" && type !== "codable");
  const inputs = attributes.map((attribute) => valueInput(attribute, object.values[attribute.name]));
  const links = model.relationships(object.entity).filter(({ name }) => name in (object.links ?? {})).map((relationship) => linkInput(page, relationship, object));
  const message = element("input", { placeholder: "why (optional)" });
  const save = async () => {
    problem.textContent = "";
    try {
      const operations = [...valueOperations(model, object, inputs), ...(await Promise.all(links.map((input) => input.operations()))).flat()];
      if (operations.length) await write(page, operations, { object: object.id, since: position, message: message.value });
      done();
    } catch (error) {
      problem.textContent = [error.message, error.advice].filter(Boolean).join(" ");
    }
  };
  const form = element("form", { class: "form edit", onsubmit: (event) => {
    event.preventDefault();
    save();
  } },
  inputs.map((input) => field(input.attribute.name, input.control, input.attribute.type)), links.map((input) => field(input.name, input.control, input.hint)),
  field("message", message), problem,
  element("div", { class: "actions" }, element("button", { class: "primary" }, "Save"), button("Cancel", done)));
  return form;
}

function valueInput(attribute, value) {
  const { type } = attribute;
  if (type === "boolean") {
    const control = element("select", {}, element("option", { value: "" }, "—"), ["true", "false"].map((word) => element("option", { value: word, selected: String(value) === word }, word)));
    return { attribute, control, read: () => (control.value === "" ? null : control.value === "true") };
  }
  const isNumber = type === "integer" || type === "double";
  const control = element("input", { inputmode: isNumber ? "decimal" : "text", value: value ?? "", spellcheck: type === "string" ? null : "false" });
  const initial = control.value;
  return { attribute, control, read: () => {
    if (control.value === initial) return value;
    if (control.value === "" && (attribute.optional || type !== "string")) return null;
    // What is no number is sent as it is: the server's words for it are better than a second check here.
    return isNumber && Number.isFinite(Number(control.value)) ? Number(control.value) : control.value;
  } };
}

function valueOperations(model, object, inputs) {
  const operations = [];
  const values = {};
  for (const { attribute, read } of inputs) {
    const value = read();
    if (value === object.values[attribute.name]) continue;
    const isName = attribute.name === model.byName.get(object.entity).nameAttribute;
    if (isName && typeof value === "string") operations.push({ rename: object.id, to: value });
    else values[attribute.name] = value;
  }
  if (Object.keys(values).length) operations.push({ set: object.id, values });
  return operations;
}

/** A link is chosen by name; a to-many one takes names to add, and ids or names after a minus sign to take away. */
function linkInput(page, relationship, object) {
  const { name, to, many } = relationship;
  const attribute = page.model.nameAttribute(to);
  const held = object.links[name];
  const list = element("datalist", { id: `choices-${name}` });
  const input = element("input", { list: list.id, autocomplete: "off", placeholder: many ? "name to add, −name to remove" : "nothing" });
  const find = async (words) => {
    const where = words && attribute ? `${attribute} BEGINSWITH[c] ${JSON.stringify(words)}` : null;
    const found = await get(requestAddress("fetch", { entity: to, where, sort: attribute ? [attribute] : [], limit: mostProposals }));
    return found.sections.flatMap((section) => section.objects);
  };
  const propose = async () => {
    const objects = await find(input.value.replace(/^[−-]/, "")).catch(() => []);
    list.replaceChildren(...objects.map((other) => element("option", { value: page.model.nameOf(other) })));
  };
  input.addEventListener("focus", propose, { once: true });
  input.addEventListener("input", propose);
  let initial = "";
  if (!many && held) {
    get(`/api/objects/${held}`).then((other) => {
      initial = input.value = page.model.nameOf(other);
    }).catch(() => {});
  }
  const target = async (words) => {
    const found = (await find(words)).find((other) => page.model.nameOf(other) === words || other.id === words);
    if (!found) throw new Error(`There is no ${to} called “${words}”.`);
    return found.id;
  };
  return { name, control: element("span", {}, input, list), hint: many ? `${held.length} linked` : `to ${to}`, operations: async () => {
    const words = input.value.trim();
    if (many) return Promise.all(words ? [manyOperation(object.id, name, words, target)] : []);
    if (words === initial) return [];
    if (words === "") return [{ unrelate: object.id, relationship: name, to: held }];
    return [{ relate: object.id, relationship: name, to: await target(words) }];
  } };
}

async function manyOperation(id, relationship, words, target) {
  const isRemoval = /^[−-]/.test(words);
  const to = await target(words.replace(/^[−-]\s*/, ""));
  return { [isRemoval ? "unrelate" : "relate"]: id, relationship, to };
}

/** Returns a button that deletes an object after a question, which names what the model deletes with it. */
export function deletion(page, object) {
  return button("Delete…", () => {
    const problem = element("p", { class: "wrong", role: "alert" });
    const cascades = page.model.relationships(object.entity).filter(({ onDelete }) => onDelete === "cascade").map(({ name }) => name);
    const more = cascades.length ? ` Its ${cascades.join(", ")} go with it.` : "";
    const remove = async () => {
      try {
        await write(page, [{ delete: object.id }]);
        dialog.close();
        go({});
      } catch (error) {
        problem.textContent = [error.message, error.advice].filter(Boolean).join(" ");
      }
    };
    const dialog = element("dialog", { "aria-label": "Delete", onclose: () => dialog.remove() },
      element("h1", {}, `Delete ${page.model.nameOf(object)}?`),
      element("p", {}, `The journal keeps everything: it can be seen at any earlier position, and reverted.${more}`), problem,
      element("div", { class: "actions" }, button("Delete", remove, { class: "danger" }), button("Cancel", () => dialog.close())));
    document.body.append(dialog);
    dialog.showModal();
  }, { class: "danger" });
}
