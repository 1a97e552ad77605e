import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct DoubleSumTests {
  /// Adds numbers in an order with other numbers that are taken out again, and returns the result.
  private func sum(_ numbers: [Double], beside others: [Double] = [], _ random: inout SeededRandom) -> DoubleSum {
    var sum = DoubleSum()
    for number in (numbers + others).shuffled(using: &random) { sum.add(number) }
    for number in others.shuffled(using: &random) { sum.remove(number) }
    return sum
  }

  private func check(
    _ numbers: [Double], beside others: [Double] = [], _ random: inout SeededRandom
  ) throws {
    let sum = sum(numbers, beside: others, &random)
    let plain = PlainSum(numbers.map { .double($0) })
    let found = try? sum.value()
    guard found.map({ .double($0) }) == plain.sum(as: .double) else {
      throw Mismatch("the sum of \(numbers) is \(String(describing: found))")
    }
    guard !numbers.isEmpty else { return }
    let average = try? sum.quotient(by: numbers.count)
    guard average.map({ .double($0) }) == plain.average(of: .double) else {
      throw Mismatch("the average of \(numbers) is \(String(describing: average))")
    }
    if let found { #expect(found.sign == .plus || found != 0) }
  }

  @Test func `sums and averages are rounded once, whatever was added and taken out before`() throws {
    try SeededRandom.run(Rounds.of(400)) { random in
      let numbers = (0..<random.number(0...8)).map { _ in random.finiteDouble() }
      let others = (0..<random.number(0...4)).map { _ in random.finiteDouble() }
      try check(numbers, beside: others, &random)
    }
  }

  @Test func `numbers that cancel leave what is far smaller`() throws {
    try SeededRandom.run(Rounds.of(300)) { random in
      let numbers = (0..<random.number(1...4)).map { _ in random.finiteDouble() }
      try check(numbers + numbers.map { -$0 } + [random.finiteDouble()], &random)
    }
  }

  @Test func `sums at half of a last bit are rounded to the even number`() throws {
    try SeededRandom.run(Rounds.of(300)) { random in
      let number =
        Double(random.number(1...9)) * Double(sign: .plus, exponent: random.number(-1000...900), significand: 1)
      let large = number.nextUp
      let half = large.ulp / 2
      let rests = [0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, half / 4]
      try check([large, half, random.pick(rests)], &random)
      try check([number, half, random.pick(rests)], &random)
      try check([-large, -half, random.pick(rests)], &random)
    }
  }

  @Test func `each two numbers at the limits of exponents have their exact sum`() throws {
    var random = SeededRandom(seed: Seeds.one)
    // The exponents at which numbers are subnormal, leave the part for usual numbers, or are the greatest.
    let exponents: [UInt64] = [0, 1, 2, 958, 959, 1011, 1023, 1083, 1084, 1085, 2045, 2046]
    let fractions: [UInt64] = [1, 0xf_ffff_ffff_ffff]
    let numbers = exponents.flatMap { exponent in fractions.map { Double(bitPattern: exponent << 52 | $0) } }
    for (index, a) in numbers.enumerated() {
      for b in numbers[...index] {
        try check([a, b], &random)
        try check([a, -b], &random)
      }
    }
  }

  @Test func `all small multiples of the least number add up as whole numbers`() throws {
    // Up to 2^53 the bits of a number are its multiple of the least one.
    let near: [UInt64] = [0, 1, 2, 3, 7, 8, 1 << 51, (1 << 52) - 1, 1 << 52, (1 << 52) + 1, (1 << 53) - 1]
    for a in near {
      for b in near where a + b <= 1 << 53 {
        var sum = DoubleSum()
        sum.add(Double(bitPattern: a))
        sum.add(Double(bitPattern: b))
        #expect(try sum.value().bitPattern == a + b)
        sum.add(-Double(bitPattern: a))
        #expect(try sum.value().bitPattern == b)
      }
    }
  }

  @Test func `infinities are counted apart, and both have no sum`() throws {
    var sum = DoubleSum()
    sum.add(1)
    sum.add(.infinity)
    sum.add(.infinity)
    #expect(try sum.value() == .infinity && sum.quotient(by: 3) == .infinity)
    sum.add(-.infinity)
    #expect(throws: SumFault.infinities) { try sum.value() }
    #expect(throws: SumFault.infinities) { try sum.quotient(by: 4) }
    sum.remove(.infinity)
    #expect(throws: SumFault.infinities) { try sum.value() }
    sum.remove(.infinity)
    #expect(try sum.value() == -.infinity)
    sum.remove(-.infinity)
    #expect(try sum.value() == 1)
    // Only a damaged row has such a value.
    sum.add(.nan)
    #expect(throws: SumFault.infinities) { try sum.value() }
    sum.remove(.nan)
    #expect(try sum.value() == 1)
  }

  @Test func `a finite sum beyond the range is an error, and returns when it fits again`() throws {
    let greatest = Double.greatestFiniteMagnitude
    var sum = DoubleSum()
    for _ in 0..<3 { sum.add(greatest) }
    #expect(throws: SumFault.double) { try sum.value() }
    #expect(try sum.quotient(by: 3) == greatest)
    sum.remove(greatest)
    sum.add(-greatest)
    #expect(try sum.value() == greatest)
    // Below half of the last bit beyond the greatest number, the sum is rounded down.
    sum.add((greatest.ulp / 2).nextDown)
    #expect(try sum.value() == greatest)
    sum.add((greatest.ulp / 2) - (greatest.ulp / 2).nextDown)
    #expect(throws: SumFault.double) { try sum.value() }
  }

  @Test func `zero is positive`() throws {
    var sum = DoubleSum()
    #expect(try sum.value().sign == .plus)
    sum.add(-0.0)
    #expect(try sum.value().sign == .plus)
    for number in [1e300, -3.5, .leastNonzeroMagnitude] {
      sum.add(number)
      sum.add(-number)
      #expect(try sum.value().bitPattern == 0)
    }
  }

  @Test func `the sums that floating-point arithmetic gets wrong are right`() throws {
    func sum(_ numbers: [Double]) throws -> Double {
      var sum = DoubleSum()
      for number in numbers { sum.add(number) }
      return try sum.value()
    }
    #expect(try sum(Array(repeating: 0.1, count: 10)) == 1)
    #expect(try sum([1e100, 1, -1e100]) == 1)
    #expect(try sum([1e16, 1, 1]) == 1e16 + 2)
    // The cases of the tests of Python's `math.fsum`.
    #expect(try sum([0x1p53, -0.5, -0x1p-54]) == 0x1p53 - 1)
    #expect(try sum([0x1p53, 1, 0x1p-100]) == 0x1p53 + 2)
    #expect(try sum([0x1p53 + 10, 1, 0x1p-100]) == 0x1p53 + 12)
    #expect(try sum([0x1p53 - 4, 0.5, 0x1p-54]) == 0x1p53 - 3)
    #expect(try sum([1e16, 1, 1e-16]) == 10_000_000_000_000_002)
    #expect(try sum([1e16 - 2, 1 - 0x1p-53, -(1e16 - 2), -(1 - 0x1p-53)]) == 0)
    #expect(try sum((1...1000).map { 1 / Double($0) }) == 0x1.df11f45f4e61ap+2)
    #expect(try sum((1...1000).map { ($0 % 2 == 0 ? 1 : -1) / Double($0) }) == -0x1.62a2af1bd3624p-1)
  }
}
