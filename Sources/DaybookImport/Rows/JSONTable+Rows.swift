#if Import

import DaybookModel

extension JSONTable: TableFile {
  package var name: String { file ?? "the file" }

  package var table: TableEntity { entity.table }

  package func forEachRow(_ body: (TableObject) throws -> Void) throws {
    var rows = try rows()
    while let row = try rows.next() { try body(row.object) }
  }
}

private extension JSONEntity {
  var table: TableEntity {
    TableEntity(
      name: name,
      columns: columns.map { column in
        TableColumn(
          name: column.name, attribute: column.attribute, type: column.type, valueCount: column.valueCount,
          note: column.note)
      },
      children: children.map { child in
        TableChild(
          name: child.name, relationship: child.relationship, inverse: child.inverse, isMany: child.isMany,
          entity: child.entity.table)
      }, rowCount: rowCount)
  }
}

private extension JSONTableRow {
  var object: TableObject {
    TableObject(values: values, children: children.map { $0.map(\.object) }, places: [place])
  }
}

#endif
