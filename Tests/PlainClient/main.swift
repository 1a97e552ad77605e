import Daybook

/// Keeps the servings of each recipe by its name, and how often they were written.
struct Servings: Projection {
  let name = "servings"
  let version = 1
  let mode = ProjectionMode.inline
  let entities = [
    DerivedEntity(
      Entity(
        name: "Serving",
        attributes: [
          Attribute(name: "name", type: .string),
          Attribute(name: "changes", type: .integer, defaultValue: .integer(0)),
          Attribute(name: "servings", type: .integer, defaultValue: .integer(0)),
        ]),
      key: ["name"])
  ]

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.inserted("Recipe") + commit.changed("Recipe") {
      let recipe = try commit.after.require(id)
      try rows.update("Serving", key: [recipe["name"]]) {
        $0["changes"] = .integer(try $0.integer("changes") + 1)
        $0["servings"] = recipe["servings"]
      }
    }
  }
}

func text(of event: borrowing RawEvent) throws -> String {
  "\(event.position) \(event.kind) \(try values(of: event.fields))"
}

func values(of fields: consuming RawFields) throws -> [Value] {
  var values: [Value] = []
  while let field = try fields.next() { values.append(try field.value()) }
  return values
}

let model = Model(entities: [
  Entity(
    name: "Recipe", nameAttribute: "name",
    attributes: [Attribute(name: "name", type: .string), Attribute(name: "servings", type: .integer)])
])
var options = StoreOptions()
options.projections = [Servings()]
let store = try Store(at: "plain.daybook", model: model, options: options)
let cake = try store.write { try $0.insert("Recipe", ["name": "Cake", "servings": 4]) }
try store.write { try $0.set(cake, ["servings": 6]) }

try store.read { reader in
  try reader.forEachEvent { event in
    print(try text(of: event))
    return true
  }
}
for row in try store.fetch(Request(entity: "Serving")).rows {
  print(row["name"], row["changes"], row["servings"])
}
