import DaybookEngine
import DaybookModel

/// A commit that a projection applies, with the store before and after it.
///
/// It is valid only in the call that receives it, and on the thread of this call.
@dynamicMemberLookup
public struct AppliedCommit: ~Copyable {
  /// The position, the times, the author, the message and the reasons of the commit.
  public let summary: CommitSummary
  let run: DerivedRun

  // Never inlined: see ``Transaction``.
  @inline(never)
  init(_ summary: CommitSummary, _ run: DerivedRun) {
    self.summary = summary
    self.run = run
  }

  /// A property of the commit's ``summary``.
  @inlinable
  public subscript<Member>(dynamicMember member: KeyPath<CommitSummary, Member>) -> Member {
    summary[keyPath: member]
  }

  /// The store after the commit.
  ///
  /// - Complexity: Each read costs what it costs at the head, for any commit of the past.
  public var after: StoreReader { StoreReader(run.states.after, at: summary.position, of: run.states) }

  /// The store before the commit; for the first commit, which is of a model, the empty store with that model.
  ///
  /// - Complexity: O(*k* log *n*) for *k* events of the commit, once.
  public var before: StoreReader {
    StoreReader(run.before(), at: Position(max(summary.position.number, 2) - 1), of: run.states)
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
  package func names() throws -> EventNames { try run.names(at: summary.position) }

  /// Returns the names in the model before the commit, which is not the first one.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  package func formerNames() throws -> EventNames { try run.names(at: Position(summary.position.number - 1)) }

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
