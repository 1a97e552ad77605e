import DaybookEngine
import DaybookModel

/// What takes part in the write sessions of a store, on the thread that writes.
///
/// A hook that keeps state belongs to one write, which may need several sessions. Each call has a default that does
/// nothing.
protocol SessionHook: AnyObject {
  /// Called before each session, when the thread holds no lock of the store.
  func willBegin() throws
  /// Called when a session has begun, before the write's closure runs. May append commits.
  func didBegin(_ session: WriteSession) throws
  /// Whether commits made before the session's own are the write's, so that its closure need not run again.
  var hasAppendedWrite: Bool { get }
  /// Whether the commits of a session are as many as should be flushed together.
  func isFilled(by session: WriteSession) -> Bool
  /// Called when all rows of a session are written, and nothing is durable. An error prevents the commits.
  func willCommit(_ session: WriteSession) throws
  /// Called when the commits are in the journal, before the projections are committed.
  ///
  /// - Parameter transaction: The journal's transaction that made them.
  func didFlush(_ session: WriteSession, in transaction: Int)
  /// Called when readers see the commits.
  func didCommit(_ session: WriteSession)
  /// Called when a session has ended without its commits.
  func didFail()
  /// Whether the write runs again after an error, in a session with later commits.
  ///
  /// - Throws: An error in place of that one.
  func isOvertaken(after error: any Error) throws -> Bool
  /// Called once, when the last session is over.
  ///
  /// - Parameter error: Why the write failed, or `nil` if it is durable.
  /// - Throws: An error in place of that one.
  func didEnd(after error: (any Error)?) throws
}

extension SessionHook {
  func willBegin() throws {}
  func didBegin(_ session: WriteSession) throws {}
  var hasAppendedWrite: Bool { false }
  func isFilled(by session: WriteSession) -> Bool { false }
  func willCommit(_ session: WriteSession) throws {}
  func didFlush(_ session: WriteSession, in transaction: Int) {}
  func didCommit(_ session: WriteSession) {}
  func didFail() {}
  func isOvertaken(after error: any Error) throws -> Bool { false }
  func didEnd(after error: (any Error)?) throws {}
}
