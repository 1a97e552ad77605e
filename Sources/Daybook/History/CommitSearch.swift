import DaybookEngine
import DaybookModel
import DaybookQuery

/// The part of a ``CommitFilter`` that the index of the journal can answer.
///
/// Each group is a condition that holds for the commits with any of its terms. The commits that the index returns are
/// then tested one by one, so a group may hold for more commits than the condition does.
struct CommitSearch {
  /// A condition that the index can answer.
  struct Group {
    /// The condition in words.
    let description: String
    fileprivate let source: Source
  }

  fileprivate enum Source {
    case terms([CommitTerm])
    case authors(TextPart)
    case days(ClosedRange<Int64>)
  }

  let groups: [Group]

  /// The most rows of the index that are read for one group, unless each group has more.
  static let rowLimit = 64

  /// - Parameters:
  ///   - models: The names in each model that the store had, because events are named by the model of their commit.
  ///   - cause: The position of the commit that the filter asks for as the cause.
  init(_ filter: CommitFilter, models: [EventNames], cause: Position?) {
    var groups: [Group] = []
    if let terms = CommitSearch.eventTerms(filter, models) {
      groups.append(Group(description: CommitSearch.describe(filter), source: .terms(terms)))
    }
    if let name = filter.event {
      let types = Set(models.compactMap { $0.eventType(named: name) }).sorted()
      groups.append(Group(description: "event \(name)", source: .terms(types.map { .recorded($0) })))
    }
    if let cause { groups.append(Group(description: "cause \(cause)", source: .terms([.causedBy(cause)]))) }
    if let correlation = filter.correlation {
      groups.append(Group(description: "correlation", source: .terms([.correlation(correlation)])))
    }
    if let author = filter.author {
      let part = TextPart(author, ignoresCase: filter.ignoresCase)
      groups.append(Group(description: "author \(author)", source: .authors(part)))
    }
    if filter.since != nil || filter.until != nil {
      let first = filter.since.map { CommitSearch.day($0) } ?? .min
      let last = filter.until.map { CommitSearch.day($0) } ?? .max
      groups.append(Group(description: "day", source: .days(first...max(first, last))))
    }
    self.groups = groups
  }

  private static func day(_ time: Timestamp) -> Int64 {
    guard case .day(let day) = CommitTerm.day(of: time) else { preconditionFailure("A time has a day.") }
    return day
  }

  private static func describe(_ filter: CommitFilter) -> String {
    let kind = filter.isModel ? "model" : filter.kind?.rawValue
    return [filter.entity.map { "entity \($0)" }, kind.map { "kind \($0)" }].compactMap { $0 }
      .joined(separator: " and ")
  }

  /// Returns the terms of the events that a filter asks for, or `nil` if it asks for all.
  private static func eventTerms(_ filter: CommitFilter, _ models: [EventNames]) -> [CommitTerm]? {
    if filter.isModel { return [.model] }
    guard filter.entity != nil || filter.kind != nil else { return nil }
    let kinds = EventKind.allCases.filter { filter.kind == nil || filter.kind == $0.decoded }
    var tags: Set<Tag> = []
    for names in models {
      if let entity = filter.entity {
        // A model that lacks the name has no such events.
        if let number = try? names.entity(entity).number { tags.formUnion(names.tags(ofMembersOf: number)) }
      } else {
        tags.formUnion(names.model.entities.map(\.tag))
      }
    }
    return tags.sorted().flatMap { tag in kinds.map { .event(tag, $0) } }
  }

  /// Returns the commits of the indexed blocks that may meet the filter.
  ///
  /// A condition that holds for few commits is decisive: the others are then left to the test of the commits, unless they
  /// hold for few, too.
  ///
  /// - Complexity: O(*m* log *n*) for the *m* commits of the rarest condition; if none is rare, O(*n* / 64).
  func candidates(_ reader: CommitIndexReader) throws -> CommitPostings {
    var found = try groups.compactMap { try $0.source.postings(reader, atMost: CommitSearch.rowLimit) }
    if found.isEmpty { found = try groups.compactMap { try $0.source.postings(reader, atMost: .max) } }
    guard let first = found.first else { return CommitPostings() }
    return found.dropFirst().reduce(first) { $0.intersection($1) }
  }
}

private extension CommitSearch.Source {
  func postings(_ reader: CommitIndexReader, atMost limit: Int) throws -> CommitPostings? {
    switch self {
    case .terms(let terms):
      var sets: [CommitPostings] = []
      for term in terms {
        guard let set = try reader.postings(of: term, atMost: limit) else { return nil }
        sets.append(set)
      }
      return CommitPostings.union(sets)
    case .authors(let part):
      var sets: [CommitPostings] = []
      var isComplete = true
      try reader.forEachAuthor { author, term in
        guard try author.map(part.isFound) ?? true else { return true }
        if let set = try reader.postings(under: term, atMost: limit) { sets.append(set) } else { isComplete = false }
        return isComplete
      }
      return isComplete ? CommitPostings.union(sets) : nil
    case .days(let days): return try reader.postings(ofDays: days, atMost: limit)
    }
  }
}
