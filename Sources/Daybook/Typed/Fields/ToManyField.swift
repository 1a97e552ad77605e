import DaybookModel
import DaybookQuery

/// A to-many relationship of an entity.
///
///     Recipe.where { $0.ingredients.count > 3 && $0.ingredients.any(\.name).contains("sugar") }
///     Recipe.where { $0.tags.contains(quick) }
public struct ToManyField<Target: Storable>: RelationshipField {
  public let fieldPath: FieldPath

  init(_ path: FieldPath) { fieldPath = path }

  /// The relationship of this name.
  ///
  /// - Parameters:
  ///   - object: What leads to the object that has it.
  ///   - name: Its name in the model.
  public init(_ object: FieldPath, _ name: String) { self.init(object.appending(name)) }

  /// The number of related objects.
  public var count: Field<Int> { Field(fieldPath.appending("@count")) }

  /// Whether an object is among the related ones.
  public func contains(_ id: EntityID<Target>) -> Filter {
    fieldPath.quantified(.any).test(.equal, .value(id.scalarValue))
  }

  /// A field of which one related object at least must pass the test; not met where there are none.
  public func any<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { quantified(.any, field) }

  /// A field of which each related object must pass the test; met where there are none.
  public func all<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { quantified(.all, field) }

  /// A field of which no related object may pass the test.
  public func none<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { quantified(.none, field) }

  /// The sum of a number over the related objects; 0 without any.
  public func sum<Number>(_ field: KeyPath<Target.Fields, Field<Number>>) -> Field<Number> { computed("@sum", field) }

  /// The least value among the related objects; null without any.
  public func minimum<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { computed("@min", field) }

  /// The greatest value among the related objects; null without any.
  public func maximum<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { computed("@max", field) }

  /// The average of a number over the related objects; null without any.
  public func average<Number>(_ field: KeyPath<Target.Fields, Field<Number>>) -> Field<Double> {
    Field(path("@avg", field))
  }

  private func quantified<Value>(
    _ quantifier: Filter.Quantifier, _ field: KeyPath<Target.Fields, Field<Value>>
  ) -> Field<Value> {
    Field(Target.Fields(at: fieldPath.quantified(quantifier))[keyPath: field].fieldPath)
  }

  private func computed<Value>(_ word: String, _ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> {
    Field(path(word, field))
  }

  private func path<Value>(_ word: String, _ field: KeyPath<Target.Fields, Field<Value>>) -> FieldPath {
    Target.Fields(at: fieldPath.appending(word))[keyPath: field].fieldPath
  }
}
