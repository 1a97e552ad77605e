/// The exact sum of the numbers of one type, with their count, from which each one can be taken out again.
///
/// Sums are kept at any size. Only reading one throws, if no value of the type can hold it.
package struct NumberSum: Sendable {
  private enum Parts: Sendable {
    /// Even 2^63 numbers of 64 bits fit.
    case integer(Int128)
    case double(DoubleSum)
    case decimal(DecimalSum)
  }

  private var parts: Parts
  /// The number of added numbers.
  package private(set) var count = 0

  /// Makes the sum of nothing.
  ///
  /// - Precondition: The type is numeric.
  package init(of type: AttributeType) {
    switch type {
    case .integer: parts = .integer(0)
    case .double: parts = .double(DoubleSum())
    case .decimal: parts = .decimal(DecimalSum())
    default: preconditionFailure("\(type.nounPhrase) cannot be added")
    }
  }

  /// Adds a number; null, and values of other types, change nothing.
  ///
  /// - Complexity: O(1)
  package mutating func add(_ value: Value) { change(value, isRemoval: false) }

  /// Takes out a number that was added before.
  ///
  /// - Complexity: O(1)
  package mutating func remove(_ value: Value) { change(value, isRemoval: true) }

  private mutating func change(_ value: Value, isRemoval: Bool) {
    switch parts {
    case .integer(let sum):
      guard case .integer(let number) = value else { return }
      parts = .integer(isRemoval ? sum &- Int128(number) : sum &+ Int128(number))
    case .double(var sum):
      guard case .double(let number) = value else { return }
      // A second reference to the storage would have it copied.
      parts = .integer(0)
      if isRemoval { sum.remove(number) } else { sum.add(number) }
      parts = .double(sum)
    case .decimal(var sum):
      guard case .decimal(let number) = value else { return }
      parts = .integer(0)
      if isRemoval { sum.remove(number) } else { sum.add(number) }
      parts = .decimal(sum)
    }
    count &+= isRemoval ? -1 : 1
  }

  /// Returns the sum, which is 0 for no numbers: exact for integers and decimals, rounded once for doubles.
  ///
  /// - Throws: `SumFault` if the type has no such value.
  package func sum() throws(SumFault) -> Value {
    switch parts {
    case .integer(let sum):
      guard let number = Int64(exactly: sum) else { throw .integer }
      return .integer(number)
    case .double(let sum): return .double(try sum.value())
    case .decimal(let sum): return .decimal(try sum.value())
    }
  }

  /// Returns the sum as a number to compare with others: a sum of integers beyond 64 bits is a decimal.
  ///
  /// - Throws: `SumFault` for a sum of doubles or decimals that its type does not have.
  package func comparableSum() throws(SumFault) -> Value {
    guard case .integer(let sum) = parts, Int64(exactly: sum) == nil else { return try self.sum() }
    let parts = DecimalParts(isNegative: sum < 0, coefficient: sum.magnitude, exponent: 0)
    guard parts.isStorable else { throw .integer }
    return .decimal(parts.decimal)
  }

  /// Returns the exact quotient of sum and count, rounded once; null for no numbers.
  ///
  /// It is a double for integers and doubles. For decimals it is a decimal of 38 digits. Of two nearest numbers it is the
  /// even one. It exists also if the sum does not fit the type.
  ///
  /// - Throws: `SumFault` for infinities of both signs, and for an average whose exponent no decimal has.
  package func average() throws(SumFault) -> Value {
    guard count > 0 else { return .null }
    switch parts {
    case .integer(let sum): return .double(Double(sum, dividedBy: UInt64(count), exponent: 0))
    case .double(let sum): return .double(try sum.quotient(by: count))
    case .decimal(let sum): return .decimal(try sum.quotient(by: count))
    }
  }
}

/// The stored form: the count, and then the sum.
extension NumberSum {
  package func append(to bytes: inout [UInt8]) {
    bytes.appendVarint(UInt64(max(count, 0)))
    switch parts {
    case .integer(let sum):
      let magnitude = sum.magnitude
      let limbs = [UInt64(truncatingIfNeeded: magnitude), UInt64(truncatingIfNeeded: magnitude >> 64)]
      Limbs.append(limbs, isNegative: sum < 0, to: &bytes)
    case .double(let sum): sum.append(to: &bytes)
    case .decimal(let sum): sum.append(to: &bytes)
    }
  }

  package init(of type: AttributeType, reading reader: inout ByteReader) throws(MalformedBytes) {
    self.init(of: type)
    count = try reader.count()
    switch type {
    case .double: parts = .double(try DoubleSum(reading: &reader))
    case .decimal: parts = .decimal(try DecimalSum(reading: &reader))
    default:
      let start = reader.offset
      let (limbs, isNegative) = try Limbs.read(from: &reader)
      guard limbs.count <= 2, limbs.last.map({ limbs.count < 2 || $0 >> 62 == 0 }) ?? true else {
        throw MalformedBytes(offset: start, expected: "a sum of integers")
      }
      let magnitude = limbs.reversed().reduce(Int128(0)) { $0 << 64 | Int128($1) }
      parts = .integer(isNegative ? -magnitude : magnitude)
    }
  }
}
