import DaybookModel
import LMDB

/// The rows of the indexes that are being built, collected for each index and flushed index by index.
///
/// While the rows of one index are flushed, a second thread sorts the rows of the next one.
final class IndexRows {
  /// The rows of each index, by rising tag, which is the order of the rows in the table.
  private let tables: [(tag: Tag, rows: MemoryTable)]
  private let second: SecondThread?

  /// - Parameter isConcurrent: Whether rows are sorted on a second thread.
  init(of tags: Set<Tag>, isConcurrent: Bool) {
    tables = tags.sorted().map { ($0, MemoryTable()) }
    for (_, rows) in tables { rows.startCollecting() }
    second = isConcurrent && tables.count > 1 ? SecondThread(name: "daybook sorting") : nil
  }

  /// The memory that the rows take.
  var sizeInBytes: Int { tables.reduce(0) { $0 + $1.rows.sizeInBytes } }

  /// The table to which the rows of an index are added; `nil` for an index that is not built.
  subscript(tag: Tag) -> MemoryTable? { tables.first { $0.tag == tag }?.rows }

  /// Moves the rows to a layer, index by index, and flushes the layer after each one.
  func flush(through layer: Layer, _ flush: () throws -> Void) throws {
    for (number, (_, rows)) in tables.enumerated() {
      // The rows of the first index are sorted here, because nothing else can be done meanwhile.
      if number > 0 { second?.wait() }
      if number + 1 < tables.count { beginSorting(tables[number + 1].rows) }
      rows.sort()
      layer.indexes.take(rows)
      try flush()
    }
  }

  private func beginSorting(_ rows: MemoryTable) {
    // This thread uses the table again only after it has waited for the second one.
    nonisolated(unsafe) let rows = rows
    second?.begin { unsafe rows.sort() }
  }
}
