import DaybookEngine
import DaybookModel
import DaybookRuntime

/// A filter of commits that is prepared for one store: the search in its index, and the test of a commit.
struct CommitQuery {
  let filter: CommitFilter
  private let store: Store
  private let search: CommitSearch
  /// The test of a commit.
  let matcher: CommitMatcher

  /// - Throws: `StoreError`: `notFound` for an entity or a named event that no model has had, and for a cause that does
  ///   not exist; `badRequest` for an invalid condition.
  init(_ filter: CommitFilter, in store: Store) throws {
    self.filter = filter
    self.store = store
    let models = try store.files.withJournal { journal in
      try journal.modelPositions().map { try store.keeper.models.names(at: $0, in: journal) }
    }
    if let name = filter.entity, !models.contains(where: { $0.hasEntity(named: name) }) {
      throw StoreError(
        .notFound, "No model of the store has had an entity “\(name)”.",
        advice: "`daybook model` shows the entities of the present one.")
    }
    if let name = filter.event, !models.contains(where: { $0.eventType(named: name) != nil }) {
      throw StoreError(
        .notFound, "No model of the store has had an event “\(name)”.",
        advice: "`daybook model` shows the events of the present one.")
    }
    let cause = try filter.causation.map { try CommitQuery.find($0, in: store) }
    matcher = try CommitMatcher(filter, models: models, causes: cause?.names)
    search = CommitSearch(filter, models: models, cause: cause?.position)
  }

  /// Returns the position of a commit, and all of its names.
  private static func find(
    _ commit: CommitReference, in store: Store
  ) throws -> (position: Position, names: Set<CommitReference>) {
    try store.files.withJournal { journal in
      guard let position = try journal.position(of: commit), try position > .empty && position <= journal.head() else {
        throw StoreError(
          .notFound, "There is no commit \(commit).", advice: "Give a position up to the head, or an id.")
      }
      let id = try journal.header(at: position).header.commitID
      return (position, Set([.position(position)] + (id.map { [.commitID($0)] } ?? [])))
    }
  }

  /// Returns the commits to test, between two positions.
  func selection(
    from first: Position, through last: Position, reversed isReversed: Bool
  ) throws -> CommitSelection {
    if let object = filter.object {
      return try store.selection(naming: object, from: first, through: last, reversed: isReversed)
    }
    guard !search.groups.isEmpty else { return isReversed ? .range(last, first) : .range(first, last) }
    var (positions, indexed) = try indexedCandidates(from: first, through: last)
    // The commits after the last indexed block are all tested.
    var position = max(first, indexed.next)
    while position <= last {
      positions.append(position)
      position = position.next
    }
    return .list((isReversed ? positions.reversed() : positions)[...])
  }

  /// Returns the commits that may meet the filter, rising, and the last commit that the index covers.
  private func indexedCandidates(
    from first: Position, through last: Position
  ) throws -> (positions: [Position], indexed: Position) {
    do {
      try store.keeper.bringCommitIndexUpToDate()
      let (found, indexed) = try store.keeper.readCommitIndex(from: first, through: last, search.candidates)
      return (found?.clamped(from: first, through: last).positions ?? [], indexed)
    } catch {
      throw StoreError.translating(error)
    }
  }

  func explanation(through head: Position) throws -> String {
    if let object = filter.object { return "commits that named \(object), by their links; each is tested" }
    guard !search.groups.isEmpty, head > .empty else { return "all commits are read; no condition is indexed" }
    let (positions, indexed) = try indexedCandidates(from: 1, through: head)
    let groups = search.groups.map(\.description).joined(separator: ", ")
    let rest = head.number - min(indexed.number, head.number)
    return "index of commits by \(groups): \(positions.count) of \(head); \(rest) not indexed yet; each is tested"
  }
}
