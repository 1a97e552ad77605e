import DaybookModel

extension Filter.Aggregate {
  /// What is computed.
  package var function: Accumulator.Function {
    switch self {
    case .count: .count
    case .sum: .sum
    case .min: .minimum
    case .max: .maximum
    case .avg: .average
    }
  }

  /// Computes the aggregate over the values of a path, ignoring nulls.
  ///
  /// It is exact (see ``Accumulator``), and does not depend on the order of the objects. A sum of integers beyond 64 bits
  /// is a decimal, so that a filter compares it too.
  ///
  /// - Throws: `AggregateFault` for a sum or an average that the type of the values does not have; the errors of the
  ///   source.
  func value(over path: ResolvedPath, of object: ObjectKey, in source: inout some ObjectSource) throws -> Value {
    guard self != .count else { return .integer(Int64(try path.count(from: object, in: &source))) }
    var accumulator = Accumulator(function, of: path.type, order: path.order, keeping: .none)
    _ = try path.forEach(from: object, in: &source) { value in
      accumulator.add(value)
      return true
    }
    do throws(SumFault) {
      return try accumulator.comparableValue()
    } catch {
      throw AggregateFault(aggregate: self, object: object.id, reason: error)
    }
  }
}

/// The error for an aggregate in a filter that has no value for an object.
package struct AggregateFault: Error, Hashable, Sendable {
  let aggregate: Filter.Aggregate
  /// The object from which the path begins.
  package let object: ObjectID
  let reason: SumFault
}

extension AggregateFault: CustomStringConvertible {
  package var description: String { "@\(aggregate.rawValue) of the object \(object) has no value: \(reason)" }
}
