import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct AccumulatorBytesTests {
  typealias Row = AccumulatorTests.Row

  private func read(
    _ bytes: [UInt8], as function: Accumulator.Function, of type: AttributeType
  ) throws -> Accumulator {
    try Accumulator(function, of: type, reading: bytes.rawSpan)
  }

  /// The value, or the error.
  private func outcome(_ accumulator: Accumulator) -> Result<Value, SumFault> {
    Result { () throws(SumFault) in try accumulator.value() }
  }

  @Test func `equal contents have equal bytes, whatever the changes, and come back`() throws {
    try SeededRandom.run(Rounds.of(600)) { random in
      let type = random.pick(AccumulatorTests.types + [.data])
      let function = random.pick(AccumulatorTests.functions(of: type))
      func row(_ number: Int) -> Row {
        let isLarge = random.isOneIn(20)
        let data = Value.data(
          Array(repeating: UInt8(random.number(0...2)), count: isLarge ? 70_000 : random.number(0...2)))
        return Row(value: type == .data ? data : AccumulatorTests.value(type, &random), place: [UInt8(number)])
      }
      let (rows, others) = ((0..<random.number(0...12)).map(row), (20..<random.number(20...30)).map(row))
      var (one, other) = (Accumulator(function, of: type), Accumulator(function, of: type))
      for row in rows { one.add(row.value, at: row.place) }
      for row in (rows + others).shuffled(using: &random) { other.add(row.value, at: row.place) }
      for row in others.shuffled(using: &random) { other.remove(row.value, at: row.place) }
      let bytes = one.bytes
      guard other.bytes == bytes else { throw Mismatch("\(function) of \(rows) has two stored forms") }
      var back = try read(bytes, as: function, of: type)
      guard back.bytes == bytes, outcome(back) == outcome(one) else { throw Mismatch("\(function) of \(rows) changes") }
      // What was read can be changed as what was stored.
      for row in rows.shuffled(using: &random) { back.remove(row.value, at: row.place) }
      guard back.bytes == Accumulator(function, of: type).bytes else {
        throw Mismatch("\(function) of \(rows) leaves rest")
      }
    }
  }

  @Test func `sums beyond all values of their type are stored and come back`() throws {
    for (type, greatest) in [
      (AttributeType.integer, Value.integer(.min)), (.double, .double(.greatestFiniteMagnitude)),
      (.decimal, .decimal(try #require(Decimal(string: "99999999999999999999999999999999999999e127")))),
      (.decimal, .decimal(try #require(Decimal(string: "1e127")))),
    ] {
      var sum = Accumulator(.sum, of: type)
      for _ in 0..<1_000 { sum.add(greatest) }
      var back = try read(sum.bytes, as: .sum, of: type)
      #expect(back.bytes == sum.bytes)
      for _ in 0..<999 { back.remove(greatest) }
      #expect(try back.value() == greatest)
    }
  }

  @Test func `the stored form does not change`() throws {
    func bytes(_ function: Accumulator.Function, _ type: AttributeType, _ values: [Value]) -> [UInt8] {
      var accumulator = Accumulator(function, of: type)
      for value in values { accumulator.add(value, at: [7]) }
      return accumulator.bytes
    }
    #expect(bytes(.count, .integer, [1, .null]) == [1, 1, 2])
    #expect(bytes(.sum, .integer, [300, -1]) == [1, 2, 2, 4, 1, 43])
    #expect(bytes(.average, .integer, [-2]) == [1, 3, 1, 3, 2])
    // No infinities, and 25 halves.
    #expect(bytes(.sum, .double, [.double(12), .double(0.5)]) == [1, 2, 2, 0, 0, 2, 25, 1])
    #expect(bytes(.sum, .double, [.double(.infinity)]) == [1, 2, 1, 1, 0, 0])
    // Nothing that is no number, one limb of a negative number, the exponent -2.
    #expect(bytes(.sum, .decimal, [.decimal(Decimal(string: "-1.25")!)]) == [1, 2, 1, 0, 3, 3, 125])
    #expect(bytes(.minimum, .integer, [2, 2, 1]) == [1, 4, 2, 17, 2, 1, 17, 4, 2])
    #expect(bytes(.distinct, .string, ["a"]) == [1, 6, 1, 22, 1, 97, 1])
    #expect(bytes(.last, .integer, [.null]) == [1, 8, 1, 1, 7, 16, 1])
  }

  @Test(
    arguments: [
      ("an empty form", []), ("another version", [2, 2, 0, 0]), ("another function", [1, 3, 0, 0]),
      ("no sum", [1, 2, 0]),
      ("bytes after the end", [1, 2, 0, 0, 0]), ("a negative zero", [1, 2, 1, 1]),
      ("a leading zero", [1, 2, 1, 4, 0, 1]),
      ("more bytes than a sum has", [1, 2, 1, 0xff, 0xff, 3]), ("a magnitude that ends early", [1, 2, 1, 4, 1]),
    ] as [(String, [UInt8])])
  func `a sum of integers is refused with`(fault: String, bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try read(bytes, as: .sum, of: .integer) }
  }

  @Test(
    arguments: [
      ("an even number", [1, 2, 1, 0, 0, 2, 2, 0]), ("an exponent below all", [1, 2, 1, 0, 0, 2, 1, 0xe5, 0x10]),
      ("an exponent above all", [1, 2, 1, 0, 0, 2, 1, 0xa0, 0x1f]), ("no exponent", [1, 2, 1, 0, 0, 2, 1]),
    ] as [(String, [UInt8])])
  func `a sum of doubles is refused with`(fault: String, bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try read(bytes, as: .sum, of: .double) }
  }

  @Test(
    arguments: [
      ("a final zero", [1, 2, 1, 0, 2, 0, 10]), ("no limbs", [1, 2, 1, 0, 1, 0]),
      ("a leading limb of 0", [1, 2, 1, 0, 4, 0, 1, 0]),
      ("an exponent below all", [1, 2, 1, 0, 2, 0xff, 0x20, 1]), ("too many limbs", [1, 2, 1, 0, 40, 0, 1]),
    ] as [(String, [UInt8])])
  func `a sum of decimals is refused with`(fault: String, bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try read(bytes, as: .sum, of: .decimal) }
  }

  @Test(
    arguments: [
      ("values not in order", [1, 6, 2, 17, 4, 1, 17, 2, 1]), ("a value twice", [1, 6, 2, 17, 2, 1, 17, 2, 1]),
      ("a count of 0", [1, 6, 1, 17, 2, 0]), ("null", [1, 6, 1, 16, 1]), ("another tag", [1, 6, 1, 33, 2, 1]),
      ("a value that ends early", [1, 6, 1, 22, 9, 97, 1]), ("more values than bytes", [1, 6, 0xff, 0xff, 0xff, 3]),
      ("what is not a number", [1, 6, 1, 18, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 1]),
    ] as [(String, [UInt8])])
  func `different values are refused with`(fault: String, bytes: [UInt8]) {
    #expect(throws: MalformedBytes.self) { try read(bytes, as: .distinct, of: .integer) }
  }

  @Test func `any bytes are read or refused, and what is read has these bytes`() throws {
    try SeededRandom.run(Rounds.of(20_000)) { random in
      let type = random.pick([AttributeType.integer, .double, .decimal])
      let function = random.pick(Accumulator.Function.allCases)
      let rows = (0..<random.number(0...4)).map { _ in AccumulatorTests.value(type, &random) }
      var accumulator = Accumulator(function, of: type)
      for (number, value) in rows.enumerated() { accumulator.add(value, at: [UInt8(number)]) }
      var bytes = accumulator.bytes
      for _ in 0..<random.number(1...3) {
        let index = random.number(0..<bytes.count)
        switch random.number(0...2) {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(index...)
        default: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: index)
        }
        if bytes.isEmpty { break }
      }
      guard var back = try? read(bytes, as: function, of: type) else { return }
      guard back.bytes == bytes else { throw Mismatch("\(bytes) is read as a form with the bytes \(back.bytes)") }
      // Neither reading nor changing it traps.
      _ = outcome(back)
      for value in rows { back.add(value, at: [1]) }
      _ = outcome(back)
    }
  }
}
