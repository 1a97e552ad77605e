import DaybookDiff
import LMDB

/// The part of an ordering within a request's offset and limit, with index paths.
package struct OrderingWindow {
  package let ordering: ShiftedOrdering
  /// The ranks of the rows in the window.
  package let ranks: Range<Int>
  /// The index of the first row's section, and the number of its rows before the window.
  private let firstSection: (index: Int, hiddenCount: Int)

  package init(_ ordering: ShiftedOrdering) throws {
    self.ordering = ordering
    let request = ordering.base.request
    let low = min(request.offset, ordering.count)
    let high = request.limit.map { $0 < ordering.count - low ? low + $0 : ordering.count } ?? ordering.count
    ranks = low..<high
    guard request.section != nil, low < high, low > 0 else {
      firstSection = (0, 0)
      return
    }
    let section = ordering.section(ofRow: try ordering.key(low))
    firstSection = (ordering.sectionRank(of: section), low - (try ordering.rank(of: section)))
  }

  /// Returns the path of a row in the ordering, or `nil` if it is outside of the window.
  ///
  /// - Complexity: O(log *n*).
  package func path(of key: SortedKey) throws -> RowPath? {
    let rank = try ordering.rank(of: key.bytes)
    guard ranks.contains(rank) else { return nil }
    guard key.sectionSize > 0 else { return RowPath(section: 0, row: rank - ranks.lowerBound) }
    let section = key.section
    let start = max(try ordering.rank(of: section), ranks.lowerBound)
    return RowPath(section: ordering.sectionRank(of: section) - firstSection.index, row: rank - start)
  }

  /// Returns the rank of the row at a path among all rows, or `nil` if the window lacks it.
  ///
  /// - Complexity: O(log *n*); O(*s*) for *s* sections if sections differ from the ordering's.
  package func rank(at path: RowPath) throws -> Int? {
    guard path.section >= 0, path.row >= 0 else { return nil }
    guard ordering.base.request.section != nil else {
      return path.section == 0 && path.row < ranks.count ? ranks.lowerBound + path.row : nil
    }
    guard let key = ordering.sectionKey(firstSection.index + path.section), let place = try place(ofSection: key),
      path.row < place.count
    else { return nil }
    return max(try ordering.rank(of: key), ranks.lowerBound) + path.row
  }

  /// Returns the ranks of a section's rows among all rows, or `nil` if the window lacks it.
  package func ranks(ofSection number: Int) throws -> Range<Int>? {
    guard number >= 0 else { return nil }
    guard ordering.base.request.section != nil else { return number == 0 ? ranks : nil }
    guard let key = ordering.sectionKey(firstSection.index + number) else { return nil }
    let rows = try ranks(ofSection: key)
    return rows.isEmpty ? nil : rows
  }

  private func ranks(ofSection key: [UInt8]) throws -> Range<Int> {
    let start = try ordering.rank(of: key)
    return (start..<(start + ordering.rowCount(ofSection: key))).clamped(to: ranks)
  }

  /// Returns the place of a section, or `nil` if none of its rows is in the window.
  func place(ofSection key: [UInt8]) throws -> TouchedSection.Place? {
    let rows = try ranks(ofSection: key)
    guard !rows.isEmpty else { return nil }
    return TouchedSection.Place(index: ordering.sectionRank(of: key) - firstSection.index, count: rows.count)
  }

  /// The key of the first row in the window and of the first row after it; `nil` at the end.
  var bounds: (lower: [UInt8]?, upper: [UInt8]?) {
    get throws {
      func key(_ rank: Int) throws -> [UInt8]? { rank < ordering.count ? try ordering.key(rank) : nil }
      return (try key(ranks.lowerBound), try key(ranks.upperBound))
    }
  }

  /// The sections in the window, each with its name and the number of its rows there.
  ///
  /// Without sections, one section with all rows.
  package var sections: [(key: [UInt8], name: String, count: Int)] {
    get throws {
      guard ordering.base.request.section != nil else { return [([], "", ranks.count)] }
      return try ordering.sectionKeys.compactMap { key in
        try place(ofSection: key).map { (key, ordering.name(ofSection: key) ?? "", $0.count) }
      }
    }
  }
}
