import Daybook
import DaybookDiff
import DaybookModel

extension ResultsChange {
  /// The command line's JSON: positions, section and row changes with index paths, and causes; the cause of a row that the
  /// time alone changed is "time".
  package var json: JSONValue {
    var members: [(String, JSONValue)] = [("from", from.json), ("to", to.json)]
    if isReset { return .object(members + [("reset", true)]) }
    members.append(("sections", .array(difference.sections.map(\.json))))
    members.append(("rows", .array(difference.rows.map(\.json))))
    let causes = difference.rows.compactMap { row in
      self.causes[row.id].map { ("\(row.id)", JSONValue.array($0.isEmpty ? ["time"] : $0.map(\.json))) }
    }
    return .object(members + [("causes", .object(causes))])
  }
}

private extension SectionChange {
  var json: JSONValue {
    ["change": isDelete ? "delete" : "insert", "index": .integer(Int64(index)), "name": .string(name)]
  }
}

private extension RowChange<ObjectID> {
  var json: JSONValue {
    var members: [(String, JSONValue)] = [("change", .string(word)), ("id", .string("\(id)"))]
    if let from { members.append(("from", from.json)) }
    if let to { members.append(("to", to.json)) }
    return .object(members)
  }
}

private extension RowPath {
  var json: JSONValue { [.integer(Int64(section)), .integer(Int64(row))] }
}
