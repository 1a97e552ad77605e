import DaybookModel

/// The ranges of an index's keys outside of which no row meets a filter.
///
/// Leading terms that equal a value, or one of a list, become prefixes of keys; the next term may add a range or a
/// string prefix.
///
/// A row's terms are cut to the space in a key, so a bound is cut to the same size: rows whose keys are equal up to
/// there may be on either side of it. Such a range includes them all, and the part of the filter is tested again.
struct IndexMatch {
  enum Narrowing: Sendable { case none, oneSided, narrow }

  private(set) var ranges = IndexMatch.allKeys
  /// The number of leading terms that equal values.
  private(set) var equalCount = 0
  /// The narrowing by the next term.
  private(set) var narrowing = Narrowing.none
  /// The parts of the filter that all rows in the ranges meet.
  private(set) var covered: PartSet = []

  /// The limit on ranges; a larger product of lists is tested row by row.
  private static let maximumRangeCount = 256

  private static let allKeys: [KeyRange] = [.all]

  init(_ index: ResolvedIndex, facts: Facts) {
    // Most indexes of an entity have nothing to do with a filter.
    guard let first = index.terms.first, var fact = facts[first.path] else { return }
    var prefixes: [[UInt8]] = [[]]
    for term in index.terms {
      if equalCount > 0 {
        guard let next = facts[term.path] else { break }
        fact = next
      }
      guard takeEqual(term, fact, &prefixes) else {
        takeRange(term, fact, behind: prefixes)
        break
      }
    }
    ranges = KeyRange.merged(ranges)
  }

  /// Returns the ranges in which the rows with null as their next term come at the other end; `nil` if they are not one run.
  ///
  /// The next term is the one after the equal terms. The rows of one prefix are two ranges, one with null and one with the
  /// values, and these change places: so the rows with null come last where the index has them first, in either direction
  /// of reading.
  func rangesMovingNull(of index: ResolvedIndex) -> [KeyRange]? {
    // A range of several prefixes that touch has more than one run of null.
    guard narrowing == .none, ranges.count == 1, ranges[0] == KeyRange(prefix: ranges[0].lower),
      equalCount < index.terms.count, ranges[0].lower.count < SortKey.maximumTermsSize
    else { return nil }
    // The first byte of a term: the least of a value that ascends, or the only one of null that descends.
    let middle = ranges[0].lower + [index.terms[equalCount].isDescending ? 255 : 1]
    return [KeyRange(lower: middle, upper: ranges[0].upper), KeyRange(lower: ranges[0].lower, upper: middle)]
  }

  /// Extends the prefixes by the values of a term; a range is all keys with one of them.
  ///
  /// - Returns: Whether the values of the term are known, and their number is not too large.
  private mutating func takeEqual(_ term: ResolvedTerm, _ fact: Facts.Fact, _ prefixes: inout [[UInt8]]) -> Bool {
    guard let values = fact.values,
      values.list.count * prefixes.count <= IndexMatch.maximumRangeCount,
      prefixes.allSatisfy({ $0.count < SortKey.maximumTermsSize })
    else { return false }
    var isCut = false
    prefixes = prefixes.flatMap { prefix in
      values.list.map { value in
        var key = prefix
        SortKey.append(value, order: term.order, isDescending: term.isDescending, to: &key)
        return IndexMatch.cut(key, &isCut)
      }
    }
    equalCount += 1
    if !isCut { covered.insert(values.part) }
    ranges = prefixes.map { KeyRange(prefix: $0) }
    return true
  }

  /// Narrows the ranges by the facts about the term after the equal ones.
  private mutating func takeRange(_ term: ResolvedTerm, _ fact: Facts.Fact, behind prefixes: [[UInt8]]) {
    guard prefixes.allSatisfy({ $0.count < SortKey.maximumTermsSize }) else { return }
    var isCut = false
    if let prefix = fact.prefix, term.order == .codepoint {
      ranges = prefixes.map { key in
        var key = key
        SortKey.appendPrefix(prefix.text, isDescending: term.isDescending, to: &key)
        return KeyRange(prefix: IndexMatch.cut(key, &isCut))
      }
      narrowing = .narrow
      if !isCut { covered.insert(prefix.part) }
      return
    }
    guard fact.lower != nil || fact.upper != nil else { return }
    ranges = prefixes.map { IndexMatch.range(behind: $0, term: term, fact: fact, isCut: &isCut) }
    narrowing = fact.lower != nil && fact.upper != nil ? .narrow : .oneSided
    guard !isCut else { return }
    if let lower = fact.lower { covered.insert(lower.part) }
    if let upper = fact.upper { covered.insert(upper.part) }
  }

  private static func range(
    behind prefix: [UInt8], term: ResolvedTerm, fact: Facts.Fact, isCut: inout Bool
  ) -> KeyRange {
    // All values except null, which is in no range.
    var range = KeyRange(prefix: prefix)
    if term.isDescending { range.upper = prefix + [255] } else { range.lower = prefix + [1] }
    func take(_ bound: Facts.Bound, isLower: Bool) {
      var key = prefix
      SortKey.append(bound.value, order: term.order, isDescending: term.isDescending, to: &key)
      var boundIsCut = false
      key = cut(key, &boundIsCut)
      isCut = isCut || boundIsCut
      // In a descending term the greater values come first.
      let includesRun = bound.isInclusive || boundIsCut
      if isLower != term.isDescending {
        if includesRun { range.lower = key } else if let end = KeyRange.successor(of: key) { range.lower = end }
      } else {
        range.upper = includesRun ? KeyRange.successor(of: key) : key
      }
    }
    if let lower = fact.lower { take(lower.bound, isLower: true) }
    if let upper = fact.upper { take(upper.bound, isLower: false) }
    return range
  }

  private static func cut(_ key: [UInt8], _ isCut: inout Bool) -> [UInt8] {
    guard key.count > SortKey.maximumTermsSize else { return key }
    isCut = true
    return Array(key.prefix(SortKey.maximumTermsSize))
  }
}
