import DaybookModel

/// The columns of a group that was read as an object: its key and its values, with their names and types.
package struct GroupColumns {
  package let key: [NamedValue]
  package let values: [NamedValue]

  /// - Parameter object: A row of a grouped request.
  package init(_ object: StoredObject) {
    let columns = object.values
    key = columns.prefix(object.layout.keyCount).map { column in
      guard column.name.hasPrefix(ResolvedModel.hiddenPrefix) else { return column }
      return NamedValue(name: String(column.name.dropFirst()), type: column.type, value: column.value)
    }
    values = columns.dropFirst(object.layout.keyCount).filter { !$0.name.hasPrefix(ResolvedModel.hiddenPrefix) }
  }
}
