import DaybookModel
import DaybookQuery
import DaybookRuntime

extension Store {
  /// Returns a live feed of the commits from a position on, or of those that meet a filter.
  ///
  ///     for try await commit in store.commits(from: saved.next) {
  ///       send(commit)
  ///       saved = commit.position
  ///     }
  ///
  /// The feed delivers the commits that are in the journal and then follows it, in order and without a gap. Each loop
  /// over the feed reads independently of the others. With a filter it delivers what
  /// ``log(where:from:to:reversed:limit:matchingEventsOnly:)`` returns, and then each new commit that meets the filter;
  /// the iterator's position moves past the others, too.
  ///
  /// - Parameters:
  ///   - filter: The conditions; `nil` for all commits.
  ///   - first: The first commit to deliver; 0 and 1 are the beginning.
  public func commits(where filter: CommitFilter? = nil, from first: Position) -> Feed<Commit> {
    Feed(of: self, where: filter, from: first)
  }

  /// Returns the difference of a request's result between two positions.
  ///
  ///     let change = try store.difference(of: request, from: 5, to: 7)
  ///
  /// The difference is computed from the commits in between, by the rules of ``Difference``; at 0 every result is
  /// empty. If `to` is before `from`, it is the inverse of the difference from `to` to `from`. If the model changed in
  /// between in what the request reaches, the returned change is a reset.
  ///
  /// - Parameters:
  ///   - request: The request whose results are compared.
  ///   - from: The position of the old result.
  ///   - to: The position of the new result, which may be before `from`; `nil` for the head.
  /// - Throws: `StoreError`: `notFound` for a position beyond the head, `badRequest` if the request names what the
  ///   model of the later position lacks.
  /// - Complexity: O(*n* log *n* + *k* log *n*) for *n* rows and *k* events between the positions, and between the
  ///   later position and the nearest snapshot or the head.
  public func difference<Row: ResultRow>(
    of request: Request<Row>, from: Position, to: Position? = nil
  ) throws -> Change<Difference<Row.ID>> {
    try read {
      try $0.difference(of: request, from: from, to: to ?? $0.reading([request.fetch.entity]) { $0.position })
    }
  }

  /// Returns a consumer of the journal whose position is kept in the store.
  ///
  /// The store contains the subscription from its first acknowledgement on.
  ///
  /// - Throws: `StoreError` with the code `badValue` for a name that is empty or too long.
  public func subscription(_ name: String) throws -> NamedSubscription {
    try NamedSubscription(name, of: self)
  }

  /// Returns the names of all subscriptions with their last acknowledged commits.
  ///
  /// - Throws: `StoreError`.
  public func subscriptions() throws -> [(name: String, position: Position)] {
    try files.withJournal { try $0.subscriptions() }
  }
}
