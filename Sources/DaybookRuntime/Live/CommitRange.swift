import DaybookEngine
import DaybookModel
import DaybookQuery

/// The commits from a position to the head, as the requests of a group read them, each part once: the changes, and the
/// state before them.
///
/// It is valid only while the reader's transaction is.
package final class CommitRange {
  /// The position of the state before the commits.
  package let start: Position
  /// The limit on the memory of the state before the commits, in bytes.
  package let limitInBytes: Int
  private let present: State
  private let journal: LMDBJournal
  private let keeper: ProjectionKeeper
  private let isShared: Bool
  private var spanChanges = Part<SpanChanges?>.unread
  private var former = Part<Reader?>.unread

  private enum Part<Content> {
    case unread
    case read(Content)
    /// The layers that lead to the state would exceed their limit.
    case tooLarge(SpanTooLarge)
  }

  /// - Parameters:
  ///   - reader: Reads the state after the commits.
  ///   - store: The reader's store, whose limit on views of the past holds for the state before the commits.
  ///   - isShared: Whether several requests read the range, so that its changes are worth their memory.
  package init(
    from start: Position, to reader: borrowing StoreReader, of keeper: ProjectionKeeper, isShared: Bool = false
  ) {
    self.start = start
    self.keeper = keeper
    self.isShared = isShared
    limitInBytes = keeper.files.options.viewOfPastLimitInBytes
    present = reader.present
    journal = reader.journal
  }

  /// Returns what the only commit of the range changed, as all requests of the store share it; `nil` for several commits,
  /// and for a large one.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  func onlyCommit() throws -> CommitChanges? {
    guard start.next == present.position else { return nil }
    return try keeper.commitDelta(before: present.reader, at: present.position, in: journal)?.changes
  }

  /// Returns what the commits changed in the rows of a request, or in the objects of its groups.
  ///
  /// - Parameter former: Returns a reader of the state before the commits, if the caller has one.
  /// - Throws: The errors of `former`; `SpanTooLarge`; `StoreError` with the code `damaged`.
  package func changes(
    of request: ResolvedRequest, _ dependents: RequestDependents, before former: (() throws -> Reader?)? = nil
  ) throws -> RowChanges {
    let former = former ?? formerReader
    // Too many changes to be held are read once for each request.
    if isShared, let changes = try sharedChanges() {
      return try RowChanges(request, dependents, of: changes, new: present.reader, old: former)
    }
    return try RowChanges(
      request, dependents, from: start.next, through: present.position, in: journal, new: present.reader,
      limitInBytes: limitInBytes, old: former)
  }

  /// Returns the rows of a request that the commits may have changed, with the commits that touched them.
  func candidates(_ dependents: RequestDependents) throws -> [ObjectID: [Position]] {
    guard start < present.position else { return [:] }
    if isShared, let changes = try sharedChanges() { return try changes.candidates(dependents, in: present.reader) }
    var collector = CandidateCollector(dependents, reader: present.reader)
    try journal.forEachCommit(from: start.next, through: present.position) { commit in
      try collector.take(commit)
      return true
    }
    return collector.candidates
  }

  /// Returns what the commits, and the time, changed in the rows of a request that reads the time.
  ///
  /// - Parameters:
  ///   - earlier: The request at the time of the state before the commits.
  ///   - later: The request at the time of the state after them.
  ///   - candidates: See ``candidates(_:)``.
  ///   - turned: The rows that may turn between the two times, if the caller knows them.
  ///   - former: Returns a reader of the state before the commits, if the caller has one.
  func changes(
    from earlier: ResolvedRequest, to later: ResolvedRequest, _ candidates: [ObjectID: [Position]],
    turned: [ObjectID]?, before former: (() throws -> Reader?)? = nil
  ) throws -> RowChanges {
    try RowChanges(
      from: earlier, to: later, candidates, after: start, new: present.reader, turned: turned,
      old: former ?? formerReader)
  }

  /// Reads the moments of objects again after the commits.
  func update(_ rows: inout TurningRows, _ ids: some Sequence<ObjectID>, of request: ResolvedRequest) throws {
    try rows.update(ids, of: request, in: present.reader)
  }

  private func sharedChanges() throws -> SpanChanges? {
    if case .read(let changes) = spanChanges { return changes }
    let read = try SpanChanges(
      from: start.next, through: present.position, in: journal, model: present.reader.model)
    spanChanges = .read(read)
    return read
  }

  /// Returns a reader of the state before the commits; `nil` for the empty state before the model.
  ///
  /// - Throws: `SpanTooLarge`.
  func formerReader() throws -> Reader? {
    switch former {
    case .read(let reader): return reader
    case .tooLarge(let error): throw error
    case .unread: break
    }
    do {
      let reader =
        start == .empty
        ? nil
        : try present.rewound(to: start, in: journal, parts: .derived, limitInBytes: limitInBytes).reader
      former = .read(reader)
      return reader
    } catch let error as SpanTooLarge {
      former = .tooLarge(error)
      throw error
    }
  }
}
