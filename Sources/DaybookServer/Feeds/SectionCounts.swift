#if Server

import Daybook
import DaybookModel

/// The numbers of rows of a request's sections, moved along by differences of its whole result.
struct SectionCounts: Equatable, Sendable {
  private var sections: [(name: String, count: Int)]

  init(_ sections: [ResultSection]) {
    self.sections = sections.map { ($0.name, $0.count) }
  }

  /// The members `total` and `counts`.
  var members: [(key: String, value: JSONValue)] {
    let counts = sections.map { JSONValue.object([("name", .string($0.name)), ("count", .integer(Int64($0.count)))]) }
    return [
      ("total", .integer(Int64(sections.reduce(0) { $0 + $1.count }))), ("counts", .array(counts)),
    ]
  }

  /// Carries out a difference, in the order of its rules.
  ///
  /// - Returns: Whether the difference is one of these sections; they are unchanged otherwise.
  mutating func apply(_ difference: Difference<ObjectID>) -> Bool {
    var moved = sections
    // A result without sections has one without a name, also where it has no rows.
    if moved.isEmpty, difference.sections.isEmpty { moved = [("", 0)] }
    for row in difference.rows {
      guard let from = row.from, !row.isUpdate else { continue }
      guard moved.indices.contains(from.section) else { return false }
      moved[from.section].count -= 1
    }
    for change in difference.sections where change.isDelete {
      guard moved.indices.contains(change.index), moved[change.index].count == 0 else { return false }
      moved.remove(at: change.index)
    }
    for change in difference.sections where !change.isDelete {
      guard change.index <= moved.count else { return false }
      moved.insert((change.name, 0), at: change.index)
    }
    for row in difference.rows {
      guard let to = row.to, !row.isUpdate else { continue }
      guard moved.indices.contains(to.section) else { return false }
      moved[to.section].count += 1
    }
    guard moved.allSatisfy({ $0.count >= 0 }) else { return false }
    sections = moved
    return true
  }

  static func == (a: SectionCounts, b: SectionCounts) -> Bool {
    a.sections.elementsEqual(b.sections) { $0.count == $1.count && Array($0.name.utf8) == Array($1.name.utf8) }
  }
}

private extension RowChange {
  /// Whether the row stays where it is.
  var isUpdate: Bool {
    if case .update = self { true } else { false }
  }
}

#endif
