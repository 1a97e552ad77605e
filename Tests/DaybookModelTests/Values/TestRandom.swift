import Foundation

/// A seeded generator (SplitMix64).
///
/// The seed is random unless `DAYBOOK_SEED` is set; a failing test prints it.
struct TestRandom: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init() {
    let given = ProcessInfo.processInfo.environment["DAYBOOK_SEED"].flatMap { UInt64($0) }
    seed = given ?? UInt64.random(in: 0..<1_000_000_000_000)
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns an integer of any magnitude: small ones are as likely as large ones.
  mutating func integer() -> Int64 {
    Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self)
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &self) == 0 }

  /// Returns text of a few characters that need special treatment.
  mutating func text() -> String {
    let characters: [String] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{7f}", "é", "e\u{301}", "語", "🎂", "\0",
    ]
    return (0..<Int.random(in: 0..<8, using: &self)).map { _ in characters.randomElement(using: &self)! }.joined()
  }
}
