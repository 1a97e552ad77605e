import DaybookModel

/// A fetch request whose names were looked up in a model: what is planned, evaluated and followed.
package struct ResolvedRequest: Sendable {
  package let request: FetchRequest
  /// The number of the entity.
  package let entity: Int
  /// Nil if every object meets it.
  package let filter: ResolvedFilter?
  package let section: ResolvedSection?
  /// The order of the rows before the object's id: the section's term, if there is one, and the sort terms that can make
  /// a difference. The type of a section's term is that of the section values.
  package let terms: [ResolvedTerm]
  /// The routes to the values of `terms`, in the same order.
  package let routes: [Route]
  package let limit: Int?
  package let offset: Int
  /// Whether rows that meet the filter may be outside of the result.
  package var isWindowed: Bool { limit != nil || offset > 0 }
  /// What counts as shown.
  package let shown: [Route]
  /// What makes up a row's state besides its sort values, once each: the routes of the filter, and what is shown.
  package let stateRoutes: [Route]
  /// What can change the answer, apart from objects of the entity that come and go.
  package let dependencies: Set<Dependency>

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
    shown = try resolver.shown(in: model)
    var seen: Set<Route> = []
    stateRoutes = ((filter?.routes ?? []) + shown).filter { seen.insert($0).inserted }
    dependencies = Set((routes + stateRoutes).flatMap(\.dependencies))
  }
}
