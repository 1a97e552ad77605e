import DaybookModel
import DaybookRuntime

/// The changes of a table's rows between two states.
///
/// The indexes of deletes, and `from` of updates, count in the old rows; the indexes of inserts, and `to` of updates, in
/// the new ones. Keys are the order, so no row moves. Deletes come first, by falling index, then inserts by rising index,
/// then updates.
public struct TableDifference<Key: TableKey, Content: AttributeValue>: Sendable {
  /// The changes of rows.
  public let rows: [Change]

  /// The change of a row.
  public enum Change: Sendable {
    /// A row that only the old rows have.
    case delete(TableRow<Key, Content>, from: Int)
    /// A row that only the new rows have.
    case insert(TableRow<Key, Content>, to: Int)
    /// A row with another value.
    case update(TableRow<Key, Content>, old: Content, from: Int, to: Int)
  }

  /// Whether the rows are the same.
  public var isEmpty: Bool { rows.isEmpty }

  init(_ changes: [ProjectionRows.Change], _ request: TableRequest<Key, Content>) throws {
    rows = try changes.map { change in
      switch change {
      case .delete(let row, let from): .delete(try request.row(row), from: from)
      case .insert(let row, let to): .insert(try request.row(row), to: to)
      case .update(let old, let new, let from, let to):
        .update(try request.row(new), old: try request.row(old).value, from: from, to: to)
      }
    }
  }

  /// Returns the new rows.
  ///
  /// - Parameter old: The old rows.
  /// - Throws: `StoreError` with the code `badValue` if an index is not one of these rows.
  /// - Complexity: O(*n* + *k*) for *n* rows and *k* changes.
  public func applied(to old: [TableRow<Key, Content>]) throws -> [TableRow<Key, Content>] {
    var kept: [TableRow<Key, Content>?] = old
    var inserts: [(row: TableRow<Key, Content>, index: Int)] = []
    for change in rows {
      switch change {
      case .delete(_, let from):
        guard kept.indices.contains(from) else { throw mismatch(from) }
        kept[from] = nil
      case .update(let row, _, let from, _):
        guard kept.indices.contains(from) else { throw mismatch(from) }
        kept[from] = row
      case .insert(let row, let to): inserts.append((row, to))
      }
    }
    var new: [TableRow<Key, Content>] = []
    var rest = kept.lazy.compactMap { $0 }.makeIterator()
    for insert in inserts {
      while new.count < insert.index, let row = rest.next() { new.append(row) }
      guard new.count == insert.index else { throw mismatch(insert.index) }
      new.append(insert.row)
    }
    while let row = rest.next() { new.append(row) }
    return new
  }

  private func mismatch(_ index: Int) -> StoreError {
    StoreError(
      .badValue, "The difference has a row at \(index), which the rows do not have.",
      advice: "Apply a difference to the rows that it begins with.")
  }
}

extension TableDifference.Change: Equatable where Key: Equatable, Content: Equatable {}
extension TableDifference: Equatable where Key: Equatable, Content: Equatable {}
