import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the last commit recorded up to a time; ``Position/empty`` if there is none.
  ///
  /// - Complexity: O(log *n*) look-ups for *n* commits, as recorded times never run backwards.
  public func position(recordedBy time: Timestamp) throws -> Position {
    var (low, high) = (UInt64(0), position.number)
    while low < high {
      let middle = low + (high - low + 1) / 2
      let recordedAt = try journal.header(at: Position(middle)).header.recordedAt
      if recordedAt <= time { low = middle } else { high = middle - 1 }
    }
    return Position(low)
  }

  /// - Throws: `StoreError` with the code `notFound` if the position is beyond the head.
  public func requirePosition(_ position: Position) throws {
    guard position > self.position else { return }
    throw StoreError(
      .notFound, "There is no commit \(position); the head is \(self.position).",
      advice: "Give a position up to the head.")
  }
}
