import DaybookModel
import DaybookQuery

extension Store {
  /// Returns a request for the objects that a relationship of one object leads to.
  ///
  /// See ``StoreReader/childrenRequest(of:_:)``.
  public func childrenRequest(of id: ObjectID, _ relationship: String) throws -> FetchRequest {
    try read { try $0.childrenRequest(of: id, relationship) }
  }

  /// Returns a request's result that stays current.
  ///
  /// - Parameters:
  ///   - request: The request to follow.
  ///   - pageSize: The number of rows of a page; see ``RowReading/page(_:)``.
  ///   - granularity: Whether each commit that changes the result is a step of its own.
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `closed`.
  /// - Complexity: If no equal request is followed yet, O(*n* log *n*) for *n* rows, or O(log *n*) if an index has exactly
  ///   these rows in this order, and then O(*s* log *n*) for *s* sections; else O(1).
  public func liveResults(
    of request: FetchRequest, pageSize: Int = 50, granularity: ChangeGranularity = .coalesced
  ) throws -> LiveResults {
    try LiveResults(request, of: self, pageSize: pageSize, granularity: granularity)
  }

  /// Returns a live feed of a measure over a request's result: the present value and each later one.
  ///
  ///     for try await total in store.values(.sum("servings"), of: request) { show(total.value) }
  ///
  /// Limit and offset apply: the measure covers the rows in the result. The first value is delivered at once. A slow
  /// consumer receives the latest value, not every value in between; a commit that leaves the value unchanged delivers
  /// nothing. Each loop over the feed reads independently of the others.
  ///
  /// A count takes no memory; the other measures hold the value of each row. Counts, and sums
  /// and averages of integers, follow a change of *k* rows in O(*k* log *n*). So do the least and the greatest value, unless
  /// the row that has it loses it: then the held values are searched, in O(*n*). Sums and averages of doubles and decimals
  /// are added again, in O(*n* log *n*).
  ///
  /// The feed throws `badRequest` if the request or the path names what the model lacks.
  public func values(_ measure: Measure, of request: FetchRequest) -> Feed<LiveValue> {
    Feed { JointResults([.value(measure, of: request)], of: self, from: nil, granularity: .coalesced) }
      .converted { $0.onlyValue }
  }

  /// Returns the value of a measure over a request's result at the head.
  ///
  /// - Throws: `StoreError` with the code `badRequest` if the request or the path names what the model lacks.
  public func value(_ measure: Measure, of request: FetchRequest) throws -> LiveValue {
    let results = JointResults([.value(measure, of: request)], of: self, from: nil, granularity: .coalesced)
    guard let step = try results.update() else { preconditionFailure("The first step has all values.") }
    return step.onlyValue
  }
}
