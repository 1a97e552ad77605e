import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct DecimalSumTests {
  @Test func `sums are exact and averages rounded once, whatever was added and taken out before`() throws {
    try SeededRandom.run(Rounds.of(1_000)) { random in
      let numbers = (0..<random.number(0...6)).map { _ in random.decimal() }
      let others = (0..<random.number(0...3)).map { _ in random.decimal() }
      var sum = DecimalSum()
      for number in (numbers + others).shuffled(using: &random) { sum.add(number) }
      for number in others.shuffled(using: &random) { sum.remove(number) }
      let plain = PlainSum(numbers.map { .decimal($0) })
      let found = try? sum.value()
      guard found.map({ .decimal($0) }) == plain.sum(as: .decimal) else {
        throw Mismatch("the sum of \(numbers) is \(String(describing: found))")
      }
      guard !numbers.isEmpty else { return }
      let average = try? sum.quotient(by: numbers.count)
      guard average.map({ .decimal($0) }) == plain.average(of: .decimal) else {
        throw Mismatch("the average of \(numbers) is \(String(describing: average))")
      }
    }
  }

  private func sum(_ texts: [String]) throws -> DecimalSum {
    var sum = DecimalSum()
    for text in texts { sum.add(try #require(Decimal(string: text))) }
    return sum
  }

  @Test(arguments: [
    (["1", "2"], "1.5"), (["1", "0", "0"], "0.33333333333333333333333333333333333333"),
    (["2", "0", "0"], "0.66666666666666666666666666666666666667"),
    (["-2", "0", "0"], "-0.66666666666666666666666666666666666667"),
    // Of two nearest numbers the even one, also at the last exponent.
    (["10000000000000000000000000000000000001", "0"], "5000000000000000000000000000000000000.5"),
    (
      ["99999999999999999999999999999999999999", "99999999999999999999999999999999999998"],
      "99999999999999999999999999999999999998"
    ),
    (
      ["99999999999999999999999999999999999997", "99999999999999999999999999999999999998"],
      "99999999999999999999999999999999999998"
    ),
    (["1e-128", "0"], "0"), (["3e-128", "0"], "2e-128"), (["1e-128", "0", "0"], "0"), (["2e-128", "0", "0"], "1e-128"),
  ])
  func `an average has 38 digits, half to even`(numbers: [String], average: String) throws {
    #expect(try sum(numbers).quotient(by: numbers.count) == Decimal(string: average))
  }

  @Test func `a sum of more than 38 digits is an error, and returns when it fits again`() throws {
    let greatest = String(repeating: "9", count: 38)
    var sum = try sum([greatest, greatest])
    #expect(throws: SumFault.decimal) { try sum.value() }
    #expect(try sum.quotient(by: 2) == Decimal(string: greatest))
    sum.remove(try #require(Decimal(string: greatest)))
    #expect(try sum.value() == Decimal(string: greatest))
    sum.add(try #require(Decimal(string: "0.1")))
    #expect(throws: SumFault.decimal) { try sum.value() }
    sum.add(try #require(Decimal(string: "0.9")))
    #expect(try sum.value() == Decimal(string: "1e38"))
    sum.add(try #require(Decimal(string: "1e-128")))
    #expect(throws: SumFault.decimal) { try sum.value() }
    sum.remove(try #require(Decimal(string: "1e38")))
    #expect(try sum.value() == Decimal(string: "1e-128"))
  }

  @Test func `what is no number has no sum until it is taken out`() throws {
    var sum = try sum(["2.5"])
    sum.add(.nan)
    #expect(throws: SumFault.decimal) { try sum.value() }
    #expect(throws: SumFault.decimal) { try sum.quotient(by: 2) }
    sum.remove(.nan)
    #expect(try sum.value() == 2.5)
  }
}
