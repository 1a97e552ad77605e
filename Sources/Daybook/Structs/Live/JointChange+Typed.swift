import DaybookModel
import DaybookRuntime

extension JointChange {
  /// Returns the difference of a request that is followed for its rows.
  ///
  ///     for try await step in store.together([.rows(of: recipes), .value(.count, of: recipes)]) {
  ///       for row in try step.change(of: recipes, in: store)?.rows() ?? [] { show(row.name) }
  ///     }
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - store: The store that is followed, from which the change reads its rows.
  /// - Returns: `nil` if the rows did not change, or the request is not followed.
  public func change<Object>(of request: EntityRequest<Object>, in store: Store) -> EntityChange<Object>? {
    change(of: request.request).map { EntityChange($0, in: store) }
  }

  /// Returns the new value of a measure that is followed.
  ///
  /// - Returns: `nil` if the value did not change, or the measure is not followed.
  public func value<Object>(
    _ measure: EntityMeasure<Object>, of request: EntityRequest<Object>
  ) -> LiveValue? {
    value(measure.measure, of: request.request)
  }
}
