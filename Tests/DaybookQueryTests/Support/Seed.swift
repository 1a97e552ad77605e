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

  mutating func isTrue(_ oneIn: Int = 2) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }

  mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }
}

/// Runs a body with many seeds, or with the seed in `DAYBOOK_SEED`.
func withSeeds(_ count: Int, _ body: (inout SeededGenerator, UInt64) throws -> Void) rethrows {
  if let text = ProcessInfo.processInfo.environment["DAYBOOK_SEED"], let seed = UInt64(text) {
    var generator = SeededGenerator(seed: seed)
    return try body(&generator, seed)
  }
  let first = UInt64.random(in: 0..<(1 << 48))
  print("seeds \(first)..<\(first + UInt64(count)); DAYBOOK_SEED=N runs one")
  for seed in first..<(first + UInt64(count)) {
    var generator = SeededGenerator(seed: seed)
    try body(&generator, seed)
  }
}
