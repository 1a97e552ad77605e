import DaybookDiff
import DaybookModel

/// The spans of the journal that touched a request; its followers can skip the others.
package struct TouchedSpans {
  /// The position from which on the touched spans are known.
  private var start: Position
  private var spans: [(from: Position, to: Position)] = []

  /// The most spans that are kept; older spans are discarded.
  static let maximumCount = 1_024

  /// The number of spans that are kept.
  package var count: Int { spans.count }

  package init(from position: Position) {
    start = position
  }

  /// Records that the commits after `from`, up to `to`, touched the request.
  package mutating func note(from: Position, to: Position) {
    spans.append((from, to))
    if spans.count > TouchedSpans.maximumCount { start = spans.removeFirst().to }
  }

  /// Returns the last position up to which nothing has changed since another position.
  ///
  /// - Parameter seen: The position up to which all spans were noted.
  package func unchanged(since position: Position, seen: Position) -> Position {
    guard position >= start, position < seen else { return position }
    let next = spans.partitioningIndex { $0.to > position }
    return next < spans.count ? max(position, spans[next].from) : seen
  }
}
