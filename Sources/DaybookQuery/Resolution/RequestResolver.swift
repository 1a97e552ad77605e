import DaybookModel

/// Resolves the parts of a request.
struct RequestResolver {
  let request: FetchRequest
  let finder: RouteFinder

  func checkWindow() throws(QueryError) {
    if let limit = request.limit, limit < 0 {
      throw QueryError(.part("limit", "\(limit) is negative; give 0 or more"))
    }
    if request.offset < 0 { throw QueryError(.part("offset", "\(request.offset) is negative; give 0 or more")) }
  }

  func filter(in model: ResolvedModel) throws(QueryError) -> ResolvedFilter? {
    guard let filter = request.filter else { return nil }
    do {
      let resolved = try ResolvedFilter(filter, entity: finder.entity, in: model)
      if case .constant(true) = resolved.node { return nil }
      return resolved
    } catch {
      throw QueryError(.filter(error))
    }
  }

  func section() throws(QueryError) -> ResolvedSection? {
    // Check even an unused zone, so that a wrong one is reported at once and not on first use.
    guard let clock = ZoneClock(request.timeZone) else {
      let advice = "is not known here; give an identifier such as UTC or Europe/Rome"
      throw QueryError(.part("time zone", "“\(request.timeZone)” \(advice)"))
    }
    guard let key = request.section else { return nil }
    let part = "section “\(key)”"
    var transform = key.transform
    var route = try route(key.path, in: part)
    // `owner.year` can be a field as well as a transform; a transform cannot follow a relationship.
    if case .target = route.field, key.path.last != "id", transform != .none {
      route = try self.route(key.path + [transform.rawValue], in: part)
      transform = .none
    }
    try checkOrder(of: route, in: part)
    try check(transform, of: route, in: part)
    return ResolvedSection(
      route: route, transform: transform, isDescending: key.isDescending, clock: clock, order: key.order ?? [])
  }

  private func check(_ transform: SectionKey.Transform, of route: Route, in part: String) throws(QueryError) {
    let wanted: AttributeType
    switch transform {
    case .none: return
    case .day, .week, .month, .year: wanted = .date
    case .initial: wanted = .string
    }
    guard route.type != wanted else { return }
    let message = "“\(transform.rawValue)” is made of \(wanted.nounPhrase), and this is \(route.type.nounPhrase)"
    throw QueryError(.part(part, message))
  }

  /// Returns the terms that affect the order.
  ///
  /// It omits terms with the route of an earlier term, and the id as the last term, because the id ends every order. A
  /// term after the id has no effect on the order, but its value is still a sort key of the row.
  func terms(under section: ResolvedSection?) throws(QueryError) -> ([ResolvedTerm], [Route]) {
    var terms: [ResolvedTerm] = []
    var routes: [Route] = []
    var settled: Set<Route> = []
    if let section {
      terms.append(section.term)
      routes.append(section.route)
      if section.isExact { settled.insert(section.route) }
    }
    for term in request.sort {
      let part = "sort “\(term)”"
      let route = try route(of: term, in: part)
      guard settled.insert(route).inserted else { continue }
      terms.append(
        ResolvedTerm(path: route.path, isDescending: term.isDescending, type: route.type, order: route.order))
      routes.append(route)
    }
    let id = Route(start: finder.entity, steps: [], field: .id, type: .uuid, order: .codepoint)
    if routes.count > (section == nil ? 0 : 1), routes.last == id, terms.last?.isDescending == false {
      terms.removeLast()
      routes.removeLast()
    }
    return (terms, routes)
  }

  private func route(of term: SortTerm, in part: String) throws(QueryError) -> Route {
    if let parent = term.parent { return try place(term.path, of: parent, in: part) }
    let route = try route(term.path, in: part)
    try checkOrder(of: route, in: part)
    return route
  }

  /// Returns the route to the place of an object among the targets of a parent.
  private func place(_ path: [String], of parent: ObjectID, in part: String) throws(QueryError) -> Route {
    let entity = finder.model.entities[finder.entity]
    guard path.count == 1, let number = entity.relationship(named: path[0]) else {
      throw QueryError(.part(part, "a place is in a relationship of \(entity.name); name that"))
    }
    let relationship = entity.relationships[number]
    guard finder.model.entities[relationship.target].relationships[relationship.inverse].isOrdered else {
      throw QueryError(.part(part, "the inverse of “\(path[0])” is not ordered, so there are no places in it"))
    }
    return Route(
      start: finder.entity, steps: [], field: .place(number, of: parent), type: .data, order: .codepoint)
  }

  private func checkOrder(of route: Route, in part: String) throws(QueryError) {
    guard !route.isMany else {
      let advice = "name a to-one path, or an attribute that is derived from the relationship"
      throw QueryError(.part(part, "this leads to many values, which have no order; \(advice)"))
    }
    guard route.type.isOrdered else {
      throw QueryError(.part(part, "this is \(route.type.nounPhrase), which has no order"))
    }
  }

  /// Returns the request's shown routes, or `nil` for the entity's default.
  func shown() throws(QueryError) -> [Route]? {
    guard let paths = request.shows else { return nil }
    var routes: [Route] = []
    for path in paths { routes.append(try route(path, in: "shown “\(path.joined(separator: "."))”")) }
    return routes
  }

  private func route(_ path: [String], in part: String) throws(QueryError) -> Route {
    do {
      return try finder.route(path)
    } catch {
      throw QueryError(.part(part, error.message))
    }
  }
}

private extension ResolvedSection {
  var term: ResolvedTerm {
    ResolvedTerm(path: route.path, isDescending: isDescending, type: type, order: order)
  }

  /// Whether all rows of a section have the same value of the section's route.
  var isExact: Bool { transform == .none && route.type != .string }
}
