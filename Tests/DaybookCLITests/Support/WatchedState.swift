#if Command

import DaybookDiff
import Foundation
import Testing

/// A result maintained by the lines of `watch --jsonl --rows`.
struct WatchedState: Equatable {
  private(set) var position: Int
  private(set) var ids: SectionedIDs<String>

  /// - Parameter json: The line of the state.
  init(_ json: [String: Any]) throws {
    position = try #require(json["position"] as? Int)
    let sections = try #require(json["sections"] as? [[String: Any]])
    ids = SectionedIDs(
      sections: try sections.map { section in
        let ids = try #require(section["ids"] as? [String])
        #expect(section["count"] as? Int == ids.count)
        return .init(name: try #require(section["name"] as? String), rows: ids)
      })
  }

  /// Reads the current state of a request with another run of the command.
  init(of kitchen: Kitchen, _ request: String...) throws {
    let run = try CommandRun(["watch", kitchen.store] + request + ["--jsonl", "--rows", "--count", "0"])
    #expect(run.status == 0 && run.errors == "")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    try self.init(#require(json))
  }

  /// Applies a difference, which must begin where the last one ended.
  mutating func apply(_ json: [String: Any], at location: SourceLocation = #_sourceLocation) throws {
    let start = position
    let isEmpty = try applyAny(json, at: location)
    #expect(!isEmpty && position > start, "\(json)", sourceLocation: location)
  }

  /// Applies any difference, including backward and empty ones.
  ///
  /// - Returns: Whether the difference is empty.
  @discardableResult
  mutating func applyAny(_ json: [String: Any], at location: SourceLocation = #_sourceLocation) throws -> Bool {
    #expect(json["from"] as? Int == position, "\(json)", sourceLocation: location)
    let sections = try #require(json["sections"] as? [[String: Any]])
    let rows = try #require(json["rows"] as? [[String: Any]])
    let causes = try #require(json["causes"] as? [String: [Int]])
    let difference = Difference(sections: try sections.map(WatchedState.section), rows: try rows.map(WatchedState.row))
    ids = try ids.applying(difference)
    let to = try #require(json["to"] as? Int)
    let span = min(position, to)...max(position, to)
    for positions in causes.values {
      #expect(positions.allSatisfy { $0 > span.lowerBound && $0 <= span.upperBound }, sourceLocation: location)
    }
    position = to
    return difference.isEmpty
  }

  private static func section(_ json: [String: Any]) throws -> SectionChange {
    let index = try #require(json["index"] as? Int)
    let name = try #require(json["name"] as? String)
    return json["change"] as? String == "delete" ? .delete(index: index, name: name) : .insert(index: index, name: name)
  }

  private static func row(_ json: [String: Any]) throws -> RowChange<String> {
    let id = try #require(json["id"] as? String)
    func path(_ key: String) throws -> RowPath {
      let numbers = try #require(json[key] as? [Int])
      return RowPath(section: numbers[0], row: numbers[1])
    }
    switch json["change"] as? String {
    case "delete": return .delete(id, from: try path("from"))
    case "insert": return .insert(id, to: try path("to"))
    case "move": return .move(id, from: try path("from"), to: try path("to"))
    default: return .update(id, from: try path("from"), to: try path("to"))
    }
  }
}

#endif
