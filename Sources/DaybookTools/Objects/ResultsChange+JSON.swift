import Daybook
import DaybookDiff
import DaybookEngine
import DaybookModel

extension ResultsChange {
  /// The command line's JSON: positions, section and row changes with index paths, and causes; the cause of a row that the
  /// time alone changed is "time".
  ///
  /// The id of a group is the array of its key, and in maps the compact JSON of that.
  package var json: JSONValue {
    var members: [(String, JSONValue)] = [("from", from.json), ("to", to.json)]
    if isReset { return .object(members + [("reset", true)]) }
    members.append(("sections", .array(difference.sections.map(\.json))))
    members.append(("rows", .array(difference.rows.map { $0.json(as: json(of: $0.id)) })))
    let causes = difference.rows.compactMap { row in
      self.causes[row.id].map { causes in
        // With the first model a group of no objects appears.
        let isTimed = causes.isEmpty && from > .empty
        return (name(of: row.id), JSONValue.array(isTimed ? ["time"] : causes.map(\.json)))
      }
    }
    return .object(members + [("causes", .object(causes))])
  }

  /// Returns the identity of a changed row as JSON: its id, or the values of a group's key.
  package func json(of id: ObjectID) -> JSONValue { keys[id].map(GroupColumns.json(ofKey:)) ?? .string("\(id)") }

  /// Returns the name of a changed row in maps: its id, or the compact JSON of a group's key.
  package func name(of id: ObjectID) -> String {
    keys[id].map { String(decoding: GroupColumns.json(ofKey: $0).canonicalBytes, as: UTF8.self) } ?? "\(id)"
  }
}

private extension SectionChange {
  var json: JSONValue {
    ["change": isDelete ? "delete" : "insert", "index": .integer(Int64(index)), "name": .string(name)]
  }
}

private extension RowChange<ObjectID> {
  func json(as identity: JSONValue) -> JSONValue {
    var members: [(String, JSONValue)] = [("change", .string(word)), ("id", identity)]
    if let from { members.append(("from", from.json)) }
    if let to { members.append(("to", to.json)) }
    return .object(members)
  }
}

private extension RowPath {
  var json: JSONValue { [.integer(Int64(section)), .integer(Int64(row))] }
}
