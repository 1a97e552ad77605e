import DaybookModel

extension Store {
  /// Returns the difference of a request's result between two positions; see ``ResultsChange``.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - from: The position of the old result.
  ///   - to: The position of the new result, which may be the earlier one; `nil` for the head.
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the
  ///   model of the later position lacks.
  public func difference<Object>(
    of request: EntityRequest<Object>, from: Position, to: Position? = nil
  ) throws -> EntityChange<Object> {
    EntityChange(try difference(of: request.request, from: from, to: to), in: self)
  }

  /// Returns the live differences of a request, from a position on.
  ///
  ///     for try await change in store.changes(of: Recipe.all.sorted(by: \.name)) { ... }
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - start: The position of the result that the reader has. From position 0, the result is empty, and the first
  ///     difference inserts all rows.
  ///   - granularity: Whether each commit that changes the result is a step of its own.
  public func changes<Object>(
    of request: EntityRequest<Object>, from start: Position = .empty, granularity: ChangeGranularity = .coalesced
  ) -> Feed<EntityChange<Object>> {
    changes(of: request.request, from: start, granularity: granularity).converted { EntityChange($0, in: self) }
  }

  /// Makes a live result of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - pageSize: The number of rows in a page of the untyped results.
  ///   - granularity: Whether each commit that changes the result is a step of its own.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  public func liveResults<Object>(
    of request: EntityRequest<Object>, pageSize: Int = 50, granularity: ChangeGranularity = .coalesced
  ) throws -> EntityLiveResults<Object> {
    let results = try liveResults(of: request.request, pageSize: pageSize, granularity: granularity)
    return EntityRows(results, prefetching: request.prefetched) { .past(self.at($0)) }
  }
}
