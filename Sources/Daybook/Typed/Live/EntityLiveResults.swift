import DaybookModel

/// The live result of a request, with structs as rows: ``LiveResults`` with types.
///
///     for try await change in recipes.changes { ... }
public typealias EntityLiveResults<Object: Storable> = EntityRows<Object, LiveResults>

/// The result of a request in an editing context, with structs as rows.
///
/// See ``EditingResults``.
public typealias EntityEditingResults<Object: Storable> = EntityRows<Object, EditingResults>

extension EntityRows where Results == LiveResults {
  /// Moves the result to the head.
  ///
  /// - Returns: The change, or `nil` if there is none.
  /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
  @discardableResult
  public func update() throws -> EntityChange<Object>? {
    try results.update().map { EntityChange($0, in: results.store) }
  }

  /// The differences of this result in sequence: each iteration updates the result.
  ///
  /// The loop ends when its task is cancelled, and throws when the store is closed.
  public var changes: Changes<LiveResults.Changes> {
    let store = results.store
    return Changes(changes: results.changes) { EntityChange($0, in: store) }
  }
}

extension EntityRows where Results == EditingResults {
  /// Moves the shown state to the context's present one.
  ///
  /// - Returns: The change, or `nil` if there is none.
  /// - Throws: `StoreError`: `expired`, `closed`, `badRequest` if a later model lacks what the request names.
  @discardableResult
  public func update() throws -> EntityChange<Object>? {
    try results.update().map { EntityChange($0, from: .context(results.context)) }
  }

  /// The differences in sequence: each iteration updates the state shown. Ends when its task is cancelled.
  public var changes: Changes<EditingResults.Changes> {
    let context = results.context
    return Changes(changes: results.changes) { EntityChange($0, from: .context(context)) }
  }
}

extension EntityRows {
  /// A sequence of differences.
  public struct Changes<Untyped: AsyncIteratorProtocol & Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable
  where Untyped.Element == ResultsChange {
    public typealias Element = EntityChange<Object>
    fileprivate var changes: Untyped
    fileprivate let typed: @Sendable (ResultsChange) -> EntityChange<Object>

    public func makeAsyncIterator() -> Changes { self }

    /// Returns the next difference, or `nil` when the task is cancelled.
    ///
    /// - Throws: `StoreError`: `closed`, `badRequest` if a later model lacks what the request names.
    public mutating func next() async throws -> EntityChange<Object>? { try await changes.next().map(typed) }
  }
}

extension Store {
  /// Makes a live result of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - pageSize: The number of rows in a page of the untyped results.
  ///   - isStepwise: Whether each commit that changes the result is reported as a separate difference.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  public func liveResults<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50, everyCommit isStepwise: Bool = false
  ) throws -> EntityLiveResults<Object> {
    let results = try liveResults(of: request.request, pageSize: pageSize, everyCommit: isStepwise)
    return EntityRows(results, prefetching: request.prefetched) { .past(self.at($0)) }
  }
}

extension EditingContext {
  /// Makes a live result of a request that includes the pending edits.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - pageSize: The number of rows in a page of the untyped results.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks; `expired`, `closed`.
  public func results<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50
  ) throws -> EntityEditingResults<Object> {
    EntityRows(try results(of: request.request, pageSize: pageSize), prefetching: request.prefetched) { _ in
      .context(self)
    }
  }
}
