import DaybookDiff
import DaybookQuery

/// The part of a request's rows within its offset and limit, with index paths.
package struct RankedWindow {
  let ranked: RankedKeys
  /// Reads the position of the rows' base; `nil` if the base stores its keys.
  private let reader: Reader?
  /// The ranks of the rows in the window.
  package let ranks: Range<Int>
  /// The index of the first row's section.
  private let firstSection: Int

  /// - Parameter reader: Reads the position of the rows' base; `nil` only if the base stores its keys.
  package init(_ ranked: RankedKeys, in reader: Reader?) throws {
    (self.ranked, self.reader) = (ranked, reader)
    let request = ranked.request
    let low = min(request.offset, ranked.count)
    let high = request.limit.map { $0 < ranked.count - low ? low + $0 : ranked.count } ?? ranked.count
    ranks = low..<high
    guard request.section != nil, low < high, low > 0 else {
      firstSection = 0
      return
    }
    firstSection = ranked.sectionRank(of: ranked.section(ofRow: try ranked.keys(in: low..<(low + 1), in: reader)[0]))
  }

  package var request: ResolvedRequest { ranked.request }

  /// Returns the number of all rows before a key.
  func rank(of key: [UInt8]) throws -> Int { try ranked.rank(of: key, in: reader) }

  /// Returns the key of the row with a rank, which must exist.
  package func key(_ rank: Int) throws -> [UInt8] { try ranked.keys(in: rank..<(rank + 1), in: reader)[0] }

  /// Returns the keys of the rows in a range of ranks among all rows, which must exist.
  package func keys(in ranks: Range<Int>) throws -> [[UInt8]] { try ranked.keys(in: ranks, in: reader) }

  /// Returns the path of a row, or `nil` if it is outside of the window.
  ///
  /// - Complexity: O(log *n*).
  package func path(of key: SortedKey) throws -> RowPath? {
    let rank = try rank(of: key.bytes)
    guard ranks.contains(rank) else { return nil }
    guard key.sectionSize > 0 else { return RowPath(section: 0, row: rank - ranks.lowerBound) }
    let section = key.section
    let start = max(try self.rank(of: section), ranks.lowerBound)
    return RowPath(section: ranked.sectionRank(of: section) - firstSection, row: rank - start)
  }

  /// Returns the rank of the row at a path among all rows, or `nil` if the window lacks it.
  ///
  /// - Complexity: O(log *n*); O((log *s*) (log *k*)) with sections, of which *k* are added or removed by a delta.
  package func rank(at path: RowPath) throws -> Int? {
    guard path.section >= 0, path.row >= 0 else { return nil }
    guard request.section != nil else {
      return path.section == 0 && path.row < ranks.count ? ranks.lowerBound + path.row : nil
    }
    guard let key = ranked.sectionKey(firstSection + path.section), let place = try place(ofSection: key),
      path.row < place.count
    else { return nil }
    return max(try rank(of: key), ranks.lowerBound) + path.row
  }

  /// Returns the ranks of a section's rows among all rows, or `nil` if the window lacks it.
  package func ranks(ofSection number: Int) throws -> Range<Int>? {
    guard number >= 0 else { return nil }
    guard request.section != nil else { return number == 0 ? ranks : nil }
    guard let key = ranked.sectionKey(firstSection + number) else { return nil }
    let rows = try ranks(ofSection: key)
    return rows.isEmpty ? nil : rows
  }

  private func ranks(ofSection key: [UInt8]) throws -> Range<Int> {
    let start = try rank(of: key)
    return (start..<(start + ranked.rowCount(ofSection: key))).clamped(to: ranks)
  }

  /// Returns the place of a section, or `nil` if none of its rows is in the window.
  func place(ofSection key: [UInt8]) throws -> TouchedSection.Place? {
    let rows = try ranks(ofSection: key)
    guard !rows.isEmpty else { return nil }
    return TouchedSection.Place(index: ranked.sectionRank(of: key) - firstSection, count: rows.count)
  }

  /// The key of the first row in the window and of the first row after it; `nil` at the end.
  var bounds: (lower: [UInt8]?, upper: [UInt8]?) {
    get throws {
      func key(_ rank: Int) throws -> [UInt8]? { rank < ranked.count ? try self.key(rank) : nil }
      return (try key(ranks.lowerBound), try key(ranks.upperBound))
    }
  }

  /// The sections in the window, each with its name and the number of its rows there.
  ///
  /// Without sections, one section with all rows.
  package var sections: [(key: [UInt8], name: String, count: Int)] {
    get throws {
      guard request.section != nil else { return [([], "", ranks.count)] }
      return try ranked.sectionKeys.compactMap { key in
        try place(ofSection: key).map { (key, ranked.name(ofSection: key) ?? "", $0.count) }
      }
    }
  }
}
