#if Import

import DaybookModel

/// A JSON file of objects: their fields with types, and the objects as rows.
///
///     let table = try JSONTable(path: "recipes.json", entity: "Recipe", nested: true)
///     var rows = try table.rows()
///     while let row = try rows.next() { … }
///
/// The types are detected from all objects: numbers are integers if all are whole and doubles otherwise; strings are dates or
/// UUIDs if all are; nested objects and lists are codable. Different kinds in one field become strings. A missing member is
/// null. With `nested`, fields whose values are all objects, and fields whose values are all lists of objects, are entities
/// of their own, whose objects belong to the containing one.
package struct JSONTable {
  /// The objects of the file.
  package let entity: JSONEntity
  package let file: String?
  let limits: JSONLimits
  let open: @Sendable () throws(ImportError) -> any ImportByteSource

  /// Reads a file once.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity of the file's objects.
  ///   - types: Types of fields, by key or attribute, which win over detection, and over nested entities.
  ///   - declared: The types of a store's attributes by their names, which win over detection too; those without a key
  ///     have no meaning.
  ///   - nested: Whether nested objects are entities.
  /// - Throws: `ImportError` with line and column, as `JSONRecordReader`, and for a value that does not fit a given type.
  /// - Complexity: O(*n*) for *n* bytes; the memory depends on the number of keys and the largest object only.
  package init(
    path: String, entity: String, types: [String: AttributeType] = [:], declared: [String: AttributeType] = [:],
    nested: Bool = false, limits: JSONLimits = JSONLimits()
  ) throws(ImportError) {
    try self.init(entity: entity, types: types, declared: declared, nested: nested, limits: limits, file: path) {
      () throws(ImportError) in try ImportFile(path: path)
    }
  }

  /// Reads a source once; `open` is called again for each reading of the rows.
  package init(
    entity name: String, types: [String: AttributeType] = [:], declared: [String: AttributeType] = [:],
    nested: Bool = false, limits: JSONLimits = JSONLimits(), file: String? = nil,
    open: @escaping @Sendable () throws(ImportError) -> any ImportByteSource
  ) throws(ImportError) {
    self.limits = limits
    self.file = file
    self.open = open
    var reader = JSONRecordReader(try open(), limits: limits, file: file)
    var schema = JSONSchema(isNested: nested)
    var room = limits.fieldCount
    while let record = try reader.next() {
      guard schema.add(record.members, room: &room) else {
        throw ImportError(
          .data, "the objects up to this one have more than \(limits.fieldCount) different keys", file: file,
          at: record.place, advice: nested ? "import nested objects as values" : "make data that is a key a value")
      }
    }
    var entityNames = FieldNames(entitiesOf: [name])
    _ = entityNames.name(for: name)
    var known = declared
    for (name, type) in types {
      known[name] = try AttributeType.given(type, declared: declared[name], name, file: file)
    }
    entity = schema.entity(name, types: known, entityNames: &entityNames).entity
    for name in types.keys.sorted() where !entity.columns.contains(where: { $0.name == name || $0.attribute == name }) {
      let names = schema.keys.map { "“\($0)”" }.joined(separator: ", ")
      throw ImportError(
        .usage, "a type is given for “\(name)”, which no object has", file: file, advice: "the keys are \(names)")
    }
    if !known.isEmpty { try checkRows() }
  }

  /// Reads all rows, for the values that do not fit a given type.
  private func checkRows() throws(ImportError) {
    var rows = try rows()
    while try rows.next() != nil {}
  }

  /// Returns the rows from the first one.
  package func rows() throws(ImportError) -> JSONTableRows { try JSONTableRows(self) }
}

#endif
