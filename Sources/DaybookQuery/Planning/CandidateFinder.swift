import DaybookModel

/// Finds the candidate ways to answer a request.
struct CandidateFinder {
  let request: ResolvedRequest
  let model: ResolvedModel
  /// The parts of the filter, all of which must be met.
  let parts: [ResolvedFilter.Node]
  let facts: Facts

  /// The limit on the objects from which links are followed.
  private static let maximumSourceCount = 256

  private var entity: ResolvedEntity { model.entities[request.entity] }

  /// All objects; no objects if the filter is never met.
  var objects: Candidate {
    let order = OrderMatch(request, facts: facts, terms: [])
    if case .constant(false) = request.filter?.node {
      return Candidate(access: .identities([]), covered: [0], order: order, isDirect: true)
    }
    return Candidate(access: .objects, order: order)
  }

  var identities: [Candidate] {
    guard let values = facts[entity.path(to: .id)]?.values else { return [] }
    let order = OrderMatch(request, facts: facts, terms: [])
    return [
      Candidate(
        access: .identities(CandidateFinder.identities(values.list).sorted()), covered: [values.part], order: order,
        isDirect: true)
    ]
  }

  var constraints: [Candidate] {
    entity.constraints.enumerated().compactMap { number, constraint in
      var values: [Value] = []
      var covered: PartSet = []
      for field in constraint.fields {
        guard let fact = facts[entity.path(to: field)]?.values, fact.list.count == 1,
          !fact.list[0].isNull
        else { return nil }
        values.append(fact.list[0])
        covered.insert(fact.part)
      }
      return Candidate(
        access: .constraint(number: number, values: values), covered: covered,
        order: OrderMatch(request, facts: facts, terms: []), isDirect: true)
    }
  }

  private var movesNull: Bool { request.terms.contains(where: \.movesNull) }

  var indexes: [Candidate] {
    var candidates: [Candidate] = []
    let indexes = entity.indexes
    candidates.reserveCapacity(2 * indexes.count)
    let movesNull = movesNull
    for (number, index) in indexes.enumerated() {
      let match = IndexMatch(index, facts: facts)
      // Few requests move null, and the ranges are made for none of the others.
      let moved = movesNull ? match.rangesMovingNull(of: index) : nil
      func add(_ direction: Plan.Direction) -> Bool {
        let order = OrderMatch(
          request, facts: facts, terms: index.terms, isBackward: direction == .backward,
          movable: moved == nil ? nil : match.equalCount)
        let ranges = order.movesNull ? moved ?? match.ranges : match.ranges
        candidates.append(
          Candidate(
            access: .index(number: number, ranges: ranges, direction: direction), covered: match.covered,
            order: order, equalCount: match.equalCount, narrowing: match.narrowing, termCount: index.terms.count))
        return order.isComplete
      }
      // Backward differs only in the order, which cannot be better.
      if !add(.forward) { _ = add(.backward) }
    }
    return candidates
  }

  static func identities(_ values: [Value]) -> [ObjectID] {
    values.compactMap { if case .uuid(let id) = $0 { id } else { nil } }
  }
}

// Links.
extension CandidateFinder {
  /// The other end of each relationship whose target the filter names.
  var links: [Candidate] {
    parts.enumerated().compactMap { number, part in
      guard case .test(let test) = part, case .path(let path) = test.subject, path.type == .uuid else { return nil }
      if test.quantifier == .any { return manyLinks(path, test.condition, part: number) }
      guard test.quantifier == nil, path.steps.isEmpty, case .target(let relationship) = path.field,
        let values = facts[path]?.values, values.part == number, !values.list.contains(.null)
      else { return nil }
      return candidate(relationship, sources: CandidateFinder.identities(values.list), part: number)
    }
  }

  private func manyLinks(_ path: ResolvedPath, _ condition: ResolvedFilter.Condition, part: Int) -> Candidate? {
    // From several sources an object could come more than once.
    guard path.steps.count == 1, path.field == .id, case .compare(.equal, .value(.uuid(let id)), _) = condition else {
      return nil
    }
    return candidate(path.steps[0].relationship.relationship, sources: [id], part: part)
  }

  private func candidate(_ number: Int, sources: [ObjectID], part: Int) -> Candidate? {
    guard sources.count <= CandidateFinder.maximumSourceCount else { return nil }
    let relationship = entity.relationships[number]
    let inverse = RelationshipReference(entity: relationship.target, relationship: relationship.inverse)
    let comesByID = sources.count <= 1 && !(model[inverse].isMany && model[inverse].isOrdered)
    var order = OrderMatch(request, facts: facts, terms: [])
    if !comesByID { order.forgetIDs(of: request) }
    return Candidate(
      access: .links(relationship: inverse, sources: sources), covered: [part], order: order, equalCount: 1)
  }
}

// The plan.
extension CandidateFinder {
  func plan(_ candidate: Candidate) -> Plan { Plan(candidate, parts, of: request, in: model) }
}
