import DaybookEngine
import DaybookModel
import DaybookRuntime

extension Store {
  /// Returns a log of the commits between two positions, both included, or of those among them that meet a filter.
  ///
  ///     var log = try store.log(reversed: true, limit: 10)
  ///     while let commit = try log.next() { print(commit.position, commit.message ?? "") }
  ///
  ///     let filter = CommitFilter(entity: "Recipe", kind: .deleted, author: "anna")
  ///     var found = try store.log(where: filter, reversed: true, limit: 20)
  ///
  /// Entities, kinds, authors and days are found through an index of the journal, which the store keeps with its writes;
  /// the commits that the index returns are tested for the other conditions. ``explain(_:)`` describes the search, and
  /// ``commits(where:from:)`` follows new commits, too.
  ///
  /// - Parameters:
  ///   - filter: The conditions; `nil` for all commits.
  ///   - first: The first position; 0 and 1 are the beginning.
  ///   - last: The last position; `nil`, or a position beyond the head, is the head at the time of the call.
  ///   - isReversed: Whether the last commit comes first.
  ///   - limit: The most commits to return: the first ones in the requested order.
  ///   - isNarrow: Whether each commit has only the events that meet the filter. Otherwise a commit has all its events,
  ///     or for a filter with an object, the events that name the object.
  /// - Throws: `StoreError`: `notFound` for an entity that no model of the store has had, and for an object that never
  ///   existed; `badRequest` for a condition that no value can meet; `closed`, `damaged`.
  /// - Complexity: Without a filter O(log *n*) before the first commit. With one O(*m* log *n*) for the *m* commits that
  ///   meet the rarest indexed condition. If each indexed condition is met in more than 64 blocks of 64 commits, the
  ///   index is read for them all: O(*n* / 64). Without an indexed condition all commits of the range are read. The first
  ///   search in a store that an earlier version has written makes the index. No commits beyond the limit are read.
  public func log(
    where filter: CommitFilter? = nil, from first: Position = .empty, to last: Position? = nil,
    reversed isReversed: Bool = false, limit: Int? = nil, matchingEventsOnly isNarrow: Bool = false
  ) throws -> CommitLog {
    let head = try self.position
    let query = try filter.map { try CommitQuery($0, in: self) }
    let (first, last) = (max(first, 1), min(last ?? head, head))
    guard let query else {
      guard first <= last else { return CommitLog(self, .none, limit: limit) }
      return CommitLog(self, isReversed ? .range(last, first) : .range(first, last), limit: limit)
    }
    let selection = first <= last ? try query.selection(from: first, through: last, reversed: isReversed) : .none
    return CommitLog(self, selection, limit: limit, query: query, isNarrow: isNarrow)
  }

  /// Returns a log of the commits that named an object, oldest first.
  ///
  /// Each commit has only the events that name the object: as the subject, as the target of a link, or as a target that
  /// was replaced.
  ///
  /// Deleted objects have a history too, and an object that was inserted again continues its history.
  ///
  /// - Parameters:
  ///   - id: The object.
  ///   - first: Commits before this one are omitted.
  ///   - last: Commits after this one are omitted; `nil` for no limit.
  ///   - isReversed: Whether the newest commit comes first.
  ///   - limit: The most commits to return: the first ones in the requested order.
  /// - Throws: `StoreError` with the code `notFound` if there has never been such an object.
  /// - Complexity: O(*k* log *n*) for *k* commits that named the object; reversed, for the *k* commits that are
  ///   returned. No other commits are read. A commit is read whole, so a large one costs what its events cost.
  public func history(
    of id: ObjectID, from first: Position = .empty, to last: Position? = nil, reversed isReversed: Bool = false,
    limit: Int? = nil
  ) throws -> CommitLog {
    try log(where: CommitFilter(object: id), from: first, to: last, reversed: isReversed, limit: limit)
  }

  /// Returns the position that a text represents: a number, `head`, or a time in ISO 8601.
  ///
  /// A time represents the last commit that was not recorded after it.
  ///
  /// - Throws: `StoreError`: `badValue` for any other text, `notFound` for a number beyond the head.
  package func position(at text: String) throws -> Position {
    try read { reader in
      if text == "head" { return reader.position }
      if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
        let position = Position(UInt64(text) ?? .max)
        try reader.requirePosition(position)
        return position
      }
      if let time = Timestamp(text) { return try reader.position(recordedBy: time) }
      throw StoreError(
        .badValue, "“\(text)” is not a position.",
        advice: "Give a number, head, or a time such as \(Timestamp.forms).")
    }
  }

  /// Returns the commits that named an object.
  ///
  /// - Throws: `StoreError` with the code `notFound` if there has never been such an object.
  func selection(
    naming id: ObjectID, from first: Position, through last: Position, reversed isReversed: Bool
  ) throws -> CommitSelection {
    let walks = try walks(of: id, from: first, through: last)
    // The chain of commits leads backward, so the newest ones can be returned before the oldest is found.
    if isReversed, walks.count == 1 { return .walk(walks[0]) }
    let positions = try positions(of: walks)
    return .list((isReversed ? positions : positions.reversed())[...])
  }

  private func walks(of id: ObjectID, from first: Position, through last: Position) throws -> [HistoryWalk] {
    let lasts = try read { try $0.reader.lastPositions(of: id) }
    guard !lasts.isEmpty else {
      if try read({ try $0.derived(having: id) != nil }) {
        throw StoreError(
          .notFound, "The object \(id) is a row of a projection, which no commit names.",
          advice: "Blame it, which finds the commits from which its values follow.")
      }
      throw StoreError(
        .notFound, "There has never been an object \(id).", advice: "Check the id, or fetch the objects.")
    }
    return lasts.map { HistoryWalk(of: id, from: $0, downTo: first, notAfter: last) }
  }

  /// Returns the commits that named an object, newest first.
  private func positions(of walks: [HistoryWalk]) throws -> [Position] {
    var positions: Set<Position> = []
    for walk in walks {
      var walk = walk
      while walk.next != nil {
        try files.withJournal { journal in
          var count = 0
          while count < CommitPages.maximumCount, let position = walk.next {
            try journal.withCommit(at: position) { try walk.advance(over: $0) }
            if walk.includes(position) { positions.insert(position) }
            count += 1
          }
        }
      }
    }
    return positions.sorted(by: >)
  }

  /// Returns the commits that set the present values and links of an object.
  ///
  /// The search reads only the commits that named the object, from the last one backward, and ends as soon as all
  /// values and links are found. A value of a derived object is attributed to the commit at which its projection set it.
  ///
  /// - Throws: `StoreError`: `notFound` if there is no such object, `damaged` for a commit that cannot be read.
  /// - Complexity: O(*k* log *n*) for *k* commits that named the object.
  public func blame(of id: ObjectID) throws -> Blame { try read { try $0.blame(of: id) } }

  /// Returns the commits that named an object; see ``history(of:from:to:reversed:limit:)``.
  ///
  ///     var history = try store.history(of: cake)
  ///     while let commit = try history.next() { print(commit.position, commit.author ?? "unknown") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object never existed.
  public func history<Object>(
    of id: EntityID<Object>, from first: Position = .empty, to last: Position? = nil, reversed isReversed: Bool = false,
    limit: Int? = nil
  ) throws -> CommitLog {
    try history(of: id.objectID, from: first, to: last, reversed: isReversed, limit: limit)
  }

  /// Returns the commit that set each value of an object and each link to one.
  ///
  ///     for line in try store.blame(of: cake).lines { print(line.name, line.author ?? "unknown") }
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object does not exist.
  public func blame<Object>(of id: EntityID<Object>) throws -> Blame { try blame(of: id.objectID) }
}
