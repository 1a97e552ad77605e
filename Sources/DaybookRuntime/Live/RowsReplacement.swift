import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// What a followed request shows differently after rebuilt rows of a projection have replaced its rows.
struct RowsReplacement {
  let from: ScopeStamp
  let to: ScopeStamp
  let position: Position
  let difference: Difference<ObjectID>
  /// The spans of the journal that touched the request before, and the last commit up to which they were noted.
  let spans: AffectedRanges
  let seen: Position

  /// Compares the result of a request before and after.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows of both results.
  init(of request: FetchRequest, _ states: ReplacedStates, spans: AffectedRanges, seen: Position) throws {
    (from, to, position) = (states.oldStamp, states.newStamp, states.old.state.position)
    (self.spans, self.seen) = (spans, seen)
    var (old, new) = (try Side(request, states.old.state.reader), try Side(request, states.new.state.reader))
    let (oldIDs, newIDs) = (try old.reader.ids(of: request), try new.reader.ids(of: request))
    let former = Set(oldIDs.sections.lazy.flatMap(\.rows))
    var alterations: [ObjectID: Alteration] = [:]
    for id in newIDs.sections.lazy.flatMap(\.rows) where former.contains(id) {
      if try old.sortValues(of: id) != new.sortValues(of: id) {
        alterations[id] = .keys
      } else if try old.objects(reachedFrom: id) != new.objects(reachedFrom: id) {
        alterations[id] = .values
      }
    }
    difference = try Difference(from: oldIDs, to: newIDs) { alterations[$0] ?? .nothing }
  }

  /// A request in one of the states.
  private struct Side {
    let reader: Reader
    private let request: ResolvedRequest
    private let dependents: RequestDependents
    private var source: ReaderSource

    init(_ request: FetchRequest, _ reader: Reader) throws {
      self.reader = reader
      self.request = try reader.resolve(request)
      dependents = RequestDependents(self.request, in: reader.model)
      source = ReaderSource(reader: reader)
    }

    mutating func sortValues(of id: ObjectID) throws -> [Value] {
      try request.sortValues(of: ObjectKey(entity: request.entity, id: id), in: &source)
    }

    func objects(reachedFrom id: ObjectID) throws -> [StoredObject] {
      try Set(dependents.objects(reachedFrom: id, in: reader)).sorted().compactMap { id in
        try reader.find(id).flatMap { try reader.object($0) }
      }
    }
  }

  /// Returns the change for a consumer that has the rows before the replacement, or `nil` if it lacks changes of them.
  ///
  /// - Parameter start: The position up to which everything was reported to it.
  func change(for stamp: ScopeStamp, to present: ScopeStamp, since start: Position) -> ResultsChange? {
    guard from == stamp, to == present, start <= position,
      start == position || spans.unchanged(since: start, seen: seen) >= position
    else { return nil }
    return ResultsChange(from: position, to: position, difference: difference)
  }
}
