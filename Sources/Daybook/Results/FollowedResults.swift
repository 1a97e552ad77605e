import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The rows that ``LiveResults`` show: of a store, or of an editing context.
///
/// They move by calls, and signal that there may be a change.
protocol FollowedResults: FeedSource, Sendable where Element == ResultsChange {
  /// The position of the store that is shown.
  var position: Position { get }

  /// Calls `body` with the shown rows.
  func withRows<Result>(_ body: (RowView) throws -> Result) throws -> Result

  /// The store or the context that the rows are of.
  var origins: any RowOrigins { get }

  /// Moves on, and returns the change; `nil` if nothing changed.
  func update() throws -> ResultsChange?

  /// Moves to a position, and stays there; `nil` for the present.
  func move(to target: Position?) throws -> ResultsChange?
  var isPinned: Bool { get }

  /// Replaces the request.
  func change(to request: FetchRequest) throws -> ResultsChange

  func freezeOrder(appendingNewRows: Bool) throws
  var isOrderFrozen: Bool { get }
  func thawOrder() throws -> ResultsChange?
}

extension FollowedResults {
  /// The same, as the source of a feed.
  var source: any FeedSource<ResultsChange> { self }

  func poll() throws -> ResultsChange? { try update() }
}

/// The rows that results show, during one read.
struct RowView {
  let rows: VisibleRows
  /// The number of the entity of all rows.
  let entity: Int
  let reader: Reader
  let position: Position
  /// The time of the rows, if they depend on it.
  var time: Timestamp?

  /// Returns the objects with the identities, without the ones that do not exist.
  func objects(_ ids: [ObjectID]) throws -> [StoredObject] {
    var objects: [StoredObject] = []
    objects.reserveCapacity(ids.count)
    for id in ids {
      if let object = try reader.object(ObjectKey(entity: entity, id: id)) { objects.append(object) }
    }
    return objects
  }
}
