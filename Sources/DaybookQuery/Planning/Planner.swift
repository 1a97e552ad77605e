import DaybookModel

/// Chooses a plan for answering a request.
///
/// It knows the model and no data, so it ranks by likelihood; the first criterion that distinguishes two candidates
/// decides:
///
/// 1. Objects named by their ids or by a uniqueness constraint come before all others.
/// 2. More leading terms of an index that equal a value; a link to a given object counts as one.
/// 3. A range with two bounds or a string prefix, before other ranges.
/// 4. With a limit: rows in the request's order, which end early, before a range with one bound; without a limit the
///    reverse. Rows sorted by some of the terms come between sorted and unsorted ones.
/// 5. More parts of the filter that need no test; then the index with fewer terms; then the one declared first.
package enum Planner {
  /// - Parameter usesConstraints: Whether the table of unique values may be read. It may not while a commit is being
  ///   built: constraints hold at its end, and until then two objects may have the same unique values.
  package static func plan(
    _ request: ResolvedRequest, in model: ResolvedModel, usesConstraints: Bool = true
  ) -> Plan {
    let parts = request.filter?.node.conjuncts ?? []
    let facts = Facts(parts)
    let finder = CandidateFinder(request: request, model: model, parts: parts, facts: facts)
    var best = finder.objects
    var bestRank = best.rank(request)
    func consider(_ candidates: [Candidate]) {
      for candidate in candidates {
        let rank = candidate.rank(request)
        if rank > bestRank { (best, bestRank) = (candidate, rank) }
      }
    }
    if !facts.isEmpty { consider(finder.identities) }
    if !parts.isEmpty { consider(finder.links) }
    consider(finder.indexes)
    if usesConstraints, !facts.isEmpty { consider(finder.constraints) }
    return finder.plan(best)
  }
}

/// One candidate way to answer a request.
struct Candidate: Sendable {
  var access: Plan.Access
  /// The parts of the filter that all rows meet.
  var covered: PartSet = []
  var order: OrderMatch
  /// Whether it accesses a few named objects.
  var isDirect = false
  var equalCount = 0
  var narrowing = IndexMatch.Narrowing.none
  var termCount = 0

  /// Returns the rank; a greater rank is better, and the first number counts most.
  func rank(_ request: ResolvedRequest) -> Rank {
    let sorted = order.isComplete ? 3 : order.termCount == request.terms.count ? 2 : order.termCount > 0 ? 1 : 0
    let oneSided = narrowing == .oneSided ? 1 : 0
    let hasLimit = request.limit != nil
    return Rank(
      first: (isDirect ? 1 : 0, equalCount, narrowing == .narrow ? 1 : 0, hasLimit ? sorted : oneSided),
      second: (hasLimit ? oneSided : sorted, covered.count, -termCount))
  }

  struct Rank: Comparable {
    let first: (Int, Int, Int, Int)
    let second: (Int, Int, Int)

    static func == (a: Rank, b: Rank) -> Bool { a.first == b.first && a.second == b.second }
    static func < (a: Rank, b: Rank) -> Bool { a.first != b.first ? a.first < b.first : a.second < b.second }
  }
}
