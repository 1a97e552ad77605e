import DaybookModel

extension StoreReader {
  /// Calls a closure with a reader of the same state, whose present time is the recorded one of its position.
  package func recorded<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result {
    guard let source = source as? StoreSource else { return try body(self) }
    return try body(StoreReader(reader, at: position, source: source.asPast))
  }

  /// Returns when a commit was recorded; the earliest time for position 0.
  package func recordedTime(of position: Position) throws -> Timestamp {
    guard position > .empty else { return Timestamp(microseconds: .min) }
    return try journal.header(at: position).header.recordedAt
  }
}
