import DaybookDiff
import DaybookModel

/// A request's result that stays current, whose rows are structs: ``LiveResults`` with types.
///
///     let recipes = try store.liveResults(of: Recipe.all.sorted(by: \.name))
///     try recipes.row(at: RowPath(section: 0, row: 7)).name
///     for try await change in recipes.changes { ... }
///
/// Rows are read when they are looked at, so the result may be of any size. For interfaces that are drawn from values,
/// see ``ObservedResults``.
public struct EntityLiveResults<Object: Storable>: Sendable {
  /// The results without types, which have the same rows and move with these.
  public let results: LiveResults
  private let prefetched: [[String]]

  init(_ request: EntityRequest<Object>, in store: Store, pageSize: Int, everyCommit: Bool) throws {
    results = try store.liveResults(of: request.request, pageSize: pageSize, everyCommit: everyCommit)
    prefetched = request.prefetched
  }

  /// The state of the store that is shown.
  public var position: Position { results.position }

  /// The number of rows.
  public var count: Int {
    get throws { try results.count }
  }

  /// The sections in order, with their numbers of rows.
  public var sections: [LiveResults.Section] {
    get throws { try results.sections }
  }

  /// The ids of all rows by section.
  public var ids: SectionedIDs<EntityID<Object>> {
    get throws { try results.ids.mapped { EntityID($0) } }
  }

  /// The row at an index path.
  ///
  /// - Throws: `StoreError`: `notFound` for a path that is not in the result, `badValue`, `expired`, `closed`.
  /// - Complexity: O(log *n*).
  public func row(at path: RowPath) throws -> Stored<Object> {
    try results.read { shown in
      guard let id = try shown.rows.id(at: path), let row = try rows([id], shown).first else {
        throw StoreError(.notFound, "The result has no row \(path).", advice: "Look at its sections and their counts.")
      }
      return row
    }
  }

  /// Where an object is in the result; nil if it is not there.
  public func path(of id: EntityID<Object>) throws -> RowPath? { try results.path(of: id.objectID) }

  /// Rows by their numbers from the start of the result, whatever their sections; fewer at its end.
  ///
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(in numbers: Range<Int>) throws -> [Stored<Object>] {
    try results.read { try rows($0.rows.ids(in: numbers), $0) }
  }

  /// Rows of one section by their numbers there; fewer at its end, and none of a section that is not there.
  ///
  /// - Complexity: O(*m* log *n*) for *m* rows.
  public func rows(inSection section: Int, _ numbers: Range<Int>) throws -> [Stored<Object>] {
    try results.read { try rows($0.rows.ids(inSection: section, numbers), $0) }
  }

  private func rows(_ ids: [ObjectID], _ shown: LiveResults.Shown) throws -> [Stored<Object>] {
    let reader = shown.reader
    let prefetched = try Prefetched(from: ids, along: prefetched, in: reader)
    let source = RowSource(results.store.at(shown.position), prefetched: prefetched)
    return try ids.compactMap { try shown.object($0).map { try Stored($0, source: source) } }
  }
}

extension EntityLiveResults {
  /// Goes to the head.
  ///
  /// - Returns: What changed; nil if nothing did.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  @discardableResult
  public func update() throws -> EntityChange<Object>? {
    try results.update().map { EntityChange($0, in: results.store) }
  }

  /// The differences of this result as they come; each step of the loop moves the result on.
  ///
  /// The loop ends when its task is cancelled, and throws when the store is closed.
  public var changes: Changes { Changes(changes: results.changes, store: results.store) }

  /// See ``EntityLiveResults/changes``.
  public struct Changes: AsyncSequence, AsyncIteratorProtocol, Sendable {
    public typealias Element = EntityChange<Object>
    fileprivate var changes: LiveResults.Changes
    fileprivate let store: Store

    public func makeAsyncIterator() -> Changes { self }

    /// The next difference; nil when the task is cancelled.
    public mutating func next() async throws -> EntityChange<Object>? {
      try await changes.next().map { EntityChange($0, in: store) }
    }
  }
}

extension Store {
  /// A request's result that stays current.
  ///
  /// - Parameters:
  ///   - pageSize: How many rows a page of the untyped results has.
  ///   - isStepwise: Whether each commit that changes the result is a difference of its own.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  public func liveResults<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50, everyCommit isStepwise: Bool = false
  ) throws -> EntityLiveResults<Object> {
    try EntityLiveResults(request, in: self, pageSize: pageSize, everyCommit: isStepwise)
  }
}
