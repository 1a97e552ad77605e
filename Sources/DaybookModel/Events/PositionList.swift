/// Positions in rising order, each once, kept and stored as runs.
///
/// A revert of a million commits in sequence takes four bytes.
package struct PositionList: Hashable, Sendable {
  /// The runs of successive positions, rising, with at least one position between two of them.
  package private(set) var runs: [ClosedRange<UInt64>] = []

  /// The most positions of a list.
  package static let maximumCount = 1_000_000

  package init() {}

  /// Creates a list of one run.
  package init(_ first: Position, through last: Position) {
    runs = [first.number...last.number]
  }

  /// Creates a list, or returns `nil` if the positions do not rise from 1 up, or are too many.
  package init?(_ positions: [Position]) {
    guard positions.count <= PositionList.maximumCount else { return nil }
    for position in positions {
      guard position.number > runs.last?.upperBound ?? 0 else { return nil }
      if let last = runs.last, last.upperBound + 1 == position.number {
        runs[runs.count - 1] = last.lowerBound...position.number
      } else {
        runs.append(position.number...position.number)
      }
    }
  }

  package var isEmpty: Bool { runs.isEmpty }

  package var last: Position? { runs.last.map { Position($0.upperBound) } }

  /// The number of positions.
  package var count: Int { runs.reduce(0) { $0 + Int(clamping: $1.upperBound - $1.lowerBound + 1) } }

  /// The positions, rising.
  package var positions: [Position] { runs.flatMap { $0.map { Position($0) } } }

  package func contains(_ position: Position) -> Bool {
    runs.contains { $0.contains(position.number) }
  }
}

extension PositionList {
  /// Reads the number of runs, and for each its distance from the run before it and its length, less one.
  init(reading reader: inout ByteReader) throws(MalformedBytes) {
    let start = reader.offset
    let runCount = try reader.count()
    // Each run takes at least two bytes.
    guard runCount > 0, runCount <= reader.remaining / 2 else {
      throw MalformedBytes(offset: start, expected: "the number of runs of positions")
    }
    var end: UInt64 = 0
    var total: UInt64 = 0
    for _ in 0..<runCount {
      let (distance, length) = (try reader.varint(), try reader.varint())
      let (first, isPast) = end.addingReportingOverflow(distance)
      let (last, isLastPast) = first.addingReportingOverflow(length)
      // A run that directly follows another one would be a second encoding of one run.
      guard distance > (runs.isEmpty ? 0 : 1), !isPast, !isLastPast, length < PositionList.maximumCount else {
        throw MalformedBytes(offset: reader.offset, expected: "a run of positions after the one before it")
      }
      total += length + 1
      guard total <= PositionList.maximumCount else {
        throw MalformedBytes(offset: reader.offset, expected: "at most \(PositionList.maximumCount) positions")
      }
      runs.append(first...last)
      end = last
    }
  }

  func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(UInt64(runs.count))
    var end: UInt64 = 0
    for run in runs {
      bytes.appendVarint(run.lowerBound - end)
      bytes.appendVarint(run.upperBound - run.lowerBound)
      end = run.upperBound
    }
  }
}
