import DaybookModel
import DaybookQuery

/// The measures of a request, with names of the model: key paths over to-one relationships.
extension Request {
  private func measure(_ aggregate: Filter.Aggregate, _ path: String) -> Measure<Row> {
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return Measure(Aggregation(aggregate, names), of: self)
  }

  /// Returns the number of rows.
  public func count() -> Measure<Row> { Measure(.count, of: self) }

  /// Returns the sum of the numbers at the end of a path.
  public func sum(_ path: String) -> Measure<Row> { measure(.sum, path) }

  /// Returns the least value at the end of a path.
  public func minimum(_ path: String) -> Measure<Row> { measure(.min, path) }

  /// Returns the greatest value at the end of a path.
  public func maximum(_ path: String) -> Measure<Row> { measure(.max, path) }

  /// Returns the average of the numbers at the end of a path, which is null without numbers.
  public func average(_ path: String) -> Measure<Row> { measure(.avg, path) }
}

/// The measures of a request, with the fields of a struct.
extension Request {
  private func measure<Object>(
    _ aggregate: Filter.Aggregate, _ field: KeyPath<Object.Fields, some FieldReference>
  ) -> Measure<Row> where Row == Record<Object> {
    Measure(Aggregation(aggregate, Object.names(of: field)), of: self)
  }

  /// Returns the sum of numbers.
  public func sum<Object, Number: ScalarValue>(
    _ field: KeyPath<Object.Fields, Field<Number>>
  ) -> Measure<Row> where Row == Record<Object> {
    measure(.sum, field)
  }

  /// Returns the least value.
  public func minimum<Object, Value: ScalarValue>(
    _ field: KeyPath<Object.Fields, Field<Value>>
  ) -> Measure<Row> where Row == Record<Object> {
    measure(.min, field)
  }

  /// Returns the greatest value.
  public func maximum<Object, Value: ScalarValue>(
    _ field: KeyPath<Object.Fields, Field<Value>>
  ) -> Measure<Row> where Row == Record<Object> {
    measure(.max, field)
  }

  /// Returns the average of numbers; null for no rows.
  public func average<Object, Number: ScalarValue>(
    _ field: KeyPath<Object.Fields, Field<Number>>
  ) -> Measure<Row> where Row == Record<Object> {
    measure(.avg, field)
  }
}
