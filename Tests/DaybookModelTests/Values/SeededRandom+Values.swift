import DaybookTestSupport

extension SeededRandom {
  /// Returns an integer of any magnitude: small ones are as likely as large ones.
  mutating func integer() -> Int64 {
    Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self)
  }

  /// Returns text of a few characters that need special treatment.
  mutating func text() -> String {
    let characters: [String] = [
      "a", "Z", "0", " ", "\"", "\\", "/", "\n", "\u{1}", "\u{7f}", "é", "e\u{301}", "語", "🎂", "\0",
    ]
    return (0..<Int.random(in: 0..<8, using: &self)).map { _ in characters.randomElement(using: &self)! }.joined()
  }
}
