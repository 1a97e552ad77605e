#if Import

import DaybookModel

extension ImportReport {
  /// The report for programs: one object with all parts.
  package var json: JSONValue {
    .object([
      ("version", version.map { .string($0) } ?? .null),
      ("entities", .array(entities.map(\.json))),
      ("dropped", .array(dropped.map { .object([("what", .string($0.what)), ("why", .string($0.why))]) })),
      ("changed", .array(changed.map(\.json))),
      ("values", .array(values.map(\.json))),
      ("skippedTables", .array(skippedTables.map { .string($0) })),
      ("notes", .array(notes.map { .string($0) })),
      ("head", head.map { .integer(Int64(clamping: $0.number)) } ?? .null),
      ("commits", .integer(Int64(commitCount))),
    ])
  }
}

extension EntityReport {
  fileprivate var json: JSONValue {
    let numbers: [(key: String, value: JSONValue)] =
      changes.map { changes in
        [("inserted", changes.inserted), ("changed", changes.changed), ("deleted", changes.deleted)].map {
          ($0, .integer(Int64($1)))
        }
      } ?? []
    return .object(
      [("name", .string(name)), ("as", .string(newName)), ("objects", .integer(Int64(objectCount)))] + numbers + [
        ("attributes", .array(attributes.map(\.json))), ("relationships", .array(relationships.map(\.json))),
      ])
  }
}

extension FieldReport {
  fileprivate var json: JSONValue {
    var members: [(key: String, value: JSONValue)] = [("name", .string(name)), ("as", .string(newName))]
    if let type { members.append(("type", .string(type))) }
    if let linkCount { members.append(("links", .integer(Int64(linkCount)))) }
    if let dropReason { members.append(("dropped", .string(dropReason))) }
    if let note { members.append(("note", .string(note))) }
    return .object(members)
  }
}

extension ChangedPart {
  fileprivate var json: JSONValue {
    .object([("what", .string(what)), ("from", .string(from)), ("to", .string(to)), ("why", .string(why))])
  }
}

extension ValueReport {
  fileprivate var json: JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    return .object([
      ("what", .string(what)), ("count", .integer(Int64(count))), ("first", text(first)), ("was", text(was)),
      ("became", text(became)),
    ])
  }
}

#endif
