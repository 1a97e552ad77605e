import Daybook

/// Counts how often each field was stored, and keeps the bytes of the last field of each object.
struct StoredFields: Projection {
  let name = "stored-fields"
  let version = 1
  let mode = ProjectionMode.inline

  func apply(_ event: borrowing RawEvent, in context: borrowing ProjectionContext) throws {
    var fields = event.fields
    var last: [UInt8] = []
    while let field = try fields.next() {
      try context.increment(key(of: field.tag), by: 1, in: "counts")
      last = copy(field.bytes)
    }
    try context.put(event.object.bytes, last, in: "last")
  }
}

func key(of tag: UInt16) -> [UInt8] { [UInt8(tag >> 8), UInt8(truncatingIfNeeded: tag)] }

func copy(_ bytes: RawSpan) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }

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
options.projections = [StoredFields()]
let store = try Store(at: "plain.daybook", model: model, options: options)
let cake = try store.write { try $0.insert("Recipe", ["name": "Cake", "servings": 4]) }
try store.write { try $0.set(cake, ["servings": 6]) }

let servings = try store.read { reader in
  try reader.forEachEvent { event in
    print(try text(of: event))
    return true
  }
  return try reader.tag(ofAttribute: "servings", of: "Recipe")
}
try store.projection("stored-fields").read { rows in
  print(try rows.integer(key(of: servings), in: "counts"), try rows.get(cake.bytes, in: "last") ?? [])
}
