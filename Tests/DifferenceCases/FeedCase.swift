import DaybookDiff
import Foundation

/// A case of the file of cases: rows, a request, operations and the expected difference.
package struct FeedCase: Sendable, CustomStringConvertible {
  package typealias Store = PlainStore<String, Key>

  package enum Key: Comparable, Sendable {
    case number(Double)
    case text(String)
  }

  package enum Operation: Sendable {
    case insert(String, Store.Row)
    /// The row after the update.
    case update(String, Store.Row)
    case delete(String)

    package var id: String {
      switch self {
      case .insert(let id, _), .update(let id, _), .delete(let id): id
      }
    }

    var row: Store.Row? {
      switch self {
      case .insert(_, let row), .update(_, let row): row
      case .delete: nil
      }
    }
  }

  package let name: String
  /// The rows before the operations, including rows outside the result.
  package let before: Store
  /// The operations, all in one commit.
  package let operations: [Operation]
  package let request: Store.Request
  package let situation: Situation<String>
  package let expected: Difference<String>
  package let final: [Situation<String>.Section]
  package let isTie: Bool

  package var description: String { name }

  /// Whether the rows' keys are texts, and not numbers.
  package var hasTextKeys: Bool {
    (before.rows.values + operations.compactMap(\.row)).contains { row in
      if case .text = row.key { true } else { false }
    }
  }

  /// All cases.
  package static func all() throws -> [FeedCase] {
    let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    let file = folder.appending(path: "Data/cases.json")
    let document = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as! [String: Any]
    return (document["cases"] as! [[String: Any]]).map(FeedCase.init)
  }

  init(_ json: [String: Any]) {
    name = json["id"] as! String
    var before = Store()
    for row in json.objects("initial") + json.objects("outside") {
      before.rows[row.text("id")] = Store.Row(row)
    }
    self.before = before
    var after = before
    operations = json.objects("operations").map { after.apply($0) }
    request = Store.Request(json["query"] as! [String: Any])
    situation = after.situation(from: before, request)
    final = (json["final"] as! [[Any]]).map { section in
      .init(name: section[0] as! String, ids: (section[1] as! [Any]).map { "\($0)" })
    }
    expected = FeedCase.difference(json["expect"] as! [String: Any], situation)
    isTie = json["tie"] as? Bool ?? false
  }

  private static func difference(_ json: [String: Any], _ situation: Situation<String>) -> Difference<String> {
    let sections = json.objects("sections").map { change -> SectionChange in
      let index = change["index"] as! Int
      return change["type"] as! String == "delete"
        ? .delete(index: index, name: situation.old[index].name)
        : .insert(index: index, name: situation.new[index].name)
    }
    let rows = json.objects("rows").map { change -> RowChange<String> in
      let id = change.text("id")
      switch change["type"] as! String {
      case "delete": return .delete(id, from: change.path("from"))
      case "insert": return .insert(id, to: change.path("to"))
      case "move": return .move(id, from: change.path("from"), to: change.path("to"))
      case "update": return .update(id, from: change.path("from"), to: change.path("to"))
      case let other: fatalError("unknown change \(other)")
      }
    }
    return Difference(sections: sections, rows: rows)
  }
}

extension PlainStore<String, FeedCase.Key>.Request {
  fileprivate init(_ json: [String: Any]) {
    self.init()
    sections =
      switch json["sections"] {
      case let names as [String]: .explicit(names)
      case let direction as String: direction == "desc" ? .falling : .rising
      default: .none
      }
    keysFall = json["keys"] as? String == "desc"
    offset = json["offset"] as? Int ?? 0
    limit = json["limit"] as? Int
  }
}

extension PlainStore<String, FeedCase.Key>.Row {
  fileprivate init(_ json: [String: Any]) {
    self.init(section: "", key: .number(0), payload: "null")
    for (field, value) in json { set(field, value) }
  }

  fileprivate mutating func set(_ field: String, _ value: Any) {
    switch field {
    case "section": section = value as! String
    case "key": key = (value as? String).map { .text($0) } ?? .number((value as! NSNumber).doubleValue)
    case "payload":
      let data = try! JSONSerialization.data(withJSONObject: [value], options: .sortedKeys)
      payload = String(decoding: data, as: UTF8.self)
    case "match": matches = value as! Bool
    default: break
    }
  }
}

extension PlainStore<String, FeedCase.Key> {
  fileprivate mutating func apply(_ operation: [String: Any]) -> FeedCase.Operation {
    let id = operation.text("id")
    switch operation["op"] as! String {
    case "insert":
      rows[id] = Row(operation)
      return .insert(id, rows[id]!)
    case "delete":
      rows[id] = nil
      return .delete(id)
    case "update":
      for (field, value) in operation["set"] as! [String: Any] { rows[id]!.set(field, value) }
      return .update(id, rows[id]!)
    case let other: fatalError("unknown operation \(other)")
    }
  }
}

extension [String: Any] {
  fileprivate func objects(_ key: String) -> [[String: Any]] { self[key] as? [[String: Any]] ?? [] }

  fileprivate func text(_ key: String) -> String { "\(self[key]!)" }

  fileprivate func path(_ key: String) -> RowPath {
    let numbers = self[key] as! [Int]
    return RowPath(section: numbers[0], row: numbers[1])
  }
}
