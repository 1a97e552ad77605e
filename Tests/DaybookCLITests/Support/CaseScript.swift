#if Command

import DaybookDiff
import DaybookTestSupport
import DifferenceCases
import Foundation

/// A case of the file of cases, in the form of commands.
struct CaseScript {
  private let feedCase: FeedCase
  /// The ids of the rows, in the order of the names, because rows that tie are sorted by id.
  private let ids: [String: String]

  init(_ feedCase: FeedCase) {
    self.feedCase = feedCase
    let names = Set(feedCase.before.rows.keys).union(feedCase.operations.map(\.id))
    ids = Dictionary(uniqueKeysWithValues: names.sorted().enumerated().map { ($1, Kitchen.id($0)) })
  }

  var hasRowsBefore: Bool { !feedCase.before.rows.isEmpty }

  var model: String {
    """
    {"entities": [{"name": "Row", "attributes": [
      {"name": "section", "type": "string"}, {"name": "key", "type": "\(feedCase.hasTextKeys ? "string" : "double")"},
      {"name": "payload", "type": "string"}, {"name": "match", "type": "boolean"}]}]}
    """
  }

  /// The rows before as one commit, and the operations as another.
  var operations: String {
    let before = feedCase.before.rows.sorted { $0.key < $1.key }.map { line(insert: $0.key, $0.value) }
    let operations = feedCase.operations.map { operation in
      switch operation {
      case .insert(let name, let row): line(insert: name, row)
      case .update(let name, let row): #"{"set": "\#(ids[name]!)", "values": \#(row.json)}"#
      case .delete(let name): #"{"delete": "\#(ids[name]!)"}"#
      }
    }
    return [before, operations].filter { !$0.isEmpty }.map { lines in
      #"{"commit": [\#(lines.joined(separator: ", "))]}"# + "\n"
    }.joined()
  }

  private func line(insert name: String, _ row: FeedCase.Store.Row) -> String {
    #"{"insert": "Row", "id": "\#(ids[name]!)", "values": \#(row.json)}"#
  }

  /// The options of the request.
  var request: [String] {
    let request = feedCase.request
    var options = ["--where", "match == true", "--sort", request.keysFall ? "key:desc" : "key"]
    switch request.sections {
    case .none: break
    case .rising: options += ["--section", "section"]
    case .falling: options += ["--section", "section:desc"]
    case .explicit(let names):
      let quoted = names.map { "\"\($0)\"" }
      options += ["--section", "section", "--section-order", quoted.joined(separator: ",")]
    }
    if let limit = request.limit { options += ["--limit", String(limit)] }
    return options + ["--offset", String(request.offset)]
  }

  /// Returns a printed difference, with the case's names of rows.
  func difference(_ printed: [String: Any]) throws -> Difference<String> {
    let names = Dictionary(uniqueKeysWithValues: ids.map { ($1, $0) })
    guard let sections = printed["sections"] as? [[String: Any]], let rows = printed["rows"] as? [[String: Any]] else {
      throw Mismatch("there are no sections or rows in \(printed)")
    }
    return Difference(
      sections: try sections.map(section),
      rows: try rows.map { row in
        guard let id = (row["id"] as? String).flatMap({ names[$0] }) else { throw Mismatch("no row: \(row)") }
        return try change(row, of: id)
      })
  }

  private func section(_ json: [String: Any]) throws -> SectionChange {
    switch (json["change"] as? String, json["index"] as? Int, json["name"] as? String) {
    case ("delete", let index?, let name?): return .delete(index: index, name: name)
    case ("insert", let index?, let name?): return .insert(index: index, name: name)
    default: throw Mismatch("no change of a section: \(json)")
    }
  }

  private func change(_ json: [String: Any], of id: String) throws -> RowChange<String> {
    func path(_ name: String) -> RowPath? {
      (json[name] as? [Int]).map { RowPath(section: $0[0], row: $0[1]) }
    }
    switch (json["change"] as? String, path("from"), path("to")) {
    case ("delete", let from?, nil): return .delete(id, from: from)
    case ("insert", nil, let to?): return .insert(id, to: to)
    case ("move", let from?, let to?): return .move(id, from: from, to: to)
    case ("update", let from?, let to?): return .update(id, from: from, to: to)
    default: throw Mismatch("no change of a row: \(json)")
    }
  }
}

extension FeedCase.Store.Row {
  fileprivate var json: String {
    let key: Any =
      switch key {
      case .number(let number): number
      case .text(let text): text
      }
    let values: [String: Any] = ["section": section, "key": key, "payload": payload, "match": matches]
    // Texts, numbers and booleans always have a JSON form.
    let data = try! JSONSerialization.data(withJSONObject: values, options: .sortedKeys)
    return String(decoding: data, as: UTF8.self)
  }
}

#endif
