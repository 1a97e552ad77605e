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
    inversePaths = Dictionary(grouping: Dependency.recorded(of: request, in: model), by: \.trigger)
      .mapValues { $0.map(\.inversePath) }
  }
}

/// The region of a model that a request reads: its order, its paths and the attributes at their ends.
///
/// If the regions of a request are equal in two models, a difference between results under the two models is meaningful.
package struct RequestRegion: Hashable {
  private let entity: Int
  private let order: [ResolvedTerm]
  private let paths: [ResolvedPath]
  private let attributes: [AttributeFacts]

  private struct AttributeFacts: Hashable {
    let missing: Value
    let derivation: ResolvedDerivation?
  }

  package init(_ request: ResolvedRequest, in model: ResolvedModel) {
    entity = request.entity
    order = request.terms
    paths = request.terms.map(\.path) + request.statePaths
    attributes = paths.compactMap { path in
      guard case .attribute(let number) = path.field else { return nil }
      let attribute = model.entities[path.end].attributes[number]
      return AttributeFacts(missing: attribute.missingValue, derivation: attribute.derivation)
    }
  }
}
