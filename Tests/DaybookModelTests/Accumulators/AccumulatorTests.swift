import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct AccumulatorTests {
  typealias Function = Accumulator.Function

  /// An object with a value and a place.
  struct Row: Hashable {
    let value: Value
    let place: [UInt8]
  }

  static let types: [AttributeType] = [.integer, .double, .decimal, .string, .date, .boolean, .uuid]

  static func functions(of type: AttributeType) -> [Function] {
    Function.allCases.filter { type.isNumeric || ($0 != .sum && $0 != .average) }
  }

  static func value(_ type: AttributeType, _ random: inout SeededRandom) -> Value {
    if random.isOneIn(6) { return .null }
    switch type {
    case .integer: return .integer(random.pick([.max, .min, 0, 1, 2, -7, 1 << 62]))
    case .double:
      return .double(
        random.pick([0, 0.1, 0.2, 1e300, -1e300, .greatestFiniteMagnitude, 1.5, .infinity, -2, .leastNonzeroMagnitude]))
    case .decimal: return .decimal(random.isOneIn(2) ? random.decimal() : random.pick([0, 1.5, -1.5, 2]))
    case .string: return .string(random.pick(["a", "A", "b", "", "é", "e\u{301}", "file9", "file10"]))
    case .date: return .date(Timestamp(microseconds: Int64(random.number(-3...3))))
    case .boolean: return .boolean(random.isOneIn(2))
    default: return .uuid(ObjectID(high: 0, low: UInt64(random.number(0...4))))
    }
  }

  /// Computes a function in the simplest way; `nil` if the type has no such value.
  static func plain(_ function: Function, _ rows: [Row], _ type: AttributeType, _ order: StringOrder) -> Value? {
    let values = rows.map(\.value).filter { !$0.isNull }
    let sorted = values.sorted { PlainOrder.compare($0, $1, order) < 0 }
    let placed = rows.sorted { $0.place.lexicographicallyPrecedes($1.place) }
    switch function {
    case .count: return .integer(Int64(rows.count))
    case .sum: return PlainSum(values).sum(as: type)
    case .average: return PlainSum(values).average(of: type)
    case .minimum: return sorted.first ?? .null
    case .maximum: return sorted.last ?? .null
    case .distinct: return .integer(Int64(Set(values).count))
    case .first: return placed.first?.value ?? .null
    case .last: return placed.last?.value ?? .null
    }
  }

  @Test func `each function has the value of the present rows after each change`() throws {
    try SeededRandom.run(Rounds.of(400)) { random in
      let type = random.pick(Self.types)
      let order: StringOrder = random.pick([.codepoint, .caseInsensitive, .natural])
      let function = random.pick(Self.functions(of: type))
      var accumulator = Accumulator(function, of: type, order: order)
      var rows: [Row] = []
      for step in 0..<random.number(1...60) {
        // Rows grow and shrink, so that the accumulator also becomes empty.
        if rows.isEmpty || random.isTrue(percent: step % 40 < 20 ? 70 : 30) {
          let row = Row(value: Self.value(type, &random), place: [UInt8(random.number(0...9)), UInt8(step)])
          rows.append(row)
          accumulator.add(row.value, at: row.place)
        } else {
          let row = rows.remove(at: random.number(0..<rows.count))
          accumulator.remove(row.value, at: row.place)
        }
        guard random.isOneIn(3) else { continue }
        let (found, wanted) = (try? accumulator.value(), Self.plain(function, rows, type, order))
        guard found == wanted else {
          throw Mismatch(
            "\(function) of \(rows.map(\.value)) is \(String(describing: found)), not \(String(describing: wanted))")
        }
        var added = Accumulator(function, of: type, order: order, keeping: .none)
        for row in rows.shuffled(using: &random) { added.add(row.value, at: row.place) }
        guard (try? added.value()) == wanted else {
          throw Mismatch("\(function) of \(rows.map(\.value)) is another value when rows are only added")
        }
      }
    }
  }

  @Test(arguments: Function.allCases)
  func `of nothing, the count, the sum and the number of different values are 0`(function: Function) throws {
    for type in [AttributeType.integer, .double, .decimal] {
      let zero: Value = type == .integer ? 0 : type == .double ? .double(0) : .decimal(0)
      let wanted: Value = function == .sum ? zero : function == .count || function == .distinct ? 0 : .null
      for retention in [Accumulator.Retention.none, .all] {
        #expect(try Accumulator(function, of: type, keeping: retention).value() == wanted)
      }
    }
  }

  @Test func `a sum of integers of any size is kept, and only reading it needs 64 bits`() throws {
    var sum = Accumulator(.sum, of: .integer)
    var average = Accumulator(.average, of: .integer)
    for _ in 0..<3 {
      sum.add(.integer(.max))
      average.add(.integer(.max))
    }
    #expect(throws: SumFault.integer) { try sum.value() }
    #expect(try sum.comparableValue() == .decimal(try #require(Decimal(string: "27670116110564327421"))))
    #expect(try average.value() == .double(0x1p63))
    sum.remove(.integer(.max))
    sum.remove(.integer(.max))
    #expect(try sum.value() == .integer(.max))
  }

  @Test func `an average of integers is the correctly rounded quotient`() throws {
    func average(_ numbers: [Int64]) throws -> Value {
      var average = Accumulator(.average, of: .integer)
      for number in numbers { average.add(.integer(number)) }
      return try average.value()
    }
    #expect(try average([1, 0, 0]) == .double(1 / 3.0))
    #expect(try average([1 << 53, 1, 0, 0]) == .double(0x1p51))
    // The sum rounded to a double first, and then divided, would be another number.
    #expect(try average([(1 << 53) + 1, 0, 0]) == PlainSum([.integer((1 << 53) + 1), 0, 0]).average(of: .integer))
    try SeededRandom.run(Rounds.of(500)) { random in
      let numbers = (0..<random.number(1...5)).map { _ in random.integer() }
      let wanted = PlainSum(numbers.map { .integer($0) }).average(of: .integer)
      guard try average(numbers) == wanted else { throw Mismatch("the average of \(numbers)") }
    }
  }

  @Test func `values of another type, and values that are not there, change nothing`() throws {
    for function in [Function.sum, .average, .distinct, .minimum, .maximum] {
      var accumulator = Accumulator(function, of: .integer)
      accumulator.add(3)
      let before = accumulator.bytes
      if function == .sum || function == .average {
        accumulator.add("a")
        accumulator.remove(.double(2))
      } else {
        accumulator.remove(4)
      }
      accumulator.add(.null)
      accumulator.remove(.null)
      #expect(accumulator.bytes == before)
    }
  }
}
