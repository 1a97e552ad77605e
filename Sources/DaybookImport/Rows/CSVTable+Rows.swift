#if Import

import DaybookModel

extension CSVTable {
  /// Returns the file as rows of an entity.
  package func rows(of entity: String) -> any TableFile { CSVRowFile(csv: self, entityName: entity) }
}

private struct CSVRowFile: TableFile {
  let csv: CSVTable
  let entityName: String

  var name: String { csv.file ?? "the file" }

  var table: TableEntity {
    let columns = csv.columns.map { column in
      TableColumn(
        name: column.name, attribute: column.attribute, type: column.type, valueCount: column.valueCount,
        place: column.place)
    }
    return TableEntity(name: entityName, columns: columns, rowCount: csv.rowCount)
  }

  func forEachRow(_ body: (TableObject) throws -> Void) throws {
    var rows = try csv.rows()
    while let row = try rows.next() { try body(TableObject(values: row.values, places: row.places)) }
  }
}

#endif
