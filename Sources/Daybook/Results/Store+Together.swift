import DaybookModel
import DaybookQuery

extension Store {
  /// Returns a live feed of the differences of several requests, which all step to one position.
  ///
  ///     let requests: [JointRequest] = [.rows(of: recipes), .value(.count, of: recipes), .value(.sum("servings"), of: recipes)]
  ///     for try await step in store.together(requests, from: saved) {
  ///       if let change = step.change(of: recipes) { table = try table.applying(change.difference) }
  ///       if let count = step.value(.count, of: recipes) { label = "\(count.value)" }
  ///       saved = step.to
  ///     }
  ///
  /// Separate feeds show different positions for a moment; the requests of one step are all at ``JointChange/to``. A step
  /// is computed by one pair of transactions, and the commits since the last step are read once for all requests.
  ///
  /// A step holds the difference of each result that changed, and the value of each measure that changed. The first step
  /// holds all values, also if it leads to the start position itself. A step without any part is not delivered, and
  /// ``Feed/AsyncIterator/position`` moves all the same.
  ///
  /// A slow consumer receives one step for everything that it missed; with `.everyCommit` it receives one for each commit
  /// that changed a part, computed sixty-four commits at a time. If the model changed in what a request reaches, or the
  /// span was too large (``StoreOptions/viewOfPastLimitInBytes``), the part of this request is a reset, and the step leads
  /// to the head.
  ///
  /// The position is all that a consumer keeps to resume, after a restart and in any process. Each loop over the feed
  /// reads independently of the others.
  ///
  /// The feed throws `badRequest` for no requests, for more than ``JointRequest/maximumCount``, and for a request or a
  /// measure that names what the model lacks.
  ///
  /// - Parameters:
  ///   - requests: The requests to follow, 1 to ``JointRequest/maximumCount``.
  ///   - start: The position of the results that the caller has; 0 if it has none.
  ///   - granularity: Whether each commit that changes a part is a step of its own.
  /// - Complexity: For each request as ``changes(of:from:granularity:)-(FetchRequest,_,_)`` and
  ///   ``values(_:of:)-(Measure,_)``.
  public func together(
    _ requests: [JointRequest], from start: Position = .empty, granularity: ChangeGranularity = .coalesced
  ) -> Feed<JointChange> {
    Feed { JointResults(requests, of: self, from: start, granularity: granularity) }
  }

  /// Returns the feed of ``together(_:from:granularity:)`` for any number of requests, whose steps hold objects.
  ///
  /// The objects of a step are read where its difference was: on the way through the past, no view of a position is made
  /// for them.
  ///
  /// - Parameter count: The number of the first requests whose changed rows' objects are read. The changes of the others
  ///   that leave all sections as they are, with as many rows, are no steps.
  package func together(
    _ requests: [JointRequest], from start: Position, granularity: ChangeGranularity, showing count: Int
  ) -> Feed<JointChange> {
    Feed { JointResults(requests, of: self, from: start, granularity: granularity, showing: count) }
  }

  /// Returns several requests that step to one position together, by a call; see ``together(_:from:granularity:)``.
  ///
  /// - Parameters:
  ///   - requests: The requests to follow, 1 to ``JointRequest/maximumCount``.
  ///   - start: The position of the results that the caller has; 0 if it has none.
  ///   - granularity: Whether each commit that changes a part is a step of its own.
  /// - Throws: `StoreError`: `badRequest` for no requests, for too many, and for a request that names what the model
  ///   lacks; `closed`.
  public func jointResults(
    of requests: [JointRequest], from start: Position = .empty, granularity: ChangeGranularity = .coalesced
  ) throws -> JointResults {
    let results = JointResults(requests, of: self, from: start, granularity: granularity)
    try results.start()
    return results
  }
}
