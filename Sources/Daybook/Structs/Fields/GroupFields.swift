import DaybookEngine
import DaybookModel
import DaybookQuery

/// What a grouped request can show of the groups of a struct's objects; conditions and orders name the same.
///
///     Recipe.all.grouped(by: \.type.name) { ($0.count, $0.average(\.rating)) }
///       .having { $0.count > 3 }
///       .sorted(by: \.count, .descending)
///
/// Nulls count for nothing but the number of objects, and the first and the last value. Of no values the sum and the number
/// of different values are 0, and the others null. Sums and averages are exact, as with a ``Measure``.
public struct GroupFields<Object: Fetchable>: Sendable {
  private let keys: [GroupKey]

  init(_ keys: [GroupKey]) { self.keys = keys }

  private func field<Value: AttributeValue>(
    _ function: Accumulator.Function, _ path: (any FieldReference)? = nil
  ) -> Field<Value> {
    Field(FieldPath(names: [GroupValue(function, of: path?._fieldPath.names).name]))
  }

  private func names(_ path: KeyPath<Object.Fields, some FieldReference>) -> any FieldReference {
    Object.Fields(at: .object)[keyPath: path]
  }

  /// The number of objects.
  public var count: Field<Int> { field(.count) }

  /// The sum of numbers.
  public func sum<Number: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Number>>) -> Field<Number> {
    self.field(.sum, names(field))
  }

  /// The average of numbers.
  public func average<Number: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Number>>) -> Field<Double> {
    self.field(.average, names(field))
  }

  /// The least value.
  public func min<Value: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.minimum, names(field))
  }

  /// The greatest value.
  public func max<Value: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.maximum, names(field))
  }

  /// The number of different values.
  public func distinct(_ field: KeyPath<Object.Fields, some FieldReference>) -> Field<Int> {
    self.field(.distinct, names(field))
  }

  /// The value of the first object, in the order that the request has before it is grouped.
  public func first<Value: AttributeValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.first, names(field))
  }

  /// The value of the last object, in the order that the request has before it is grouped.
  public func last<Value: AttributeValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> Field<Value> {
    self.field(.last, names(field))
  }

  /// A key, by its number from 0; a request that names one that it lacks is refused.
  public func key(_ number: Int) -> Field<String> {
    Field(FieldPath(names: [keys.indices.contains(number) ? keys[number].name : "key \(number)"]))
  }
}
