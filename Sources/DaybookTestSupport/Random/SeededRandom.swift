/// Random numbers that a seed reproduces (SplitMix64).
///
///     var random = SeededRandom(seed: 7)
///     let side = random.number(1...6)
public struct SeededRandom: RandomNumberGenerator, Sendable {
  /// The seed, for the message of a failure.
  package let seed: UInt64
  private var state: UInt64

  public init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// Runs a body with a generator for each of some seeds, or with a generator for the seed in `DAYBOOK_SEED`.
  ///
  /// An error names the seed that failed; an expectation that is not met has to name the generator's ``seed``.
  package static func run(_ count: Int = 1, _ body: (inout SeededRandom) throws -> Void) throws {
    try Seeds.run(count) { seed in
      var random = SeededRandom(seed: seed)
      try body(&random)
    }
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  public mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  package mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }

  /// Returns true with a probability in percent.
  public mutating func isTrue(percent: Int) -> Bool { number(0...99) < percent }

  /// Returns true in one of so many cases.
  package mutating func isOneIn(_ count: Int) -> Bool { number(0..<count) == 0 }

  public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(0...(elements.count - 1))] }
}
