#if Import

import DaybookModel

/// One object of a JSON file as values, with the objects nested in it.
package struct JSONTableRow: Sendable {
  /// The values, in the order of the entity's columns.
  package let values: [Value]
  /// The nested objects of each child of the entity, in the order of the file.
  package let children: [[JSONTableRow]]
  /// The place of the object of the file, which contains all nested ones.
  package let place: TextPlace
}

/// The objects of a JSON table as values of its columns' types.
package struct JSONTableRows {
  private let table: JSONTable
  private var reader: JSONRecordReader

  init(_ table: JSONTable) throws(ImportError) {
    self.table = table
    reader = JSONRecordReader(try table.open(), limits: table.limits, file: table.file)
  }

  /// Returns the next object with all nested ones, or `nil` at the end.
  ///
  /// - Throws: `ImportError` for a value that does not fit a given type, or if the file is not the one that was read before.
  package mutating func next() throws(ImportError) -> JSONTableRow? {
    guard let record = try reader.next() else {
      guard reader.count == table.entity.rowCount else { throw changed() }
      return nil
    }
    return try row(record.members, of: table.entity, in: record)
  }

  private func row(
    _ members: [(key: String, value: JSONValue)], of entity: JSONEntity, in record: JSONRecord
  ) throws(ImportError) -> JSONTableRow {
    var byKey: [[UInt8]: JSONValue] = [:]
    for (key, value) in members { byKey[Array(key.utf8)] = value }
    var values: [Value] = []
    values.reserveCapacity(entity.columns.count)
    for column in entity.columns {
      let json = byKey.removeValue(forKey: Array(column.name.utf8)) ?? .null
      values.append(try value(json, of: column, entity, in: record))
    }
    var children: [[JSONTableRow]] = []
    for child in entity.children {
      let json = byKey.removeValue(forKey: Array(child.name.utf8)) ?? .null
      var rows: [JSONTableRow] = []
      for object in try objects(json, of: child) { rows.append(try row(object, of: child.entity, in: record)) }
      children.append(rows)
    }
    guard byKey.isEmpty else { throw changed() }
    return JSONTableRow(values: values, children: children, place: record.place)
  }

  private func objects(
    _ json: JSONValue, of child: JSONEntity.Child
  ) throws(ImportError) -> [[(key: String, value: JSONValue)]] {
    if json.isNull { return [] }
    if !child.isMany, let members = json.members { return [members] }
    guard child.isMany, let elements = json.elements else { throw changed() }
    let objects = elements.compactMap(\.members)
    guard objects.count == elements.count else { throw changed() }
    return objects
  }

  /// Returns a value of a column's type.
  ///
  /// A string column takes all values that are not objects or lists, because it can have been made of several kinds.
  private func value(
    _ json: JSONValue, of column: JSONEntity.Column, _ entity: JSONEntity, in record: JSONRecord
  ) throws(ImportError) -> Value {
    switch (column.type, json) {
    case (.string, .boolean), (.string, .integer), (.string, .number), (.string, .literal): return .string(json.text)
    default: break
    }
    do {
      return try Value(json: json, type: column.type)
    } catch {
      let isTop = entity.name == table.entity.name
      throw ImportError(
        .data, "“\(error.value)” of “\(column.name)” is not \(error.type.nounPhrase)", file: table.file,
        at: isTop ? record.place(of: column.name) : record.place,
        advice: "correct the value (\(error.allowed)), or give the field another type")
    }
  }

  private func changed() -> ImportError {
    ImportError(.data, "the file changed while it was read", file: table.file, advice: "import it again")
  }
}

#endif
