import DaybookEngine
import DaybookModel
import DaybookQuery

extension StoreReader {
  /// The present time of requests that are read here: the recorded time of a past position, else the clock's; `nil` where
  /// a result must not depend on the time.
  package func now() throws -> Timestamp? {
    if let pending { return pending.keeper?.files.options.clock() }
    guard let source = source as? StoreSource else { return (source as? HeadSource)?.now }
    return source.isPast ? try recordedTime(of: position) : source.now
  }

  /// Returns a request as it is read here, unless its time is set.
  package func timed(_ request: FetchRequest) throws -> FetchRequest {
    // Most requests do not depend on the time, so the clock is not read for them.
    guard request.mayReadTime, request.now == nil else { return request }
    return request.at(try now())
  }

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
