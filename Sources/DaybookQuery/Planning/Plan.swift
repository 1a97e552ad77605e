import DaybookModel

/// A plan for answering a request: the source of the rows, the tests, and the order.
///
/// An executor reads the rows of ``access`` in its order, drops the rows that do not meet ``residual``, passes them
/// through a ``RunSorter``, and applies the request's window. Each row of ``access`` is an object of the request's
/// entity, and comes once.
///
/// It is a class, because an executor reads its parts for each row: as a struct, each copy retained all of them.
package final class Plan: Sendable {
  package enum Access: Sendable {
    /// All objects of the entity, by ascending id.
    case objects
    /// The objects of the entity among these, by ascending id, without duplicates.
    case identities([ObjectID])
    /// The object, if any, with these values in the fields of a constraint; none is null.
    case constraint(number: Int, values: [Value])
    /// The objects at the other end of a relationship of another entity, from each source.
    ///
    /// A source need not exist; no object comes from two.
    case links(relationship: RelationshipReference, sources: [ObjectID])
    /// The rows of the entity's index with this number, in these ranges of its keys.
    ///
    /// The ranges do not overlap; backward, the last comes first, each from its end. They ascend and do not touch, except
    /// for two that have changed places, so that the rows with null come at the other end.
    case index(number: Int, ranges: [KeyRange], direction: Direction)
  }

  package enum Direction: Sendable { case forward, backward }

  package var access: Access { candidate.access }
  /// The filter that a row must still meet, or `nil` for none.
  package let residual: ResolvedFilter?
  /// The number of the request's terms by which the rows are sorted.
  ///
  /// Rows that tie in these come in any order. Even with all terms the rows may be unordered: ids may still descend.
  package var orderedTermCount: Int { candidate.order.termCount }
  /// Whether rows come in the request's order, including ids.
  ///
  /// Rows of one cut key and of the empty section are the exceptions.
  package var isOrdered: Bool { candidate.order.isComplete }
  /// Whether rows with a null section value must be sorted among themselves.
  ///
  /// An index has null and the empty string one after the other, and for the request they are one section.
  package var sortsEmptySection: Bool { candidate.order.sortsEmptySection }
  /// Whether reading can end as soon as the window is full.
  package let canStopEarly: Bool
  private let request: ResolvedRequest
  private let model: ResolvedModel
  private let candidate: Candidate

  /// - Parameter parts: The parts of the request's filter, all of which must be met.
  init(
    _ candidate: Candidate, _ parts: [ResolvedFilter.Node], of request: ResolvedRequest, in model: ResolvedModel
  ) {
    (self.request, self.model, self.candidate) = (request, model, candidate)
    var rest =
      candidate.covered.count < parts.count
      ? parts.enumerated().filter { !candidate.covered.contains($0.offset) }.map(\.element) : []
    if candidate.access.hasOthers(than: model.entities[request.entity]) { rest.insert(.kind(request.entity), at: 0) }
    residual = rest.isEmpty ? nil : ResolvedFilter(node: .conjunction(rest))
    // With unsorted rows, the window of a result is known only when all rows are.
    canStopEarly = request.limit != nil && (candidate.order.isComplete || candidate.order.termCount > 0)
  }

  /// Whether the plan of a request that differs in constants alone can be made from this one.
  var isRepeatable: Bool {
    switch access {
    case .objects, .index: true
    case .identities, .constraint, .links: false
    }
  }

  /// Returns the plan for a request that differs in constants alone, or `nil` if its index would be used in another way.
  func repeated(for request: ResolvedRequest) -> Plan? {
    let parts = request.filter?.node.conjuncts ?? []
    var candidate = candidate
    switch access {
    case .objects: break
    case .index(let number, _, let direction):
      let index = model.entities[request.entity].indexes[number]
      let match = IndexMatch(index, facts: Facts(parts))
      guard match.equalCount == candidate.equalCount, match.narrowing == candidate.narrowing,
        match.covered == candidate.covered
      else { return nil }
      guard let ranges = candidate.order.movesNull ? match.rangesMovingNull(of: index) : match.ranges else {
        return nil
      }
      candidate.access = .index(number: number, ranges: ranges, direction: direction)
    case .identities, .constraint, .links: return nil
    }
    return Plan(candidate, parts, of: request, in: model)
  }

  /// The line that `--explain` prints.
  ///
  /// It is formatted only on demand: each fetch creates a plan, and few are shown.
  package var explanation: String {
    PlanText(
      request: request, model: model, facts: Facts(request.filter?.node.conjuncts ?? []), plan: self,
      candidate: candidate
    ).text
  }
}

/// Describes a plan in one line: the source of the rows, the tests, and the sorting.
///
///     view Recipe(type.name, name), equal type.name = "Dessert", prefix name; filter: servings >= 4; in order
///     scan Recipe (all objects); filter: note != nil; sort: name
private struct PlanText {
  let request: ResolvedRequest
  let model: ResolvedModel
  let facts: Facts
  let plan: Plan
  let candidate: Candidate

  private var entity: ResolvedEntity { model.entities[request.entity] }

  var text: String {
    var parts = [access]
    let conditions = (plan.residual?.node.conjuncts ?? []).filter { part in
      if case .kind = part { false } else { true }
    }
    if conditions.count < plan.residual?.node.conjuncts.count ?? 0 { parts.append("only \(entity.name)") }
    if !conditions.isEmpty { parts.append("filter: \(ResolvedFilter(node: .conjunction(conditions)))") }
    parts.append(sorting)
    if plan.canStopEarly { parts.append("ends early") }
    return parts.joined(separator: "; ")
  }

  private var access: String {
    switch plan.access {
    case .objects: return "scan \(entity.name) (all objects)"
    case .identities(let ids): return "get \(entity.name) by id (\(ids.count))"
    case .constraint(let number, _):
      let fields = entity.constraints[number].fields.map { name(of: entity.path(to: $0)) }
      return "unique \(entity.name)(\(fields.joined(separator: ", ")))"
    case .links(let relationship, let sources):
      let owner = model.entities[relationship.entity].name
      return
        "links \(owner).\(model[relationship].name) of \(sources.count == 1 ? "\(sources[0])" : "\(sources.count)")"
    case .index(let number, _, let direction):
      return index(number) + movedNull + (direction == .backward ? ", backward" : "")
    }
  }

  private var movedNull: String {
    guard candidate.order.movesNull, let term = request.terms.first(where: { $0.movesNull && !facts.isFixed($0.path) })
    else { return "" }
    return term.isDescending ? ", nils first" : ", nils last"
  }

  private func index(_ number: Int) -> String {
    let index = entity.indexes[number]
    // The first entity from the root that has the index declares it.
    let owner = entity.lineage.map { model.entities[$0] }.first { number < $0.indexes.count } ?? entity
    let terms = index.terms.map { name(of: $0.path) + ($0.isDescending ? ":desc" : "") }
    // The command prints this text, in which an index was called a view from the beginning.
    var text = "view \(owner.name)(\(terms.joined(separator: ", ")))"
    for term in index.terms.prefix(candidate.equalCount) { text += ", " + equality(of: term) }
    if candidate.narrowing != .none, candidate.equalCount < index.terms.count {
      let term = index.terms[candidate.equalCount]
      let isPrefix = facts[term.path]?.prefix != nil && term.order == .codepoint
      text += (isPrefix ? ", prefix " : ", range ") + name(of: term.path)
    }
    return text
  }

  private func equality(of term: ResolvedTerm) -> String {
    let values = facts[term.path]?.values?.list ?? []
    guard values.count == 1 else { return "equal \(name(of: term.path)) in \(values.count) values" }
    var text = "equal \(name(of: term.path)) = "
    values[0].writeLiteral(to: &text)
    return text
  }

  private var sorting: String {
    let order = candidate.order
    if order.isComplete { return "in order" }
    let terms = request.terms.enumerated().map { sortText(of: $1, at: $0) }
    let all = terms.isEmpty ? "id" : terms.joined(separator: ", ")
    if order.termCount == 0 { return "sort: \(all)" }
    if order.termCount == terms.count { return "in order, sort ties: id" }
    let rest = terms[order.termCount...].joined(separator: ", ")
    return "in order of \(terms[..<order.termCount].joined(separator: ", ")), sort ties: \(rest)"
  }

  private func sortText(of term: ResolvedTerm, at index: Int) -> String {
    var text = name(of: term.path)
    if index == 0, let section = request.section, section.transform != .none {
      text += "." + section.transform.rawValue
    }
    if case .attribute(let number) = term.path.field,
      model.entities[term.path.end].attributes[number].order != term.path.order
    {
      text += ":" + term.path.order.rawValue
    }
    if term.isDescending { text += ":desc" }
    if term.movesNull { text += term.isDescending ? ":nils-first" : ":nils-last" }
    if index == 0, let others = request.section?.movedOthers { text += ":other-" + others.rawValue }
    return text
  }

  private func name(of path: ResolvedPath) -> String {
    var names: [String] = []
    var place = request.entity
    for step in path.steps {
      names.append(model[step.relationship].name)
      place = step.target
    }
    switch path.field {
    case .attribute(let number): names.append(model.entities[place].attributes[number].name)
    case .target(let number): names.append(model.entities[place].relationships[number].name)
    case .id: names.append("id")
    case .createdAt: names.append("createdAt")
    case .changedAt: names.append("changedAt")
    case .entity: names.append("entity")
    case .place(let number, _): names.append("place in \(model.entities[place].relationships[number].name)")
    }
    return names.joined(separator: ".")
  }
}

private extension Plan.Access {
  /// Returns whether it may read objects of other entities of a hierarchy than a request is for.
  func hasOthers(than entity: ResolvedEntity) -> Bool {
    guard entity.lineage.count > 1 else { return false }
    return switch self {
    case .objects, .identities: false
    case .constraint(let number, _): number < entity.inheritedCounts.constraints
    case .links: true
    case .index(let number, _, _): number < entity.inheritedCounts.indexes
    }
  }
}
