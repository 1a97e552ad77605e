import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct DecimalTests {
  @Test(arguments: [
    ("0", false, 0, 0), ("-0.00", false, 0, 0), ("1", false, 1, 0), ("1.0", false, 1, 0), ("100", false, 1, 2),
    ("-12.340", true, 1234, -2), ("0.05", false, 5, -2),
  ])
  func takesApart(text: String, isNegative: Bool, coefficient: Int, exponent: Int) throws {
    let parts = DecimalParts(try #require(Decimal(string: text)))
    #expect(parts == DecimalParts(isNegative: isNegative, coefficient: UInt128(coefficient), exponent: exponent))
    #expect(parts.isNegative == isNegative && parts.coefficient == UInt128(coefficient) && parts.exponent == exponent)
  }

  @Test func everyDecimalComesBack() {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<5_000 {
      let digits =
        (UInt128(random.next()) << 64 | UInt128(random.next())) >> UInt128.random(in: 0..<128, using: &random)
      let parts = DecimalParts(
        isNegative: random.isOneIn(2), coefficient: digits, exponent: Int.random(in: -140...140, using: &random))
      guard parts.isStorable else {
        #expect(parts.decimal.isNaN)
        continue
      }
      #expect(DecimalParts(parts.decimal) == parts, "\(parts), seed \(random.seed)")
      #expect(NumberText(parts.description)?.decimalParts == parts, "\(parts), seed \(random.seed)")
      #expect(Decimal(string: parts.description) == parts.decimal, "\(parts), seed \(random.seed)")
    }
  }

  @Test func equalDecimalsHaveEqualParts() {
    var random = SeededRandom(seed: Seeds.one)
    for _ in 0..<2_000 {
      let small = Decimal(Int64.random(in: -1_000_000...1_000_000, using: &random))
      let shift = Int.random(in: 0..<12, using: &random)
      let ten = Decimal(sign: .plus, exponent: shift, significand: 1)
      #expect(DecimalParts(small * ten / ten) == DecimalParts(small), "seed \(random.seed)")
      #expect(DecimalParts(small + 1 - 1) == DecimalParts(small), "seed \(random.seed)")
    }
  }

  @Test func refusesWhatCannotBeStored() {
    #expect(!DecimalParts(Decimal.greatestFiniteMagnitude).isStorable)
    #expect(DecimalParts(isNegative: false, coefficient: 1, exponent: 127).isStorable)
    #expect(!DecimalParts(isNegative: false, coefficient: 10, exponent: 127).isStorable)
    #expect(DecimalParts(isNegative: false, coefficient: 10, exponent: -129).isStorable)
    #expect(!DecimalParts(isNegative: false, coefficient: 1, exponent: -129).isStorable)
  }

  static let numbers: [(String, String)] = [
    ("1", "1"), ("+1", "1"), ("007", "7"), ("-1.50", "-1.5"), ("1e3", "1000"), ("1.5E-3", "0.0015"), ("-0", "0"),
    ("1e127", "1" + String(repeating: "0", count: 127)),
    ("0." + String(repeating: "0", count: 127) + "1", "0." + String(repeating: "0", count: 127) + "1"),
    ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
    ("1." + String(repeating: "0", count: 100), "1"), ("0e999999999", "0"),
    ("12345678901234567890123456789012345678000", "12345678901234567890123456789012345678000"),
  ]

  @Test(arguments: numbers)
  func readsNumbers(text: String, printed: String) throws {
    #expect(try Value(text: text, type: .decimal).text == printed)
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "1.5x", "1,5", "1 ", " 1", "0x10", "1e", "1e+", "1e1.5", "--1", "NaN", "Infinity", "1_000",
    "1e128", "1e-129", "100000000000000000000000000000000000001", "1e9999999999", "١",
  ])
  func refusesJunk(text: String) {
    #expect(throws: ValueError.self) { try Value(text: text, type: .decimal) }
  }
}
