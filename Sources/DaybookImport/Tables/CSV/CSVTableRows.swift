#if Import

import DaybookModel

/// The rows of a CSV table as values of its columns' types.
package struct CSVTableRows {
  private let table: CSVTable
  private var records: CSVRecords

  init(_ table: CSVTable) throws(ImportError) {
    self.table = table
    records = CSVRecords(
      CSVReader(try table.open(), format: table.format, limits: table.limits, file: table.file), file: table.file)
    guard try records.header().map(\.name) == table.columns.map(\.name) else { throw CSVTableRows.changed(table) }
  }

  /// Returns the next row, or `nil` at the end.
  ///
  /// - Throws: `ImportError` if the file is not the one that was read before.
  package mutating func next() throws(ImportError) -> TableRow? {
    guard let row = try records.next() else {
      guard records.count == table.rowCount else { throw CSVTableRows.changed(table) }
      return nil
    }
    var values: [Value] = []
    values.reserveCapacity(table.columns.count)
    for (index, column) in table.columns.enumerated() {
      values.append(try CSVTable.value(of: row, index, type: column.type, column.name, file: table.file))
    }
    return TableRow(values: values, places: row.cells.map(\.place))
  }

  private static func changed(_ table: CSVTable) -> ImportError {
    ImportError(.data, "the file changed while it was read", file: table.file, advice: "import it again")
  }
}

#endif
