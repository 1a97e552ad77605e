import DaybookModel
import DaybookQuery

/// What of a model a request reaches. If two models are equal in that, a difference between results under the one and
/// under the other means something.
struct Reach: Hashable {
  private let entity: Int
  private let order: [ResolvedTerm]
  private let routes: [Route]
  private let attributes: [AttributeFacts]

  private struct AttributeFacts: Hashable {
    let missing: Value
    let derivation: ResolvedDerivation?
  }

  init(_ request: ResolvedRequest, in model: ResolvedModel) {
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
