import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// The rows of a result: a window of ranked rows, or ids that are kept in their places.
enum VisibleRows {
  case window(RankedWindow)
  case held(SectionedIDs<ObjectID>)

  var count: Int {
    switch self {
    case .window(let window): window.ranks.count
    case .held(let ids): ids.count
    }
  }

  var sections: [(name: String, count: Int)] {
    get throws {
      switch self {
      case .window(let window): try window.sections.map { ($0.name, $0.count) }
      case .held(let ids): ids.sections.map { ($0.name, $0.rows.count) }
      }
    }
  }

  /// All ids by section.
  ///
  /// - Complexity: O(*n* log *n*).
  var ids: SectionedIDs<ObjectID> {
    get throws {
      switch self {
      case .held(let ids): return ids
      case .window(let window):
        var rank = window.ranks.lowerBound
        return SectionedIDs(
          sections: try window.sections.map { section in
            let ranks = rank..<(rank + section.count)
            rank = ranks.upperBound
            return ListSection(
              name: section.name, rows: try window.keys(in: ranks).map { try RowKey.trailingID(ofSorted: $0) })
          })
      }
    }
  }

  /// Returns the ids of rows by their numbers in the whole result, omitting absent rows.
  func ids(in numbers: Range<Int>) throws -> [ObjectID] {
    let numbers = numbers.clamped(to: 0..<count)
    switch self {
    case .window(let window):
      let first = window.ranks.lowerBound
      let ranks = (first + numbers.lowerBound)..<(first + numbers.upperBound)
      return try window.keys(in: ranks).map { try RowKey.trailingID(ofSorted: $0) }
    case .held(let ids):
      return Array(ids.sections.lazy.flatMap(\.rows).dropFirst(numbers.lowerBound).prefix(numbers.count))
    }
  }

  /// Returns the ids of rows by their numbers in a section, omitting absent rows.
  func ids(inSection section: Int, _ rows: Range<Int>) throws -> [ObjectID] {
    switch self {
    case .held(let ids):
      guard ids.sections.indices.contains(section) else { return [] }
      let all = ids.sections[section].rows
      return Array(all[rows.clamped(to: all.indices)])
    case .window(let window):
      guard let ranks = try window.ranks(ofSection: section) else { return [] }
      let rows = rows.clamped(to: 0..<ranks.count)
      return try window.keys(in: (ranks.lowerBound + rows.lowerBound)..<(ranks.lowerBound + rows.upperBound))
        .map { try RowKey.trailingID(ofSorted: $0) }
    }
  }

  /// Returns the id at a path, or `nil` if there is no such row.
  func id(at path: RowPath) throws -> ObjectID? {
    switch self {
    case .held(let ids):
      guard ids.sections.indices.contains(path.section) else { return nil }
      let rows = ids.sections[path.section].rows
      return rows.indices.contains(path.row) ? rows[path.row] : nil
    case .window(let window):
      guard let rank = try window.rank(at: path) else { return nil }
      return try RowKey.trailingID(ofSorted: window.key(rank))
    }
  }

  /// Returns the path of a row, or `nil` if it is not in the result.
  func path(of id: ObjectID, in reader: Reader) throws -> RowPath? {
    switch self {
    case .held(let ids):
      for (section, rows) in ids.sections.enumerated() {
        if let row = rows.rows.firstIndex(of: id) { return RowPath(section: section, row: row) }
      }
      return nil
    case .window(let window):
      guard let state = try RowState(of: id, window.request, in: reader) else { return nil }
      return try window.path(of: state.key)
    }
  }
}
