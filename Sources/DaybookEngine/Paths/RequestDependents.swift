import DaybookModel
import DaybookQuery

/// The rows of a request that depend on each kind of change.
package struct RequestDependents {
  /// The inverse paths that lead to the rows from a changed object.
  let inversePaths: [Dependency.Trigger: [[RelationshipReference]]]

  /// Creates the dependents of no request.
  package init() {
    inversePaths = [:]
  }

  package init(_ request: ResolvedRequest, in model: ResolvedModel) {
    inversePaths = Dictionary(grouping: request.dependencies(in: model), by: \.trigger)
      .mapValues { $0.map(\.inversePath) }
  }
}
