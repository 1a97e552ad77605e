import DaybookModel
import DaybookQuery

/// A to-many relationship of an entity.
///
///     Recipe.where { $0.ingredients.count > 3 && $0.ingredients.any { $0.name.contains("sugar") } }
///     Recipe.where { $0.tags.contains(quick) }
///     Recipe.where { $0.ingredients.count { $0.amount > 2 } >= 3 && $0.tags.any { $0.name == "x" && $0.rank > 2 } }
public struct ToManyField<Target: Fetchable>: RelationshipField {
  public let _fieldPath: FieldPath

  init(_ path: FieldPath) { _fieldPath = path }

  /// Makes the relationship with a name.
  ///
  /// - Parameters:
  ///   - object: The path to the object that has the relationship.
  ///   - name: The name of the relationship in the model.
  public init(_ object: FieldPath, _ name: String) { self.init(object.appending(name)) }

  /// The number of related objects.
  public var count: Field<Int> { Field(_fieldPath.appending("@count")) }

  /// Returns the number of related objects that meet a condition.
  ///
  ///     Recipe.where { $0.ingredients.count { $0.amount > 2 } >= 3 }
  ///
  /// The text of this filter is `COUNT(ingredients WHERE amount > 2) >= 3`. The paths of the condition begin at a related
  /// object; a request in which it names a field of the outer one is refused. Conditions on related objects nest up to
  /// 8 deep.
  ///
  /// The result is for filters; a request cannot sort by it.
  public func count(where condition: (Target.Fields) -> some FilterConvertible) -> Field<Int> {
    Field(_fieldPath.counting(where: filter(condition)))
  }

  /// Tests whether an object is one of the related objects.
  public func contains(_ id: EntityID<Target>) -> Filter {
    _fieldPath.quantified(.any).test(.equal, .value(id.scalarValue))
  }

  /// Tests whether at least one related object meets a condition.
  ///
  ///     Recipe.where { $0.tags.any { $0.name == "x" && $0.rank > 2 } }
  ///
  /// One object must meet all of it: `$0.tags.any { $0.name == "x" } && $0.tags.any { $0.rank > 2 }` is also met by two
  /// objects of which each passes one test. The text of this filter is `ANY tags WHERE (name == "x" AND rank > 2)`. Without related
  /// objects it is not met.
  public func any(where condition: (Target.Fields) -> some FilterConvertible) -> Filter { test(.any, condition) }

  /// Tests whether each related object meets a condition; without related objects it is met.
  public func all(where condition: (Target.Fields) -> some FilterConvertible) -> Filter { test(.all, condition) }

  /// Tests whether no related object meets a condition.
  public func none(where condition: (Target.Fields) -> some FilterConvertible) -> Filter { test(.none, condition) }

  /// The sum of a number over the related objects; 0 without such objects.
  public func sum<Number>(_ field: KeyPath<Target.Fields, Field<Number>>) -> Field<Number> { computed("@sum", field) }

  /// The least value of the related objects; null without objects.
  public func minimum<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { computed("@min", field) }

  /// The greatest value of the related objects; null without objects.
  public func maximum<Value>(_ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> { computed("@max", field) }

  /// The average of a number over the related objects; null without objects.
  public func average<Number>(_ field: KeyPath<Target.Fields, Field<Number>>) -> Field<Double> {
    Field(path("@avg", field))
  }

  private func filter(_ condition: (Target.Fields) -> some FilterConvertible) -> Filter {
    condition(Target.Fields(at: .parameter()))._filter
  }

  private func test(
    _ quantifier: Filter.Quantifier, _ condition: (Target.Fields) -> some FilterConvertible
  ) -> Filter {
    _fieldPath.test(quantifier, where: filter(condition))
  }

  private func computed<Value>(_ word: String, _ field: KeyPath<Target.Fields, Field<Value>>) -> Field<Value> {
    Field(path(word, field))
  }

  private func path<Value>(_ word: String, _ field: KeyPath<Target.Fields, Field<Value>>) -> FieldPath {
    Target.Fields(at: _fieldPath.appending(word))[keyPath: field]._fieldPath
  }
}
