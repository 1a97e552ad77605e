import Daybook
import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the numbers of events in spans of positions.
  ///
  /// - Parameters:
  ///   - first: The first position.
  ///   - last: The last position; later ones than the reader's are not counted.
  ///   - binCount: The most spans.
  /// - Throws: `StoreError` with the code `damaged`.
  /// - Complexity: O(*n*) for the *n* commits from the first position through the last; only their headers are read.
  package func histogram(from first: Position, through last: Position, binCount: Int) throws -> Histogram {
    let (first, last) = (max(first, 1), min(last, position))
    let models = try journal.modelPositions().filter { $0 <= position }
    guard first <= last, binCount > 0 else { return Histogram(position: position, models: models, bins: []) }
    let span = last.number - first.number + 1
    let count = min(span, UInt64(binCount))
    // The spans differ by one commit at most. The products fit: no journal has 2^54 commits.
    let starts = (0...count).map { first.number + span * $0 / count }
    var bins = try zip(starts, starts.dropFirst()).map { start, end in
      let header = try journal.header(at: Position(start)).header
      return Histogram.Bin(
        first: Position(start), last: Position(end - 1), events: 0, time: header.happenedAt ?? header.recordedAt)
    }
    var index = 0
    try journal.forEachEventCount(from: first, through: last) { position, events in
      while position > bins[index].last { index += 1 }
      bins[index].events += events
      return true
    }
    return Histogram(position: position, models: models, bins: bins)
  }
}
