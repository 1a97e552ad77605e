import DaybookModel

/// A fetch request whose names were looked up in a model: what is planned, evaluated and followed.
///
/// A class, because plans, candidates and executors hold it: as a struct, each copy of one of them retained all that it
/// is made of.
package final class ResolvedRequest: Sendable {
  package let request: FetchRequest
  /// The number of the entity.
  package let entity: Int
  /// Nil if every object meets it.
  package let filter: ResolvedFilter?
  package let section: ResolvedSection?
  /// The order of the rows before the object's id: the section's term, if there is one, and the sort terms, each route
  /// once. The type of a section's term is that of the section values.
  package let terms: [ResolvedTerm]
  /// The routes to the values of `terms`, in the same order.
  package let routes: [Route]
  package let limit: Int?
  package let offset: Int
  /// Whether rows that meet the filter may be outside of the result.
  package var isWindowed: Bool { limit != nil || offset > 0 }
  private let watched: Watched

  /// Looks up what the request names.
  ///
  /// - Throws: Which part is wrong and why: an unknown name with those that come close, a value of the wrong type, an
  ///   order that cannot be, a negative limit or offset, an unknown time zone.
  package init(_ request: FetchRequest, in model: ResolvedModel) throws(QueryError) {
    guard let entity = model.entity(named: request.entity) else {
      let names = model.entities.filter { !$0.isRetired }.map(\.name)
      throw QueryError(.entity(request.entity, advice: Suggestion.text(for: request.entity, among: names)))
    }
    let resolver = RequestResolver(request: request, finder: RouteFinder(model: model, entity: entity))
    try resolver.checkWindow()
    self.request = request
    self.entity = entity
    filter = try resolver.filter(in: model)
    section = try resolver.section()
    (terms, routes) = try resolver.terms(under: section)
    limit = request.limit
    offset = request.offset
    watched = Watched(filter: filter, routes: routes, shown: try resolver.shown(), entity: model.entities[entity])
  }
}

// What a fetch needs nothing of, and whoever follows the answer does.
extension ResolvedRequest {
  /// What counts as shown.
  package var shown: [Route] { watched.parts.shown }

  /// What makes up a row's state besides its sort values, once each: the routes of the filter, and what is shown.
  package var stateRoutes: [Route] { watched.parts.stateRoutes }

  /// What can change the answer, apart from objects of the entity that come and go.
  package var dependencies: Set<Dependency> { watched.parts.dependencies }
}

/// What a request watches, found out when somebody first asks: most requests are fetched once and never followed.
private final class Watched: Sendable {
  struct Parts {
    let shown: [Route]
    let stateRoutes: [Route]
    let dependencies: Set<Dependency>
  }

  private let filter: ResolvedFilter?
  private let routes: [Route]
  /// Nil for what an entity shows by itself.
  private let shown: [Route]?
  private let entity: ResolvedEntity
  private let found = Locked<Parts?>(nil)

  init(filter: ResolvedFilter?, routes: [Route], shown: [Route]?, entity: ResolvedEntity) {
    self.filter = filter
    self.routes = routes
    self.shown = shown
    self.entity = entity
  }

  var parts: Parts {
    found.withLock { found in
      if let found { return found }
      let parts = find()
      found = parts
      return parts
    }
  }

  private func find() -> Parts {
    let shown = shown ?? entity.shownByDefault
    var seen: Set<Route> = []
    let stateRoutes = ((filter?.routes ?? []) + shown).filter { seen.insert($0).inserted }
    return Parts(
      shown: shown, stateRoutes: stateRoutes, dependencies: Set((routes + stateRoutes).flatMap(\.dependencies)))
  }
}
