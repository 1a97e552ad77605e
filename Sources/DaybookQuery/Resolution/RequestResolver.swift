import DaybookModel

/// Resolves the parts of a request.
struct RequestResolver {
  let request: FetchRequest
  let finder: PathFinder

  func checkWindow() throws(QueryError) {
    if let limit = request.limit, limit < 0 {
      throw QueryError("\(limit) is negative; give 0 or more", in: "limit")
    }
    if request.offset < 0 { throw QueryError("\(request.offset) is negative; give 0 or more", in: "offset") }
  }

  func filter(in model: ResolvedModel) throws(QueryError) -> ResolvedFilter? {
    let exact = try exactFilter(in: model)
    guard let filter = request.filter else { return exact }
    let resolved: ResolvedFilter
    do {
      resolved = try ResolvedFilter(filter, entity: finder.entity, in: model, at: request.now)
    } catch {
      throw model.isOfGroups ? QueryError(error, in: QueryError.havingPart) : error
    }
    if case .constant(true) = resolved.node { return exact }
    return exact.map { ResolvedFilter(node: .conjunction([$0.node, resolved.node])) } ?? resolved
  }

  /// Returns the condition that an object is of the request's own entity, if it may be of another one.
  private func exactFilter(in model: ResolvedModel) throws(QueryError) -> ResolvedFilter? {
    let entity = model.entities[finder.entity]
    guard request.isExact, !entity.descendants.isEmpty else { return nil }
    let filter = Filter(.path(ModelNames.entityWord), .equal, .value(.string(entity.name)))
    return try ResolvedFilter(filter, entity: entity.index, in: model)
  }

  func section() throws(QueryError) -> ResolvedSection? {
    // Check even an unused zone, so that a wrong one is reported at once and not on first use.
    let clock = try clock()
    guard let key = request.section else { return nil }
    return try section(key, by: clock, in: "section “\(key)”")
  }

  /// Returns the clock of the request's time zone.
  func clock() throws(QueryError) -> ZoneClock {
    if let clock = ZoneClock(request.timeZone) { return clock }
    let advice = "is not known here; give an identifier such as UTC or Europe/Rome"
    throw QueryError("“\(request.timeZone)” \(advice)", in: "time zone")
  }

  /// Resolves a key that divides objects.
  ///
  /// - Parameter part: The part of the request with the key, for messages.
  func section(_ key: SectionKey, by clock: ZoneClock, in part: String) throws(QueryError) -> ResolvedSection {
    var transform = key.transform
    var path: ResolvedPath
    do {
      path = try self.path(key.path, in: part)
    } catch {
      guard key.path.count > 1, let word = key.path.last, let field = try? finder.path(Array(key.path.dropLast())),
        let complaint = SectionTransform.complaint(about: word, after: field.type)
      else { throw error }
      throw QueryError(complaint, in: part)
    }
    // `owner.year` can be a field as well as a transform; a transform cannot follow a relationship.
    if case .target = path.field, key.path.last != "id", transform != .none {
      path = try self.path(key.path + [transform.rawValue], in: part)
      transform = .none
    }
    try checkOrder(of: path, in: part)
    try check(transform, of: path, in: part)
    if let others = key.others, transform != .initial {
      let advice = "only initials have it; add “.initial” to the path, or leave the word out"
      throw QueryError("“other-\(others.rawValue)” is the place of the section “#”, and \(advice)", in: part)
    }
    return ResolvedSection(key, path: path, transform: transform, clock: clock)
  }

  private func check(_ transform: SectionKey.Transform, of path: ResolvedPath, in part: String) throws(QueryError) {
    if let complaint = transform.complaint(about: path.type) { throw QueryError(complaint, in: part) }
  }

  /// Returns the terms that affect the order.
  ///
  /// It omits terms with the path of an earlier term, and the id as the last term, because the id ends every order. A
  /// term after the id has no effect on the order, but its value is still a sort key of the row.
  func terms(under section: ResolvedSection?) throws(QueryError) -> [ResolvedTerm] {
    var terms: [ResolvedTerm] = []
    if let section { terms.append(section.term) }
    for term in request.sort {
      let path = try self.path(of: term)
      guard !terms.contains(path, except: section) else { continue }
      let movesNull = term.nils?.isMove(ofLeastIn: term.isDescending) ?? false
      terms.append(ResolvedTerm(path: path, isDescending: term.isDescending, movesNull: movesNull))
    }
    if terms.count > (section == nil ? 0 : 1), let last = terms.last, last.path.isOwnID, !last.isDescending {
      terms.removeLast()
    }
    return terms
  }

  private func path(of term: SortTerm) throws(QueryError) -> ResolvedPath {
    if let parent = term.parent { return try place(term.path, of: parent, in: "sort “\(term)”") }
    let path = try self.path(term.path, in: "sort “\(term)”")
    try checkOrder(of: path, in: "sort “\(term)”")
    guard let order = term.order else { return path }
    guard path.type == .string else {
      let message = "only strings have the order \(order.rawValue), and this is \(path.type.nounPhrase)"
      throw QueryError(message, in: "sort “\(term)”")
    }
    if let locale = order.locale, locale.collator == nil {
      throw QueryError("no collation of this program knows the locale “\(locale.identifier)”", in: "sort “\(term)”")
    }
    return path.ordered(by: order)
  }

  /// Returns the path to the place of an object among the targets of a parent.
  private func place(_ names: [String], of parent: ObjectID, in part: @autoclosure () -> String) throws(QueryError)
    -> ResolvedPath
  {
    let entity = finder.model.entities[finder.entity]
    guard names.count == 1, let number = entity.relationship(named: names[0]) else {
      throw QueryError("a place is in a relationship of \(entity.name); name that", in: part())
    }
    let relationship = entity.relationships[number]
    guard finder.model.entities[relationship.target].relationships[relationship.inverse].isOrdered else {
      throw QueryError("the inverse of “\(names[0])” is not ordered, so there are no places in it", in: part())
    }
    return entity.path(to: .place(number, of: parent))
  }

  private func checkOrder(of path: ResolvedPath, in part: @autoclosure () -> String) throws(QueryError) {
    guard !path.isMany else {
      let advice = "name a to-one path, or an attribute that is derived from the relationship"
      throw QueryError("this leads to many values, which have no order; \(advice)", in: part())
    }
    guard path.type.isOrdered else {
      throw QueryError("this is \(path.type.nounPhrase), which has no order", in: part())
    }
  }

  /// Returns the request's shown paths, or `nil` for the entity's default.
  ///
  /// - Parameter others: The names of paths that are shown beside them; paths without a meaning are left out.
  func shown(and others: [[String]] = []) throws(QueryError) -> [ResolvedPath]? {
    guard let shows = request.shows else { return nil }
    var paths: [ResolvedPath] = []
    for names in shows { paths.append(try path(names, in: "shown “\(names.joined(separator: "."))”")) }
    return paths + others.compactMap { try? finder.path($0) }
  }

  /// - Parameter part: The part of the request that has the path, formatted only for an error.
  private func path(_ names: [String], in part: @autoclosure () -> String) throws(QueryError) -> ResolvedPath {
    do {
      return try finder.path(names)
    } catch {
      throw QueryError(error.message, in: part())
    }
  }
}

private extension [ResolvedTerm] {
  /// Returns whether a term has a path, which then determines the order no further.
  ///
  /// The first term counts only if all rows of a section have the same value of its path.
  func contains(_ path: ResolvedPath, except section: ResolvedSection?) -> Bool {
    let isFirstCounted = section?.isExact ?? true
    for number in indices where self[number].path == path && (number > 0 || isFirstCounted) { return true }
    return false
  }
}

private extension ResolvedSection {
  var term: ResolvedTerm {
    ResolvedTerm(path: path, isDescending: isDescending, type: type, order: order, movesNull: movesNull)
  }

  /// Whether all rows of a section have the same value of the section's path.
  var isExact: Bool { transform == .none && path.type != .string }
}
