import DaybookModel
import DaybookQuery

/// The values of a result's rows, with what an aggregate over them follows from after a change.
struct AggregatedValues {
  private let aggregate: Filter.Aggregate
  private let path: ResolvedPath
  private var values: [ObjectID: Value] = [:]
  /// The sum of the integers; even 2^63 numbers of 64 bits fit.
  private var sum = Int128(0)
  /// The least or the greatest value; `nil` if it must be searched.
  private var extreme: Value?

  init(_ aggregate: Filter.Aggregate, over path: ResolvedPath) {
    (self.aggregate, self.path) = (aggregate, path)
  }

  /// Replaces the value of a row; null removes it.
  ///
  /// - Complexity: O(1)
  mutating func set(_ value: Value, of id: ObjectID) {
    let former = value.isNull ? values.removeValue(forKey: id) : values.updateValue(value, forKey: id)
    if case .integer(let number) = former { sum -= Int128(number) }
    if case .integer(let number) = value { sum += Int128(number) }
    guard let extreme else { return }
    if let former, compare(former, extreme) == 0 {
      self.extreme = nil
    } else if !value.isNull, precedes(value, extreme) {
      self.extreme = value
    }
  }

  /// Returns the aggregate.
  ///
  /// - Complexity: O(1) for sums and averages of integers. For the least and the greatest value O(1), and O(*n*) after the
  ///   row that had it lost it. For sums of doubles and decimals, which depend on the order, O(*n* log *n*).
  mutating func aggregated() -> Value {
    switch aggregate {
    case .count: return .integer(Int64(values.count))
    case .min, .max:
      if extreme == nil { extreme = values.values.min { precedes($0, $1) } }
      return extreme ?? .null
    case .sum, .avg:
      guard path.type != .integer else { return aggregate.value(ofSum: sum, count: values.count) }
      return aggregate.value(
        of: values.sorted { $0.key < $1.key }.map(\.value), type: path.type, order: path.order)
    }
  }

  private func compare(_ a: Value, _ b: Value) -> Int { ValueOrder.compare(a, b, order: path.order) }

  /// Whether a value is less than another one, or greater for the greatest value.
  private func precedes(_ a: Value, _ b: Value) -> Bool {
    aggregate == .max ? compare(b, a) < 0 : compare(a, b) < 0
  }
}
