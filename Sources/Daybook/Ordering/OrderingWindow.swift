import DaybookDiff
import LMDB

/// The part of an ordering that a request's offset and limit leave, with index paths.
struct OrderingWindow {
  let ordering: ShiftedOrdering
  /// The numbers of the rows inside.
  let ranks: Range<Int>
  /// The section of the first row, its number, and how many of its rows the offset hides.
  private let firstSection: (index: Int, hiddenCount: Int)

  init(_ ordering: ShiftedOrdering) {
    self.ordering = ordering
    let request = ordering.base.request
    let low = min(request.offset, ordering.count)
    let high = request.limit.map { $0 < ordering.count - low ? low + $0 : ordering.count } ?? ordering.count
    ranks = low..<high
    guard request.section != nil, low < high, low > 0 else {
      firstSection = (0, 0)
      return
    }
    let section = ordering.section(ofRow: ordering[low])
    firstSection = (ordering.sectionRank(of: section), low - ordering.rank(of: section))
  }

  /// The path of a row that the ordering has; nil if it is outside of the window.
  ///
  /// - Complexity: O(log *n*).
  func path(of key: SortedKey) -> RowPath? {
    let rank = ordering.rank(of: key.bytes)
    guard ranks.contains(rank) else { return nil }
    guard key.sectionSize > 0 else { return RowPath(section: 0, row: rank - ranks.lowerBound) }
    let section = key.section
    let start = max(ordering.rank(of: section), ranks.lowerBound)
    return RowPath(section: ordering.sectionRank(of: section) - firstSection.index, row: rank - start)
  }

  /// The number of the row at a path among all rows; nil if there is none in the window.
  ///
  /// - Complexity: O(log *n*); O(*s*) where sections differ from the ordering's.
  func rank(at path: RowPath) -> Int? {
    guard path.section >= 0, path.row >= 0 else { return nil }
    guard ordering.base.request.section != nil else {
      return path.section == 0 && path.row < ranks.count ? ranks.lowerBound + path.row : nil
    }
    guard let key = ordering.sectionKey(firstSection.index + path.section), let place = place(ofSection: key),
      path.row < place.count
    else { return nil }
    return max(ordering.rank(of: key), ranks.lowerBound) + path.row
  }

  /// The place of a section; nil if none of its rows is in the window.
  func place(ofSection key: [UInt8]) -> TouchedSection.Place? {
    let start = ordering.rank(of: key)
    let rows = (start..<(start + ordering.rowCount(ofSection: key))).clamped(to: ranks)
    guard !rows.isEmpty else { return nil }
    return TouchedSection.Place(index: ordering.sectionRank(of: key) - firstSection.index, count: rows.count)
  }

  /// The first key inside, and the first one behind; nil for the end of all rows.
  var bounds: (lower: [UInt8]?, upper: [UInt8]?) {
    func key(_ rank: Int) -> [UInt8]? { rank < ordering.count ? ordering[rank] : nil }
    return (key(ranks.lowerBound), key(ranks.upperBound))
  }

  /// The sections inside, each with its name and the number of its rows there. Without sections, the one of all rows.
  var sections: [(key: [UInt8], name: String, count: Int)] {
    guard ordering.base.request.section != nil else { return [([], "", ranks.count)] }
    return ordering.sectionKeys.compactMap { key in
      place(ofSection: key).map { (key, ordering.name(ofSection: key) ?? "", $0.count) }
    }
  }
}
