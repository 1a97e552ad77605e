import DaybookModel
import DaybookQuery

/// The parts of a model that a request reaches.
///
/// If these parts are equal in two models, a difference between results under the two models is meaningful.
package struct Reach: Hashable {
  private let entity: Int
  private let order: [ResolvedTerm]
  private let routes: [Route]
  private let attributes: [AttributeFacts]

  private struct AttributeFacts: Hashable {
    let missing: Value
    let derivation: ResolvedDerivation?
  }

  package init(_ request: ResolvedRequest, in model: ResolvedModel) {
    entity = request.entity
    order = request.terms
    routes = request.routes + request.stateRoutes
    attributes = routes.compactMap { route in
      guard case .attribute(let number) = route.field else { return nil }
      let attribute = model.entities[route.end].attributes[number]
      return AttributeFacts(missing: attribute.missingValue, derivation: attribute.derivation)
    }
  }
}
