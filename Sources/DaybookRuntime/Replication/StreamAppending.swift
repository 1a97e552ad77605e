import DaybookEngine
import DaybookModel

/// The hook of a session that begins with commits of the stream; those that the journal has are compared with them.
final class StreamAppending: SessionHook {
  private let arrivals: StreamArrivals
  /// Where the journal has another commit. It is recorded when the session is committed.
  private(set) var fork: StreamFork?

  init(_ arrivals: StreamArrivals) { self.arrivals = arrivals }

  /// - Throws: ``StreamPlaceMoved`` if the journal is not at the place that the commits follow; `StoreError` with the
  ///   code `damaged` for a commit that no store can have made.
  func didBegin(_ session: WriteSession) throws {
    guard try arrivals.replacesAnyPlace || session.journalReader.streamPlace() == arrivals.start else {
      throw StreamPlaceMoved()
    }
    fork = try session.append(fromStream: arrivals.commits)
  }

  func willCommit(_ session: WriteSession) throws {
    if let fork {
      try session.putMeta(StreamFork.key, fork.bytes, isDurable: true)
    } else {
      try session.putMeta(StreamPlace.key, arrivals.end.bytes)
    }
  }
}
