import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// The state from which rows read related objects that were not prefetched.
protocol RowOrigin: Sendable {
  /// Returns the targets of a relationship, in their order if they have one, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID]

  /// Returns the objects at the end of several relationships, each followed from all targets of the previous one.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject]

  /// Returns objects by their ids; skips missing ids.
  func objects(_ ids: [ObjectID]) throws -> [StoredObject]

  /// Returns the rows of a request that are groups.
  func groups(of request: FetchRequest) throws -> [StoredObject]
}

/// A store or a context, from which rows of a position read related objects.
protocol RowOrigins: ChangeSource {
  /// Returns the state of a position.
  func origin(at position: Position) -> any RowOrigin
}

/// The source from which the rows of one result read related objects.
///
/// These are the prefetched objects, else the store at the result's position, or the rows' editing context. It keeps
/// the store open until the last of its rows is released.
final class RowSource: Sendable {
  private let origin: (any RowOrigin)?
  private let prefetched: Prefetched

  /// - Parameter origin: The state; `nil` in a write, and for rows of unknown origin.
  init(_ origin: (any RowOrigin)?, prefetched: Prefetched = Prefetched()) {
    self.origin = origin
    self.prefetched = prefetched
  }

  /// Returns the row of an object.
  func row<Row: ResultRow>(_ object: StoredObject) throws -> Row {
    var row = ObjectRow(object, source: self)
    return try Row(_row: &row)
  }

  /// Returns the targets of a relationship, in their order if they have one, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try prefetched.targets[LinkName(id, relationship)] ?? readable().targets(of: id, relationship)
  }

  /// Returns the objects at the end of several relationships.
  ///
  /// Each relationship is followed from all targets of the previous one.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    try prefetched.related(to: id, names) ?? readable().related(to: id, names)
  }

  func objects(_ ids: [ObjectID]) throws -> [StoredObject] { try readable().objects(ids) }

  /// - Throws: `StoreError` with the code `badRequest` if there is no state to read.
  private func readable() throws -> any RowOrigin {
    if let origin { return origin }
    throw StoreError(
      .badRequest, "A value that was read inside a write cannot read related objects by itself.",
      advice: "Ask the transaction for the targets, or prefetch them.")
  }
}
