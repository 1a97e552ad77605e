import DaybookDiff
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The differences of a request, commit by commit, over a span of the past.
///
///     var replay = try store.replay(of: request, from: 2)
///     while let change = try replay.next() { show(change) }
///
/// The replay starts from the state before the first commit and folds the commits forward onto it, so the time for each
/// commit does not depend on the length of the span. A commit that does not change the result produces no difference; a
/// change of the model that alters what the request reaches produces a reset, after which the result must be read again.
///
/// No transaction is held between two calls. The changes of the span are held in memory.
public struct Replay<Row: ResultRow> {
  private let store: Store
  private let request: Request<Row>
  private let last: Position
  /// The last commit that was processed.
  private var present: Position
  /// The end of the last returned change.
  private var reported: Position
  private var pending: ArraySlice<ResultsChange> = []
  private var walk: RequestGroupWalk?

  /// The number of commits that are processed while a transaction is open.
  private static var pageSize: UInt64 { 256 }

  init(_ store: Store, _ request: Request<Row>, from first: Position, through last: Position) {
    self.store = store
    self.request = request
    self.last = last
    present = Position(max(first.number, 1) - 1)
    reported = present
  }

  /// Returns the next difference, or `nil` at the end.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model of that position lacks.
  public mutating func next() throws -> Change<Difference<Row.ID>>? {
    while pending.isEmpty, present < last { pending = try takePage()[...] }
    guard let change = pending.popFirst() else { return nil }
    defer { reported = change.to }
    return change.reported(from: reported).of(request, in: store)
  }

  private mutating func takePage() throws -> [ResultsChange] {
    // Taken out: a walk that failed is of no use.
    var (present, walk) = (present, self.walk.take())
    let changes = try store.read { reader in
      var changes: [ResultsChange] = []
      try walk?.follow(reader, limitInBytes: .max)
      let end = min(last, Position(present.number + Replay.pageSize))
      while present < end {
        let position = present.next
        // With the first model the group of all objects appears, if the request has no keys.
        if present > .empty, try reader.journal.header(at: position).header.isModel {
          let former = walk?.rows[0].region
          walk = try RequestGroupWalk(position, [request.fetch], of: reader)
          if let former, former != walk?.rows[0].region { changes.append(.reset(from: present, to: position)) }
        } else {
          do {
            if walk == nil { walk = try RequestGroupWalk(present, [request.fetch], of: reader) }
            if let change = try walk?.move(to: position, in: reader)[0], !change.isEmpty { changes.append(change) }
          } catch  where !changes.isEmpty {
            // The changes before are delivered, and the next page meets the error.
            walk = nil
            return changes
          }
        }
        present = position
      }
      return changes
    }
    (self.present, self.walk) = (present, walk)
    return changes
  }
}
