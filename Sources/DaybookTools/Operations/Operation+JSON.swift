import Daybook
import DaybookModel

extension Operation {
  package init(json: JSONValue) throws {
    var reader = try OperationReader(json)
    try self.init(&reader)
  }

  init(_ reader: inout OperationReader) throws {
    let verb = try reader.verb()
    switch verb {
    case "insert": self = .insert(try Insertion(&reader))
    case "upsert": self = .upsert(try Upsertion(&reader))
    case "delete": self = .delete(try reader.requiredReference(verb, of: verb))
    case "rename":
      self = .rename(
        try reader.requiredReference(verb, of: verb), to: try reader.requiredText("to", of: verb))
    case "set":
      let reference = try reader.requiredReference(verb, of: verb)
      self = .set(reference, values: try reader.members("values").map { NamedJSON($0.key, $0.value) })
    case "record":
      self = .record(
        try reader.requiredText(verb, of: verb), about: try reader.requiredReference("about", of: verb),
        values: try reader.members("values").map { NamedJSON($0.key, $0.value) })
    case "relate":
      self = .relate(
        try reader.requiredReference(verb, of: verb), relationship: try reader.requiredText("relationship", of: verb),
        to: try reader.requiredReference("to", of: verb), at: try PlaceReference(&reader))
    default:
      self = .unrelate(
        try reader.requiredReference(verb, of: verb), relationship: try reader.requiredText("relationship", of: verb),
        from: try reader.requiredReference("to", of: verb))
    }
    try reader.finish()
  }
}

extension Operation.Insertion {
  init(_ reader: inout OperationReader) throws {
    entity = try reader.requiredText("insert", of: "insert")
    id = try reader.id("id")
    name = try reader.name()
    values = try reader.members("values").map { Operation.NamedJSON($0.key, $0.value) }
    links = try reader.members("relate").map { try Operation.NamedLinks($0.key, json: $0.value) }
  }
}

extension Operation.Upsertion {
  init(_ reader: inout OperationReader) throws {
    entity = try reader.requiredText("upsert", of: "upsert")
    key = try reader.names("key", of: "upsert")
    name = try reader.name()
    values = try reader.members("values").map { Operation.NamedJSON($0.key, $0.value) }
    links = try reader.members("relate").map { try Operation.NamedLinks($0.key, json: $0.value) }
  }
}

extension Operation.NamedLinks {
  init(_ name: String, json: JSONValue) throws {
    if json.isNull {
      self.init(name, [], isList: false)
    } else if let elements = json.elements {
      self.init(name, try elements.map { try OperationReader.reference($0, in: name) }, isList: true)
    } else {
      self.init(name, [try OperationReader.reference(json, in: name)], isList: false)
    }
  }
}

private extension PlaceReference {
  init(_ reader: inout OperationReader) throws {
    switch (try reader.reference("before"), try reader.reference("after")) {
    case (nil, nil): self = .unspecified
    case (let before?, nil): self = .before(before)
    case (nil, let after?): self = .after(after)
    case (_?, _?): throw OperationReader.error("“before” and “after” cannot both be given")
    }
  }
}
