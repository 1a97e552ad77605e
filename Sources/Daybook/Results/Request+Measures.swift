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
extension Request where Row: RecordRow {
  private func measure(
    _ aggregate: Filter.Aggregate, _ field: KeyPath<Row.Object.Fields, some FieldReference>
  ) -> Measure<Row> {
    Measure(Aggregation(aggregate, Row.Object.names(of: field)), of: self)
  }

  /// Returns the sum of numbers.
  public func sum<Number: ScalarValue>(_ field: KeyPath<Row.Object.Fields, Field<Number>>) -> Measure<Row> {
    measure(.sum, field)
  }

  /// Returns the least value.
  public func minimum<Value: ScalarValue>(_ field: KeyPath<Row.Object.Fields, Field<Value>>) -> Measure<Row> {
    measure(.min, field)
  }

  /// Returns the greatest value.
  public func maximum<Value: ScalarValue>(_ field: KeyPath<Row.Object.Fields, Field<Value>>) -> Measure<Row> {
    measure(.max, field)
  }

  /// Returns the average of numbers; null for no rows.
  public func average<Number: ScalarValue>(_ field: KeyPath<Row.Object.Fields, Field<Number>>) -> Measure<Row> {
    measure(.avg, field)
  }
}
