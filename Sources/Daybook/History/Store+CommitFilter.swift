import DaybookEngine
import DaybookModel

extension Store {
  /// Returns a log of the commits that meet a filter.
  ///
  ///     let filter = CommitFilter(entity: "Recipe", kind: .deleted, author: "anna")
  ///     var log = try store.log(where: filter, reversed: true, limit: 20)
  ///     while let commit = try log.next() { print(commit.position) }
  ///
  /// Entities, kinds, authors and days are found through an index of the journal, which the store keeps with its writes;
  /// the commits that the index returns are tested for the other conditions. ``explain(_:)`` describes the search, and
  /// ``commits(where:from:)`` follows new commits, too.
  ///
  /// - Parameters:
  ///   - filter: The conditions.
  ///   - first: The first position; 0 and 1 are the beginning.
  ///   - last: The last position; `nil`, or a position beyond the head, is the head at the time of the call.
  ///   - isReversed: Whether the last commit comes first.
  ///   - limit: The most commits to return: the first ones in the requested order.
  ///   - isNarrow: Whether each commit has only the events that meet the filter. Otherwise a commit has all its events,
  ///     or for a filter with an object, the events that name the object.
  /// - Throws: `StoreError`: `notFound` for an entity that no model of the store has had, and for an object that never
  ///   existed; `badRequest` for a condition that no value can meet; `closed`, `damaged`.
  /// - Complexity: O(*m* log *n*) for the *m* commits that meet the rarest indexed condition. If each indexed condition is
  ///   met in more than 64 blocks of 64 commits, the index is read for them all: O(*n* / 64). Without an indexed
  ///   condition all commits of the range are read. The first search in a store that an earlier version has written makes
  ///   the index.
  public func log(
    where filter: CommitFilter, from first: Position = .empty, to last: Position? = nil,
    reversed isReversed: Bool = false, limit: Int? = nil, matchingEventsOnly isNarrow: Bool = false
  ) throws -> CommitLog {
    let head = try self.position
    let query = try CommitQuery(filter, in: self)
    let (first, last) = (max(first, 1), min(last ?? head, head))
    let selection = first <= last ? try query.selection(from: first, through: last, reversed: isReversed) : .none
    return CommitLog(self, selection, limit: limit, query: query, isNarrow: isNarrow)
  }

  /// Returns a description of the search for the commits that meet a filter: what the index of the journal finds, and
  /// what is tested.
  ///
  /// - Throws: As ``log(where:from:to:reversed:limit:matchingEventsOnly:)``.
  public func explain(_ filter: CommitFilter) throws -> String {
    let query = try CommitQuery(filter, in: self)
    return try query.explanation(through: position)
  }
}
