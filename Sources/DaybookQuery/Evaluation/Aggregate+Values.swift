import DaybookModel
import Foundation

extension Filter.Aggregate {
  /// Computes the aggregate over the values of a path, ignoring nulls.
  ///
  /// Without values the count and the sum are 0, all others null. Doubles and decimals, whose sums depend on the order,
  /// are added in the order of the ids of their objects. A sum of integers beyond 64 bits is a decimal. The average of
  /// integers and doubles is a double, of decimals a decimal.
  func value(over path: ResolvedPath, of object: ObjectKey, in source: inout some ObjectSource) throws -> Value {
    guard self != .count else { return .integer(Int64(try path.count(from: object, in: &source))) }
    var terms: [(id: ObjectID, value: Value)] = []
    _ = try path.forEach(from: object, in: &source) { id, value in
      if !value.isNull { terms.append((id, value)) }
      return true
    }
    if path.type != .integer { terms.sort { $0.id < $1.id } }
    return value(of: terms.map(\.value), type: path.type, order: path.order)
  }

  /// Computes the aggregate over values without nulls, in the order of their objects' ids.
  package func value(of values: [Value], type: AttributeType, order: StringOrder) -> Value {
    switch self {
    case .count: .integer(Int64(values.count))
    case .min: values.min { ValueOrder.compare($0, $1, order: order) < 0 } ?? .null
    case .max: values.max { ValueOrder.compare($0, $1, order: order) < 0 } ?? .null
    case .sum, .avg: Filter.Aggregate.sum(values, type: type, isAverage: self == .avg)
    }
  }

  /// Returns the sum of integers, or their average, from their exact sum.
  ///
  /// - Precondition: The aggregate is a sum or an average.
  package func value(ofSum sum: Int128, count: Int) -> Value {
    Filter.Aggregate.value(ofIntegers: sum, count: count, isAverage: self == .avg)
  }

  private static func value(ofIntegers sum: Int128, count: Int, isAverage: Bool) -> Value {
    if isAverage { return count == 0 ? .null : .double(Double(sum) / Double(count)) }
    return Int64(exactly: sum).map { .integer($0) } ?? .decimal(decimal(sum))
  }

  private static func sum(_ values: [Value], type: AttributeType, isAverage: Bool) -> Value {
    if isAverage && values.isEmpty { return .null }
    switch type {
    case .integer:
      // Even 2^63 numbers of 64 bits fit 128.
      let sum = values.reduce(Int128(0)) { if case .integer(let number) = $1 { $0 + Int128(number) } else { $0 } }
      return value(ofIntegers: sum, count: values.count, isAverage: isAverage)
    case .double:
      let sum = values.reduce(0.0) { if case .double(let number) = $1 { $0 + number } else { $0 } }
      let result = isAverage ? sum / Double(values.count) : sum
      // Infinities of both signs have no sum.
      return result.isNaN ? .null : .double(result)
    case .decimal:
      let sum = values.reduce(Decimal(0)) { if case .decimal(let number) = $1 { $0 + number } else { $0 } }
      let result = isAverage ? sum / Decimal(values.count) : sum
      return result.isNaN ? .null : .decimal(result)
    case .string, .boolean, .date, .uuid, .data, .codable: return .null
    }
  }

  private static func decimal(_ number: Int128) -> Decimal {
    DecimalParts(isNegative: number < 0, coefficient: number.magnitude, exponent: 0).decimal
  }
}
