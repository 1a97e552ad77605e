import Foundation

/// The seeds of random tests: from the environment's `DAYBOOK_SEED`, or else new ones.
public enum Seeds {
  /// The seed in the environment, or `nil` without one.
  public static var given: UInt64? { ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) } }

  /// The seed of a test with one run: the given one, else a new one.
  package static var one: UInt64 { list(1)[0] }

  /// Runs a body with each of some seeds, or with the seed in `DAYBOOK_SEED`.
  ///
  /// An error names the seed that failed.
  public static func run(_ count: Int, _ body: (UInt64) throws -> Void) throws {
    for seed in list(count) {
      do {
        try body(seed)
      } catch {
        throw SeedFailure(seed: seed, error: error)
      }
    }
  }

  /// The parts of a long test, which run in parallel.
  public static let shards = 0..<2

  /// Runs one part of a test; with a seed in the environment, only the first part runs.
  ///
  /// - Parameters:
  ///   - count: The number of runs of all parts together.
  ///   - shard: The part, one of ``shards``.
  ///   - body: A run, which receives its seed.
  public static func run(_ count: Int, shard: Int, _ body: (UInt64) throws -> Void) throws {
    let share = given == nil ? (count + shards.count - 1 - shard) / shards.count : shard == 0 ? 1 : 0
    if share > 0 { try run(share, body) }
  }

  /// Returns the seeds of the runs: the seed in `DAYBOOK_SEED`, or else new consecutive ones.
  ///
  /// They are printed, because a test that ends its process reports no failure.
  public static func list(_ count: Int) -> [UInt64] {
    if let given { return [given] }
    let first = UInt64.random(in: 0..<(1 << 40))
    let seeds = (0..<UInt64(count)).map { first + $0 }
    if let last = seeds.last { print("DAYBOOK_SEED=\(first)" + (last == first ? "" : " to \(last)")) }
    return seeds
  }
}

/// A failure of a random test, with the seed that reproduces it.
public struct SeedFailure: Error, CustomStringConvertible {
  public let seed: UInt64
  public let error: any Error

  public init(seed: UInt64, error: any Error) {
    self.seed = seed
    self.error = error
  }

  public var description: String { "Run it again with DAYBOOK_SEED=\(seed).\n\(error)" }
}

/// How much of a long test runs: all of its rounds where the tests are optimised, a part of them in debug.
///
///     private let killCount = Rounds.of(300, "DAYBOOK_KILLS")
///
/// `Tools/test-random` runs each suite whose file uses this type, optimised, so that each round is run somewhere.
package enum Rounds {
  /// In debug, one random round in so many runs: 7, or `DAYBOOK_SHARE`.
  private static let debugShare = max(1, given("DAYBOOK_SHARE") ?? 7)
  /// In debug, one enumerated case in so many is checked: a prime, so that the sample meets all of their patterns.
  private static let debugStep = 7

  private static let isOptimised: Bool = {
    #if DEBUG
    false
    #else
    true
    #endif
  }()

  /// Returns the number of rounds to run.
  ///
  /// - Parameters:
  ///   - count: The number of rounds of an optimised test.
  ///   - variable: The variable of the environment that sets another number, in debug too.
  package static func of(_ count: Int, _ variable: String? = nil) -> Int {
    if let given = variable.flatMap({ given($0) }) { return given }
    return isOptimised ? count : max(1, count / debugShare)
  }

  /// Returns whether a numbered case of an enumeration is checked.
  package static func include(_ number: Int) -> Bool { isOptimised || number % debugStep == 0 }

  /// Returns a number in the environment, or `nil` if the variable is not set.
  package static func given(_ variable: String) -> Int? {
    ProcessInfo.processInfo.environment[variable].flatMap { Int($0) }
  }
}
