import DaybookModel

/// An index of an entity with exactly the rows of a request, in the request's order.
///
/// The ranks of the rows can be counted in the index. Its last terms are all terms of the request. The filter fixes each
/// term before these to one value, so the keys of all rows begin with the same bytes: ``prefix``. The section's term, if
/// there are sections, is the first one of the request. Conditions on the
/// request's own terms are only in ``range``, even if they are a prefix or a single value: these bytes are a part of
/// each row's sort key.
package struct IndexCover: Sendable {
  /// The number of the index.
  package let index: Int
  /// The bytes of the index's keys before the request's sort keys, without the index's tag.
  package let prefix: [UInt8]
  /// The keys of the rows; each begins with ``prefix``.
  package let range: KeyRange

  /// Finds the index, or returns `nil` if none has exactly these rows and these terms.
  ///
  /// The result does not show whether keys were cut: in an index with cut keys the order differs from the request's.
  /// Nor does it show whether rows have the empty string as their section: an index has these rows after the rows with
  /// null, and for the request they are one section.
  ///
  /// - Parameter plan: The request's plan, if the caller has it.
  package init?(_ request: ResolvedRequest, plan: Plan? = nil, in model: ResolvedModel) {
    // A section that is made of several values, or has an explicit place, begins the sorted key with other bytes.
    if let section = request.section, section.transform != .none || section.hasExplicitOrder { return nil }
    let plan = plan ?? Planner.plan(request, in: model)
    guard plan.residual == nil, plan.isOrdered, case .index(let number, let ranges, .forward) = plan.access,
      ranges.count == 1
    else { return nil }
    let terms = model.entities[request.entity].indexes[number].terms
    let fixedCount = terms.count - request.terms.count
    let facts = Facts(request.filter?.node.conjuncts ?? [])
    guard fixedCount >= 0,
      zip(terms.dropFirst(fixedCount), request.terms).allSatisfy({ IndexCover.isSame($0, $1, facts) })
    else { return nil }
    var prefix: [UInt8] = []
    for term in terms.prefix(fixedCount) {
      guard let values = facts[term.path]?.values?.list, values.count == 1 else { return nil }
      SortKey.append(values[0], order: term.order, isDescending: term.isDescending, to: &prefix)
    }
    (index, self.prefix, range) = (number, prefix, ranges[0])
  }

  /// Returns whether the keys of all rows have the same bytes for a term of the index and of the request.
  private static func isSame(_ own: ResolvedTerm, _ term: ResolvedTerm, _ facts: Facts) -> Bool {
    own.path.canonical == term.path.canonical && own.isDescending == term.isDescending && own.type == term.type
      && own.order == term.order && (!term.movesNull || facts.excludeNull(term.path))
  }
}
