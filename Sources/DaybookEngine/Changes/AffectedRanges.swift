import DaybookDiff
import DaybookModel

/// The ranges of the journal that affected a request; its followers can skip the others.
package struct AffectedRanges {
  /// The position from which on the affected ranges are known.
  private var start: Position
  private var ranges: [(from: Position, to: Position)] = []

  /// The most ranges that are kept; older ranges are discarded.
  static let maximumCount = 1_024

  /// The number of ranges that are kept.
  package var count: Int { ranges.count }

  package init(from position: Position) {
    start = position
  }

  /// Records that the commits after `from`, up to `to`, affected the request.
  package mutating func note(from: Position, to: Position) {
    ranges.append((from, to))
    if ranges.count > AffectedRanges.maximumCount { start = ranges.removeFirst().to }
  }

  /// Returns the last position up to which nothing has changed since another position.
  ///
  /// - Parameter seen: The position up to which all ranges were noted.
  package func unchanged(since position: Position, seen: Position) -> Position {
    guard position >= start, position < seen else { return position }
    let next = ranges.partitioningIndex { $0.to > position }
    return next < ranges.count ? max(position, ranges[next].from) : seen
  }
}
