import DaybookModel

/// The terms of a request by which an access path already sorts its rows.
///
/// A term whose path the filter fixes to one value is constant, for the index as for the request, and is skipped on
/// either side. The request's remaining terms must equal the index's, from the first on. The id comes last: an index sorts
/// it ascending among equal keys, so only a forward read of an index without further terms returns ids in the request's
/// order.
struct OrderMatch: Sendable {
  /// The number of the request's terms by which the rows are sorted.
  fileprivate(set) var termCount = 0
  /// Whether the rows are sorted by id, too.
  fileprivate(set) var isComplete = false
  /// Whether null and the empty string, which are one section, come as two runs.
  fileprivate(set) var sortsEmptySection = false
  /// Whether the rows with null in an index's term must come at the other end than the index has them.
  fileprivate(set) var movesNull = false

  /// - Parameters:
  ///   - terms: The terms of the index; empty for rows sorted by id.
  ///   - movable: The index of the term whose rows with null can come at the other end, or `nil` for none. The filter
  ///     fixes all terms before it.
  init(
    _ request: ResolvedRequest, facts: Facts, terms: [ResolvedTerm], isBackward: Bool = false, movable: Int? = nil
  ) {
    var matcher = OrderMatcher(
      request: request, facts: facts, terms: terms, isBackward: isBackward, movable: movable)
    matcher.run()
    self = matcher.match
  }

  private init() {}

  /// A match of no terms.
  fileprivate static let none = OrderMatch()

  /// Records that the rows are not sorted by id.
  mutating func forgetIDs(of request: ResolvedRequest) {
    isComplete = false
    if let own = request.terms.firstIndex(where: \.path.isOwnID) { termCount = min(termCount, own) }
  }
}

/// Finds an ``OrderMatch``.
private struct OrderMatcher {
  var match = OrderMatch.none
  private let request: ResolvedRequest
  private let facts: Facts
  private let terms: [ResolvedTerm]
  private let isBackward: Bool
  private let movable: Int?
  /// The index of the index's next term.
  private var next = 0
  /// Whether a term of the request has matched the movable one, which settles where its rows with null come.
  private var isSettled = false

  init(request: ResolvedRequest, facts: Facts, terms: [ResolvedTerm], isBackward: Bool, movable: Int?) {
    self.request = request
    self.facts = facts
    self.terms = terms
    self.isBackward = isBackward
    self.movable = movable
  }

  mutating func run() {
    while match.termCount < request.terms.count, takeTerm() { match.termCount += 1 }
    guard match.termCount == request.terms.count, !match.isComplete else { return }
    skipFixedTerms()
    match.isComplete = next == terms.count && !isBackward
  }

  /// Returns whether the rows are sorted by the request's next term.
  private mutating func takeTerm() -> Bool {
    let term = request.terms[match.termCount]
    // Terms after the id have no effect.
    if match.isComplete || isConstant(match.termCount) { return true }
    if let section = request.section, match.termCount == 0 { return take(section, term) }
    if term.path.isOwnID { return takeID(isDescending: term.isDescending) }
    guard takeIndexTerm(term) else { return false }
    next += 1
    return true
  }

  private func isConstant(_ index: Int) -> Bool {
    if facts.isFixed(request.terms[index].path) { return true }
    // Within a section its path has one value, except in the empty section, which is sorted separately.
    return index > 0 && match.sortsEmptySection && request.terms[index].path == request.terms[0].path
  }

  private mutating func take(_ section: ResolvedSection, _ term: ResolvedTerm) -> Bool {
    guard !section.hasExplicitOrder else { return false }
    // The empty string is in the section of null, and a filter that excludes null leaves it.
    if section.movesNull, section.type == .string { return false }
    guard takeIndexTerm(term) else { return false }
    switch section.transform {
    case .initial: return false
    // Several values share a section, so the index's term also sorts its rows.
    case .day, .week, .month, .year: return section.clock.isMonotone
    case .none:
      next += 1
      match.sortsEmptySection = section.type == .string
      return true
    }
  }

  private mutating func takeIndexTerm(_ term: ResolvedTerm) -> Bool {
    let path = term.path.canonical
    while next < terms.count {
      if terms[next].path.canonical == path {
        return (terms[next].isDescending != isBackward) == term.isDescending && takeNull(of: term)
      }
      guard facts.isFixed(terms[next].path) else { return false }
      next += 1
    }
    return false
  }

  /// Returns whether the rows with null in the index's next term come where a term of the request has them.
  private mutating func takeNull(of term: ResolvedTerm) -> Bool {
    if facts.excludeNull(term.path) { return true }
    guard next == movable, !isSettled else { return term.movesNull == (next == movable && match.movesNull) }
    isSettled = true
    match.movesNull = term.movesNull
    return true
  }

  private mutating func takeID(isDescending: Bool) -> Bool {
    skipFixedTerms()
    guard next == terms.count, isBackward == isDescending else { return false }
    match.isComplete = true
    return true
  }

  private mutating func skipFixedTerms() {
    while next < terms.count, facts.isFixed(terms[next].path) { next += 1 }
  }
}
