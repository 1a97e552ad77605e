#if Server

import Daybook
import DaybookTestSupport

/// A result as a client keeps it: a state, to which differences are applied as the contract specifies.
struct ClientTable: Equatable {
  private var sections: [Section] = []
  private(set) var total: Int64?

  private struct Section: Equatable {
    let name: String
    var rows: [JSONValue]
  }

  /// Reads the value of a state.
  init(_ state: JSONValue) throws {
    total = state["total"]?.integerValue
    sections = try (state["sections"]?.elements ?? []).map { section in
      guard let name = section["name"]?.stringValue, let rows = section["objects"]?.elements else {
        throw Mismatch("no section: \(section.text)")
      }
      return Section(name: name, rows: rows.map(ClientTable.shown))
    }
  }

  /// Applies the value of a difference.
  mutating func apply(_ difference: JSONValue) throws {
    let rows = difference["rows"]?.elements ?? []
    try takeOut(rows)
    for change in difference["sections"]?.elements ?? [] {
      guard let index = change["index"]?.integerValue, let name = change["name"]?.stringValue else {
        throw Mismatch("no change of a section: \(change.text)")
      }
      if change["change"]?.stringValue == "delete" {
        guard sections[Int(index)] == Section(name: name, rows: []) else { throw Mismatch("“\(name)” has rows") }
        sections.remove(at: Int(index))
      } else {
        sections.insert(Section(name: name, rows: []), at: Int(index))
      }
    }
    try putIn(rows, difference["objects"])
    total = difference["total"]?.integerValue
  }

  private mutating func takeOut(_ rows: [JSONValue]) throws {
    let leaving = try rows.filter { ["delete", "move"].contains($0["change"]?.stringValue) }.map { row in
      let (section, index) = try ClientTable.path(row, "from")
      guard sections[section].rows[index]["id"] == row["id"] else { throw Mismatch("another row is at \(row.text)") }
      return (section, index)
    }
    for (section, index) in leaving.sorted(by: >) { sections[section].rows.remove(at: index) }
  }

  private mutating func putIn(_ rows: [JSONValue], _ objects: JSONValue?) throws {
    let coming = try rows.filter { $0["to"] != nil }.map { row in
      (path: try ClientTable.path(row, "to"), row: row)
    }
    for (path, row) in coming.sorted(by: { $0.path < $1.path }) {
      guard let id = row["id"]?.stringValue, let object = objects?[id] else { throw Mismatch("no object: \(row.text)") }
      if row["change"]?.stringValue == "update" { continue }
      sections[path.0].rows.insert(ClientTable.shown(object), at: path.1)
    }
    for (path, row) in coming where row["change"]?.stringValue == "update" {
      guard sections[path.0].rows[path.1]["id"] == row["id"], let id = row["id"]?.stringValue,
        let object = objects?[id]
      else { throw Mismatch("another row is at \(row.text)") }
      sections[path.0].rows[path.1] = ClientTable.shown(object)
    }
  }

  private static func path(_ row: JSONValue, _ name: String) throws -> (Int, Int) {
    guard let section = row[name]?[0]?.integerValue, let index = row[name]?[1]?.integerValue else {
      throw Mismatch("no path “\(name)” in \(row.text)")
    }
    return (Int(section), Int(index))
  }

  /// Returns an object without `changedAt`, which is printed but is no state.
  private static func shown(_ object: JSONValue) -> JSONValue {
    .object((object.members ?? []).filter { $0.key != "changedAt" })
  }

  static func == (a: ClientTable, b: ClientTable) -> Bool { a.sections == b.sections && a.total == b.total }
}

#endif
