import Foundation

/// One way of doing a job: a small type that holds what it needs between the rounds.
///
///     final class ScanContestant: Contestant {
///       let name = "Daybook"
///       let role = Role.subject
///       func prepare(in directory: URL) throws { store = try filledStore(in: directory) }
///       func run(round: Int) throws -> Work { Work(operations: try store.countEvents()) }
///       func cleanUp() { store = nil }
///     }
///
/// The runner calls `prepare`, then for each round `beginRound`, `run` and `endRound`, then `cleanUp`; only `run` is
/// timed. The rounds of all contestants of a job are interleaved. Everything but `run` may be left out.
protocol Contestant: AnyObject {
  /// The name in the tables; unique in its job.
  var name: String { get }

  var role: Role { get }

  /// Makes what all rounds share, such as a filled store, in a directory that lasts until `cleanUp` has returned.
  func prepare(in directory: URL) async throws

  /// Makes what one round needs, in an empty directory that is removed after `endRound`.
  func beginRound(_ round: Int, in directory: URL) async throws

  /// Does the job once.
  func run(round: Int) async throws -> Work

  /// Releases what `beginRound` made.
  func endRound(_ round: Int) async throws

  /// Releases what `prepare` made. Called after a failure too, even one of `prepare`.
  func cleanUp() async throws
}

extension Contestant {
  func prepare(in directory: URL) async throws {}
  func beginRound(_ round: Int, in directory: URL) async throws {}
  func endRound(_ round: Int) async throws {}
  func cleanUp() async throws {}
}

/// What `prepare` or `beginRound` made.
func prepared<Value>(_ value: Value?) -> Value {
  guard let value else { preconditionFailure("A contestant runs after it was prepared.") }
  return value
}
