import DaybookModel

/// A fetch request resolved in a model: the form for planning, evaluation and feeds.
///
/// It is a class, because plans, candidates and executors hold it: as a struct, each copy of one of them retained all
/// its parts.
///
/// Of a grouped request everything here is about its groups, as objects of their own entity; ``grouping`` has what they are
/// made of.
package final class ResolvedRequest: Sendable {
  package let request: FetchRequest
  /// How objects are grouped into the rows, or `nil` if they are the rows themselves.
  package let grouping: ResolvedGrouping?
  /// The number of the entity.
  package let entity: Int
  /// The filter, or `nil` if every object meets it.
  package let filter: ResolvedFilter?
  package let section: ResolvedSection?
  /// The order of the rows before the object's id.
  ///
  /// It contains the section's term, if there is one, and the sort terms, each path once. The type of a section's term
  /// is the type of the section values.
  package let terms: [ResolvedTerm]
  package let limit: Int?
  package let offset: Int
  /// Whether rows that meet the filter may be outside the result.
  package var isWindowed: Bool { limit != nil || offset > 0 }
  /// The moments at which the time changes rows; none if the result does not depend on the time.
  package let turningPoints: [TurningPoint]
  /// Whether the result depends on the time.
  package var readsTime: Bool { !turningPoints.isEmpty }
  private let followed: Followed

  /// Resolves the names in a request.
  ///
  /// - Throws: The wrong part and the reason: an unknown name with similar names, a value of the wrong type, an
  ///   unsupported order, a negative limit or offset, an unknown time zone.
  package convenience init(_ request: FetchRequest, in model: ResolvedModel) throws(QueryError) {
    guard let grouping = request.grouping else {
      try self.init(request, in: model, alsoReading: [])
      return
    }
    let resolved = try ResolvedGrouping(grouping, of: request, in: model)
    try self.init(
      resolved.request(for: request, grouping), in: resolved.model, alsoReading: [], of: resolved, as: request)
  }

  /// - Parameters:
  ///   - others: The names of further paths to values of which a change is an update.
  ///   - grouping: What the rows are made of, if they are groups.
  ///   - original: The request from which `request` was made, if it is about groups.
  init(
    _ request: FetchRequest, in model: ResolvedModel, alsoReading others: [[String]],
    of grouping: ResolvedGrouping? = nil, as original: FetchRequest? = nil
  ) throws(QueryError) {
    guard let entity = model.entity(named: request.entity) else {
      let names = model.entities.filter { !$0.isRetired }.map(\.name)
      throw QueryError("there is no entity “\(request.entity)”\(Suggestion.text(for: request.entity, among: names))")
    }
    let resolver = RequestResolver(request: request, finder: PathFinder(model: model, entity: entity))
    try resolver.checkWindow()
    self.request = original ?? request
    self.grouping = grouping
    self.entity = entity
    filter = try resolver.filter(in: model)
    section = try resolver.section()
    terms = try resolver.terms(under: section)
    limit = request.limit
    offset = request.offset
    // Few filters name the present time, and the others are not searched for it.
    turningPoints =
      grouping?.objects.turningPoints ?? (request.mayReadTime ? filter?.node.turningPoints ?? [] : [])
    followed = Followed(
      filter: filter, shown: try resolver.shown(and: others), showsWholeObjects: request.showsWholeObjects,
      entity: model.entities[entity],
      descendants: request.isExact ? [] : model.entities[entity].descendants.map { model.entities[$0] })
  }

  /// Creates the request that differs from a resolved one in limit, offset and the constants of its filter.
  ///
  /// The filter of neither depends on the time.
  ///
  /// - Parameter filter: The resolved filter, which reads the same paths.
  init(_ request: FetchRequest, like former: ResolvedRequest, filter: ResolvedFilter?) {
    self.request = request
    self.filter = filter
    (grouping, entity, section, terms) = (former.grouping, former.entity, former.section, former.terms)
    (limit, offset) = (request.limit, request.offset)
    followed = former.followed
    turningPoints = []
  }

  /// Creates the request for the objects of a resolved one's entity that meet another filter, in the order of their ids.
  init(_ request: FetchRequest, objectsOf other: ResolvedRequest, filter: ResolvedFilter) {
    (self.request, entity, self.filter) = (request, other.entity, filter)
    grouping = nil
    (section, terms, limit, offset) = (nil, [], nil, 0)
    followed = other.followed
    turningPoints = []
  }
}

extension ResolvedRequest {
  /// The request for the objects on which the rows depend: this one, or the one for the objects of its groups.
  package var objects: ResolvedRequest { grouping?.objects ?? self }
}

// A fetch needs none of these; a feed of the result does.
extension ResolvedRequest {
  /// The paths whose values are shown.
  package var shown: [ResolvedPath] { followed.parts.shown }

  /// The paths of a row's state besides its sort values: the filter's and the shown ones.
  package var statePaths: [ResolvedPath] { followed.parts.statePaths }
}

/// The paths that the rows of a feed depend on.
///
/// They are computed on first use, because most requests have no feed.
private final class Followed: Sendable {
  struct Parts {
    let shown: [ResolvedPath]
    let statePaths: [ResolvedPath]
  }

  private let filter: ResolvedFilter?
  /// The shown paths, or `nil` for the entity's default.
  private let shown: [ResolvedPath]?
  private let showsWholeObjects: Bool
  private let entity: ResolvedEntity
  /// The other entities of which objects may be rows: a row shows the fields of its object's own entity.
  private let descendants: [ResolvedEntity]
  private let found = Locked<Parts?>(nil)

  init(
    filter: ResolvedFilter?, shown: [ResolvedPath]?, showsWholeObjects: Bool, entity: ResolvedEntity,
    descendants: [ResolvedEntity]
  ) {
    self.descendants = descendants
    self.filter = filter
    self.shown = shown
    self.showsWholeObjects = showsWholeObjects
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
    let shown = showsWholeObjects ? (shown ?? []) + wholeObject : shown ?? shownByDefault
    var seen: Set<ResolvedPath> = []
    let statePaths = ((filter?.paths ?? []) + shown).filter { seen.insert($0).inserted }
    return Parts(shown: shown, statePaths: statePaths)
  }

  /// All attributes, including derived ones, and the to-one relationships that the objects' entities own.
  private var shownByDefault: [ResolvedPath] { values + links { $0.isOwner } }

  /// All attributes, including derived ones, all to-one relationships, and the times.
  private var wholeObject: [ResolvedPath] {
    values + links { _ in true } + [entity.path(to: .createdAt), entity.path(to: .changedAt)]
  }

  // A number means the same field in each entity of a hierarchy.
  private var values: [ResolvedPath] {
    entity.attributes.indices.filter { number in
      !entity.attributes[number].isRetired || descendants.contains { !$0.attributes[number].isRetired }
    }.map { entity.path(to: .attribute($0)) }
  }

  /// Returns the paths to the targets of some to-one relationships.
  private func links(_ isWanted: (ResolvedRelationship) -> Bool) -> [ResolvedPath] {
    entity.relationships.indices.filter { number in
      let relationship = entity.relationships[number]
      guard !relationship.isMany, isWanted(relationship) else { return false }
      return !relationship.isRetired || descendants.contains { !$0.relationships[number].isRetired }
    }.map { entity.path(to: .target($0)) }
  }
}
