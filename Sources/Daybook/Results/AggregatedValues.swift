import DaybookModel
import DaybookQuery

/// The values of a result's rows, with the aggregate over them.
struct AggregatedValues {
  /// The values that are not null.
  private var values: [ObjectID: Value] = [:]
  private var accumulator: Accumulator

  init(_ aggregate: Filter.Aggregate, over path: ResolvedPath) {
    accumulator = Accumulator(aggregate.function, of: path.type, order: path.order)
  }

  /// Replaces the value of a row; null removes it.
  ///
  /// - Complexity: O(1), and for the least and the greatest value O(log *n*) for *n* different values.
  mutating func set(_ value: Value, of id: ObjectID) {
    let former = value.isNull ? values.removeValue(forKey: id) : values.updateValue(value, forKey: id)
    if let former { accumulator.remove(former) }
    if !value.isNull { accumulator.add(value) }
  }

  /// Returns the aggregate.
  ///
  /// - Throws: `SumFault` for a sum or an average that the type of the values does not have.
  func aggregated() throws(SumFault) -> Value { try accumulator.value() }
}
