import DaybookModel

/// A request's result that stays current, whose rows are structs: ``LiveResults`` with types.
///
///     for try await change in recipes.changes { ... }
public typealias EntityLiveResults<Object: Storable> = EntityRows<Object, LiveResults>

/// A request's result in an editing context, whose rows are structs: ``EditingResults`` with types.
public typealias EntityEditingResults<Object: Storable> = EntityRows<Object, EditingResults>

extension EntityRows where Results == LiveResults {
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
  public var changes: Changes<LiveResults.Changes> {
    let store = results.store
    return Changes(changes: results.changes) { EntityChange($0, in: store) }
  }
}

extension EntityRows where Results == EditingResults {
  /// Shows what the context shows now.
  ///
  /// - Returns: What changed; nil if nothing did.
  /// - Throws: `StoreError`: `expired`, `closed`, `badRequest` if a later model lacks what the request names.
  @discardableResult
  public func update() throws -> EntityChange<Object>? {
    try results.update().map { EntityChange($0, from: .context(results.context)) }
  }

  /// The differences as they come; each step of the loop moves what is shown on. It ends when its task is cancelled.
  public var changes: Changes<EditingResults.Changes> {
    let context = results.context
    return Changes(changes: results.changes) { EntityChange($0, from: .context(context)) }
  }
}

extension EntityRows {
  /// Differences as they come.
  public struct Changes<Untyped: AsyncIteratorProtocol & Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable
  where Untyped.Element == ResultsChange {
    public typealias Element = EntityChange<Object>
    fileprivate var changes: Untyped
    fileprivate let typed: @Sendable (ResultsChange) -> EntityChange<Object>

    public func makeAsyncIterator() -> Changes { self }

    /// The next difference; nil when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
    public mutating func next() async throws -> EntityChange<Object>? { try await changes.next().map(typed) }
  }
}

extension Store {
  /// A request's result that stays current.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - pageSize: How many rows a page of the untyped results has.
  ///   - isStepwise: Whether each commit that changes the result is a difference of its own.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  public func liveResults<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50, everyCommit isStepwise: Bool = false
  ) throws -> EntityLiveResults<Object> {
    let results = try liveResults(of: request.request, pageSize: pageSize, everyCommit: isStepwise)
    return EntityRows(results, prefetching: request.prefetched) { .past(self.at($0)) }
  }
}

extension EditingContext {
  /// A request's result that shows the pending edits, and how they change it.
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - pageSize: How many rows a page of the untyped results has.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `expired`, `closed`.
  public func results<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50
  ) throws -> EntityEditingResults<Object> {
    EntityRows(try results(of: request.request, pageSize: pageSize), prefetching: request.prefetched) { _ in
      .context(self)
    }
  }
}
