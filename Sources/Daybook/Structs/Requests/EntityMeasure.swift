import DaybookModel
import DaybookRuntime

/// A computation over all rows of a typed request; see ``Measure``.
///
///     try store.value(.sum(\.servings), of: Recipe.all)
///     for try await total in store.values(.count, of: Recipe.where { $0.type == dessert }) { show(total.value) }
public struct EntityMeasure<Object: Storable>: Hashable, Sendable {
  /// The untyped measure, with names of the model.
  public let measure: Measure

  /// The number of rows.
  public static var count: EntityMeasure { EntityMeasure(measure: .count) }

  /// The sum of numbers.
  public static func sum<Number: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Number>>) -> EntityMeasure {
    EntityMeasure(measure: .sum(path(field)))
  }

  /// The least value.
  public static func minimum<Value: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> EntityMeasure {
    EntityMeasure(measure: .minimum(path(field)))
  }

  /// The greatest value.
  public static func maximum<Value: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Value>>) -> EntityMeasure {
    EntityMeasure(measure: .maximum(path(field)))
  }

  /// The average of numbers; null for no rows.
  public static func average<Number: ScalarValue>(_ field: KeyPath<Object.Fields, Field<Number>>) -> EntityMeasure {
    EntityMeasure(measure: .average(path(field)))
  }

  private static func path(_ field: KeyPath<Object.Fields, some FieldReference>) -> String {
    EntityRequest<Object>.names(field).joined(separator: ".")
  }
}
