import DaybookModel

/// An element of a feed of a projection's table: the rows, or what has changed in them.
public enum TableStep<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The present rows, with which a feed begins that was given none.
  case state(TableRows<Key, Content>)
  /// The change from the last element, or from the rows that the feed was given.
  case change(TableChange<Key, Content>)

  /// The last commit that the projection had applied.
  public var position: Position {
    switch self {
    case .state(let rows): rows.position
    case .change(let change): change.to
    }
  }
}

/// The change of a request for a projection's table between two states of the projection.
public struct TableChange<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The last commit that the projection had applied in the old state.
  public let from: Position
  /// The last commit that it had applied in the new one.
  ///
  /// It equals ``from`` if the rows changed without a commit: an event was retried, or rebuilt rows that differ replaced
  /// the old ones. It is less if the projection was built again and is not at the head yet.
  public let to: Position
  /// What changed.
  public let difference: TableDifference<Key, Content>
}
