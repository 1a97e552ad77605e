import DaybookModel
import DaybookQuery
import DaybookRuntime

extension Store {
  /// Returns a live feed of the differences of requests, and of the values of measures, from a position on.
  ///
  ///     let results = try store.fetch(request)
  ///     for try await change in store.changes(of: request, from: results.position) { ... }
  ///
  /// Of several, each step leads all to one position, so everything that the caller shows is the state of that position.
  /// Separate feeds show different positions for a moment.
  ///
  ///     for try await (recipes, tags, total) in store.changes(of: Recipe.all, Tag.all, Recipe.all.count(), from: saved) {
  ///       list = try list.applying(recipes.difference)
  ///       cloud = try cloud.applying(tags.difference)
  ///       label = "\(total.value)"
  ///       saved = recipes.to
  ///     }
  ///
  /// A feed keeps only a position. With this position, a consumer resumes exactly where it stopped, after a restart and
  /// in any process. Each step is computed on demand from the commits since then, which are read once for all requests.
  /// A step in which nothing changed is not delivered; ``Feed/AsyncIterator/position`` moves all the same. In a step of
  /// several, a request without a change has an empty one, and a measure has its present value. With a measure, the first
  /// step is delivered at once, also if it leads to the start position itself.
  ///
  /// A slow consumer receives one step for everything that it missed; with `.everyCommit` it receives one for each commit
  /// that changed something, computed sixty-four commits at a time.
  ///
  /// ``Change/isReset`` means that the result must be fetched again: the model changed in what the request reaches, or
  /// the span was too large (``StoreOptions/viewOfPastLimitInBytes``). The step then leads to the head.
  ///
  /// Each loop over the feed reads independently of the others. The feed throws `badRequest` for no query, for more than
  /// 32, and for one that names what the model lacks.
  ///
  /// - Parameters:
  ///   - queries: The requests and measures to follow.
  ///   - start: The position of the results that the caller has; 0 if it has none, so that the first difference inserts
  ///     all rows.
  ///   - granularity: Whether each commit that changes something is a step of its own.
  /// - Complexity: The first difference of a request takes O(*n* log *n*) for *n* rows if the request has no follower yet,
  ///   every other difference O(*k* log *n*) for *k* changed rows; measures as ``values(of:)``.
  public func changes<each Query: LiveQuery>(
    of queries: repeat each Query, from start: Position = .empty, granularity: ChangeGranularity = .coalesced
  ) -> Feed<(repeat (each Query).Step)> {
    changes(of: repeat each queries, from: FeedCursor(start), granularity: granularity)
  }

  /// Returns a live feed of the differences of requests, and of the values of measures, from a saved cursor on.
  ///
  ///     for try await change in store.changes(of: AuthorMonth.all, from: saved) {
  ///       saved = change.cursor
  ///     }
  ///
  /// It begins with a reset if the rows of a projection were replaced since, or the journal has another commit at the
  /// cursor's position.
  public func changes<each Query: LiveQuery>(
    of queries: repeat each Query, from start: FeedCursor, granularity: ChangeGranularity = .coalesced
  ) -> Feed<(repeat (each Query).Step)> {
    let followed = (repeat (each queries)._followed)
    var requests: [JointRequest] = []
    repeat requests.append((each followed).request)
    let followedRequests = requests
    return Feed {
      let values = LastValues(followedRequests.count)
      let results = JointResults(followedRequests, of: self, from: start, granularity: granularity)
      return ConvertedSource(base: results) { step in
        var parts = values.completing(step).makeIterator()
        return (repeat (each followed).step(parts.next() ?? nil, step, self))
      }
    }
  }

  /// Returns the same feed for any number of requests, whose steps hold objects.
  ///
  /// The objects of a step are read where its difference was: on the way through the past, no view of a position is made
  /// for them.
  ///
  /// - Parameter count: The number of the first requests whose changed rows' objects are read. The changes of the others
  ///   that leave all sections as they are, with as many rows, are no steps.
  package func together(
    _ requests: [JointRequest], from start: FeedCursor = .start, granularity: ChangeGranularity = .coalesced,
    showing count: Int? = nil
  ) -> Feed<JointChange> {
    Feed { JointResults(requests, of: self, from: start, granularity: granularity, showing: count) }
  }

  /// Returns several requests that step to one position together, by a call.
  ///
  /// - Throws: `StoreError`: `badRequest` for no requests, for too many, and for a request that names what the model
  ///   lacks; `closed`.
  package func jointResults(
    of requests: [JointRequest], from start: FeedCursor = .start, granularity: ChangeGranularity = .coalesced
  ) throws -> JointResults {
    let results = JointResults(requests, of: self, from: start, granularity: granularity)
    try results.start()
    return results
  }
}

/// The last value of each measure in the steps of one loop.
private final class LastValues: Sendable {
  private let values: Locked<[LiveValue?]>

  init(_ count: Int) { values = Locked(Array(repeating: nil, count: count)) }

  /// Returns the parts of a step, with the last values in place of those that did not change.
  func completing(_ step: JointChange) -> [JointChange.Part?] {
    values.withLock { values in
      step.parts.enumerated().map { index, part in
        if case .value(let value) = part { values[index] = value }
        guard part == nil, let last = values[index] else { return part }
        return .value(LiveValue(position: step.to, value: last.value))
      }
    }
  }
}
