import DifferenceCases
import Foundation

/// Random numbers that a seed reproduces (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func isTrue(oneIn chances: Int) -> Bool { number(0..<chances) == 0 }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}

/// Runs a body with many seeds, or with the seed in `DAYBOOK_SEED`.
///
/// Rethrows its error with the seed.
func withSeeds(_ count: Int, _ body: (inout SeededGenerator) throws -> Void) throws {
  let given = ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) }
  let first = given ?? UInt64.random(in: 0..<(1 << 48))
  for seed in first..<(first + (given == nil ? UInt64(count) : 1)) {
    var generator = SeededGenerator(seed: seed)
    do {
      try body(&generator)
    } catch {
      throw CheckFailure("DAYBOOK_SEED=\(seed): \(error)")
    }
  }
}
