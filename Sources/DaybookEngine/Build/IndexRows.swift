import DaybookModel
import LMDB

/// The rows of the indexes that are being built, collected for each index and flushed index by index.
///
/// While the rows of one index are flushed, a second thread sorts the rows of the next one. Rows that do not fit into memory
/// are kept in sorted runs on disk until all rows are there, so that each page of the table is written once.
final class IndexRows {
  /// The rows of each index, by rising tag, which is the order of the rows in the table.
  private let tables: [(tag: Tag, rows: MemoryTable)]
  private let second: HelperThread?
  /// The rows of each index that are on disk.
  private let runs: [SortedRuns]

  /// The memory of the rows that are flushed at once after a merge, in bytes.
  private static let flushSizeInBytes = 8 << 20

  /// - Parameters:
  ///   - isConcurrent: Whether rows are sorted on a second thread.
  ///   - directory: Where rows are kept that do not fit into memory.
  init(of tags: Set<Tag>, isConcurrent: Bool, directory: String) {
    runs = tags.map { _ in SortedRuns(in: directory) }
    tables = tags.sorted().map { ($0, MemoryTable()) }
    for (_, rows) in tables { rows.startCollecting() }
    second = isConcurrent && tables.count > 1 ? HelperThread(name: "daybook sorting") : nil
  }

  /// The memory that the rows take.
  var sizeInBytes: Int { tables.reduce(0) { $0 + $1.rows.sizeInBytes } }

  /// The table to which the rows of an index are added; `nil` for an index that is not built.
  subscript(tag: Tag) -> MemoryTable? { tables.first { $0.tag == tag }?.rows }

  /// Moves the rows to disk.
  ///
  /// - Throws: `LMDBError` if the disk is full or fails.
  func spill() throws {
    try forEachSorted { number, rows in
      try runs[number].append(rows)
      rows.removeAll()
    }
  }

  /// Moves the rows to a layer, index by index, and flushes the layer after each one, and after each part of the rows of an
  /// index that are on disk.
  ///
  /// - Parameter limit: The memory for reading rows from disk, in bytes.
  func flush(through layer: Layer, limitInBytes limit: Int, _ flush: () throws -> Void) throws {
    try forEachSorted { number, rows in
      if runs[number].isEmpty {
        layer.indexes.take(rows)
        try flush()
        return
      }
      try runs[number].append(rows)
      rows.removeAll()
      try runs[number].merge(limitInBytes: limit) { key, value in
        layer.indexes.put(key, value)
        if layer.indexes.sizeInBytes > IndexRows.flushSizeInBytes { try flush() }
      }
      try flush()
    }
  }

  /// Sorts the rows of each index, and calls a closure with them.
  private func forEachSorted(_ body: (_ number: Int, _ rows: MemoryTable) throws -> Void) throws {
    for (number, (_, rows)) in tables.enumerated() {
      // The rows of the first index are sorted here, because nothing else can be done meanwhile.
      if number > 0 { second?.wait() }
      if number + 1 < tables.count { beginSorting(tables[number + 1].rows) }
      rows.sort()
      try body(number, rows)
    }
  }

  private func beginSorting(_ rows: MemoryTable) {
    // This thread uses the table again only after it has waited for the second one.
    nonisolated(unsafe) let rows = rows
    second?.begin { unsafe rows.sort() }
  }
}
