import DaybookEngine
import DaybookModel

/// A commit that a projection applies, with the store before and after it.
///
/// It is valid only in the call that receives it, and on the thread of this call.
public struct AppliedCommit: ~Copyable {
  private let header: CommitHeader
  let run: DerivedRun

  // Never inlined: see ``Transaction``.
  @inline(never)
  init(_ header: CommitHeader, _ run: DerivedRun) {
    self.header = header
    self.run = run
  }

  /// The commit's position.
  public var position: Position { header.position }
  /// The time when the commit happened if it is known, else the time when it was recorded.
  public var time: Timestamp { header.time }
  /// The time when the commit was recorded.
  public var recordedAt: Timestamp { header.recordedAt }
  /// The author, if the commit has one.
  public var author: String? { header.author }
  /// The message, if the commit has one.
  public var message: String? { header.message }
  /// The id that the writer assigned to the commit, if any.
  public var commitID: ObjectID? { header.commitID }
  /// The commit that is named as the cause, if any.
  public var causation: CommitReference? { header.reasons.causation }
  /// The name that all commits of one flow share, if any.
  public var correlation: String? { header.reasons.correlation }
  /// The number of events; 0 for a commit of a model.
  public var eventCount: Int { header.eventCount }
  /// Whether it is the commit of a model, which has no events.
  public var isModel: Bool { header.isModel }

  /// Returns what the application noted about the commit.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the metadata cannot be read.
  /// - Complexity: O(*n*) for *n* bytes: they are decoded by each call.
  public func metadata() throws -> CommitMetadata {
    let bytes = header.reasons.metadata
    do {
      return bytes.isEmpty ? CommitMetadata() : try CommitMetadata(canonicalBytes: bytes)
    } catch {
      throw StoreError(.damaged, "The metadata of commit \(position) are damaged: \(error)", advice: .verifyAndRestore)
    }
  }

  /// The store after the commit.
  ///
  /// - Complexity: Each read costs what it costs at the head, for any commit of the past.
  public var after: StoreReader { StoreReader(run.states.after, at: position, of: run.states) }

  /// The store before the commit; for the first commit, which is of a model, the empty store with that model.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events of the commit, once.
  public var before: StoreReader {
    StoreReader(run.before(), at: Position(max(position.number, 2) - 1), of: run.states)
  }

  /// Whether the commit was applied before, by this or another version of the projection.
  ///
  /// If so, nothing must leave the store for it a second time.
  ///
  /// For each commit that was applied, it is false at most once, however often the projection is rebuilt, even after the
  /// loss of the projections' environment. When a store first registers a projection, all existing commits count as
  /// applied.
  public var isReplaying: Bool { run.effects?.isReplaying ?? true }

  /// Performs an effect outside the store, such as a mail, once the rows are committed.
  ///
  /// The effect is not called while replaying.
  ///
  /// It runs once the rows are committed and the beginning of the effect is recorded on disk, on the thread that did
  /// both. So it happens at most once: if the process ends between the record and the effect, the effect never happens.
  /// For an effect that must happen at least once, use a ``NamedSubscription``.
  public func afterCommit(_ effect: @escaping @Sendable () -> Void) { run.effects?.add(effect) }

  /// The events in their order, with names and values; none for a commit of a model.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  /// - Complexity: O(*k*) for *k* events, which each call decodes.
  public func events() throws -> [Event] { try run.events() }

  /// Returns the numbers of events by the tag of their entity, in rising order; no event is decoded.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  /// - Complexity: O(*k*) for *k* events.
  package func eventCounts() throws -> [(entity: Tag, count: Int)] { try run.eventCounts() }

  /// Returns the names in the model after the commit.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  package func names() throws -> EventNames { try run.names(at: position) }

  /// Returns the names in the model before the commit, which is not the first one.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  package func formerNames() throws -> EventNames { try run.names(at: Position(position.number - 1)) }

  /// The objects of an entity that exist after the commit and not before it, by rising id.
  ///
  /// If the model lacks the entity, or the commit is damaged, the list is empty, and the commit fails when the call has
  /// ended, as if it had thrown the `StoreError` (`notFound`, `damaged`).
  ///
  /// - Complexity: O(*k* log *n*) for *k* events, as for `deleted` and `changed`.
  public func inserted(_ entity: String) -> [ObjectID] { run.netObjects(of: entity, .inserted) }

  /// The objects of an entity that exist before the commit and not after it, by rising id.
  public func deleted(_ entity: String) -> [ObjectID] { run.netObjects(of: entity, .deleted) }

  /// The objects of an entity that exist before and after the commit, and differ in a value or in a link that they own,
  /// by rising id.
  public func changed(_ entity: String) -> [ObjectID] { run.netObjects(of: entity, .changed) }

  /// The named events of a name, in their order.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  public func recorded(_ name: String) throws -> [Event] {
    try events().filter { if case .recorded(name, _) = $0.content { true } else { false } }
  }
}
