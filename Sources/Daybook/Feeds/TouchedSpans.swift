import DaybookDiff
import DaybookModel

/// Which spans of the journal touched a request, so that whoever follows it can skip the others.
struct TouchedSpans {
  /// What is before this position is not known.
  private var start: Position
  private var spans: [(from: Position, to: Position)] = []

  /// Older spans are forgotten.
  static let maximumCount = 1_024

  /// How many are remembered.
  var count: Int { spans.count }

  init(from position: Position) {
    start = position
  }

  /// Notes that the commits behind `from`, up to `to`, touched the request.
  mutating func note(from: Position, to: Position) {
    spans.append((from, to))
    if spans.count > TouchedSpans.maximumCount { start = spans.removeFirst().to }
  }

  /// The last position to which nothing has changed since another one.
  ///
  /// - Parameter seen: Up to where all spans were noted.
  func unchanged(since position: Position, seen: Position) -> Position {
    guard position >= start, position < seen else { return position }
    let next = spans.partitioningIndex { $0.to > position }
    return next < spans.count ? max(position, spans[next].from) : seen
  }
}
