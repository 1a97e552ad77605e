import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// What a followed request is at the head: resolved by the model there, with its rows.
extension LiveRequest {
  /// The request as a model resolves it, with what its rows depend on.
  ///
  /// It is a class, because a copy of its parts for each change would take a part of the change's time.
  final class Resolution {
    let request: ResolvedRequest
    let dependents: RequestDependents
    let model: ResolvedModel
    /// Computes changes from the records of a commit; `nil` if rows depend on more.
    private let ownRecordChanges: OwnRecordChanges?

    /// - Throws: `StoreError` with the code `badRequest` if the request names what the model lacks.
    init(_ request: FetchRequest, in model: ResolvedModel) throws {
      self.request = try ResolvedRequest(checking: request.atAnyTime, in: model)
      self.model = model
      dependents = RequestDependents(self.request, in: model)
      // The time may change other rows than the commit does.
      ownRecordChanges =
        self.request.readsTime ? nil : OwnRecordChanges(self.request, dependents, in: model)
    }

    /// Returns the request at a time.
    func request(at now: Timestamp) throws -> ResolvedRequest {
      try ResolvedRequest(checking: request.request.at(now), in: model)
    }

    /// The parts of the model that the request reaches.
    var region: RequestRegion { RequestRegion(request, in: model) }

    /// Returns what a commit changed in the rows, or in the objects of groups; `nil` if its records do not show it.
    func changes(by commit: CommitChanges) throws -> RowChanges? {
      commit.model === model ? try ownRecordChanges?.changes(by: commit) : nil
    }

    /// Returns what the commits of a range changed in the rows, or in the objects of groups.
    ///
    /// - Parameter former: Returns a reader of the state before the range, if the caller has one.
    /// - Throws: The errors of `former`; `SpanTooLarge`; `StoreError` with the code `damaged`.
    func changes(over range: CommitRange, before former: (() throws -> Reader?)? = nil) throws -> RowChanges {
      if ownRecordChanges != nil, let commit = try range.onlyCommit(), let changes = try changes(by: commit) {
        return changes
      }
      return try range.changes(of: request, dependents, before: former)
    }
  }

  /// The state of the request at the position of a reader.
  package struct Head {
    let resolution: Resolution
    /// The rows at the reader's position. They do not change while they are referenced here.
    package let base: RankBase
    /// The update that moved the rows here, or `nil` if it was here before or was built here.
    let previous: HeadUpdate?
    /// The time of the rows, if the request reads it.
    var timed: TimedRows?

    var dependents: RequestDependents { resolution.dependents }
    /// The time of the rows; `nil` if the request does not read the time.
    package var time: Timestamp? { timed?.time }

    /// Returns what changed over a range of commits that ends here, which may be what moved the rows.
    ///
    /// - Parameters:
    ///   - start: The time of the state before the range, if the request reads the time.
    ///   - former: Returns a reader of the state before the range, if the caller has one.
    /// - Throws: The errors of `former`; `SpanTooLarge`; `StoreError`: `damaged`, and for groups `badValue`.
    func changes(
      over range: CommitRange, since start: Timestamp?, before former: (() throws -> Reader?)? = nil
    ) throws -> NetChanges {
      if let previous, previous.from == range.start, timed == nil || previous.time == start { return previous.changes }
      return try rowChanges(over: range, since: start, before: former).netChanges(base.request, endingAt: base.groups)
    }

    /// Returns what changed that the rows are read from.
    func rowChanges(
      over range: CommitRange, since start: Timestamp?, before former: (() throws -> Reader?)? = nil
    ) throws -> RowChanges {
      guard let timed, let start else { return try resolution.changes(over: range, before: former) }
      return try timed.changes(over: range, since: start, resolution, before: former)
    }

    /// Returns whether the rows are the ones of an earlier time at the same position.
    func isUnchanged(since start: Timestamp?) throws -> Bool {
      guard let timed, let start else { return true }
      return try timed.isUnchanged(since: start)
    }

    /// Returns whether the model changed since a position in what the request reaches.
    func isReset(from start: Position, in reader: borrowing StoreReader) throws -> Bool {
      try reader.isReset(base.request, model: reader.resolvedModel, from: start, to: reader.position)
    }
  }

  /// An update that moved the base to the head.
  struct HeadUpdate {
    let from: Position
    /// The time of the base before it, if the request reads the time.
    var time: Timestamp?
    let changes: NetChanges
  }
}
