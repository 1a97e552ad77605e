import Foundation

/// Random numbers that a seed reproduces (SplitMix64).
///
///     var random = SeededRandom(seed: 7)
///     let side = random.number(1...6)
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns true with a probability in percent.
  public mutating func isTrue(percent: Int) -> Bool { number(0...99) < percent }

  /// Returns true in one of so many cases.
  package mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...(elements.count - 1))] }
}

/// The seeds of random tests: from the environment's `DAYBOOK_SEED`, or else new ones.
public enum Seeds {
  /// The seed in the environment, or `nil` if there is none.
  public static var given: UInt64? { ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) } }

  /// The seed of a test with one run: the given one, else a new one.
  package static var one: UInt64 { given ?? .random(in: 0..<1_000_000_000_000) }

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
  public static func list(_ count: Int) -> [UInt64] {
    if let given { return [given] }
    let first = UInt64.random(in: 0..<(1 << 40))
    return (0..<UInt64(count)).map { first + $0 }
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

/// A deviation from the expected state.
public struct Mismatch: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
