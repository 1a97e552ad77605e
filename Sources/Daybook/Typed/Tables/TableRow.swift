import DaybookModel
import DaybookRuntime

/// A row of a projection's table.
public struct TableRow<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The key, by which the rows are sorted.
  public let key: Key
  /// The value.
  public let value: Content

  /// Makes a row, for example to compare it with one that was read.
  public init(key: Key, value: Content) { (self.key, self.value) = (key, value) }
}

extension TableRow: Equatable where Key: Equatable, Content: Equatable {}
