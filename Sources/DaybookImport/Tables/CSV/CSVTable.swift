#if Import

import DaybookModel

/// A CSV file with a header: its columns with their types, and its rows.
///
///     let table = try CSVTable(path: "people.csv", types: ["zip": .string])
///     var rows = try table.rows()
///     while let row = try rows.next() { … }
///
/// The types of columns without a given type are detected from all cells: integer (without plus and leading zeros), double,
/// boolean (`true` and `false`), date, UUID, or else string. So a number with leading zeros stays text. An empty cell is
/// null. Creating the table reads the whole file and checks each cell, so that reading the rows again fails only if the file
/// changes meanwhile.
package struct CSVTable {
  /// A column of the file.
  package struct Column: Hashable, Sendable {
    /// The name in the header.
    package let name: String
    /// The name of the attribute.
    package let attribute: String
    package let type: AttributeType
    /// Whether the caller gave the type.
    package let isTypeGiven: Bool
    /// The number of cells that are not empty.
    package let valueCount: Int
    /// The place of the name in the header.
    package let place: TextPlace
  }

  package let columns: [Column]
  package let rowCount: Int
  /// The number of lines without text, which are not rows.
  package let blankLineCount: Int
  package let file: String?
  let format: CSVFormat
  let limits: CSVLimits
  let open: @Sendable () throws(ImportError) -> any ImportByteSource

  /// Reads a file once.
  ///
  /// - Parameters:
  ///   - format: The dialect, or `nil` for the usual one of the file's name.
  ///   - types: Types of columns, by the column's or the attribute's name, which win over detection.
  ///   - declared: The types of a store's attributes by their names, which win over detection too; those without a column
  ///     have no meaning.
  /// - Throws: `ImportError` with line and column: no header, an empty name or the same name twice in it, a row with another
  ///   number of cells, invalid bytes, U+0000, or a cell that does not fit a given type.
  /// - Complexity: O(*n*) for *n* bytes; the memory does not depend on *n*.
  package init(
    path: String, format: CSVFormat? = nil, types: [String: AttributeType] = [:],
    declared: [String: AttributeType] = [:], limits: CSVLimits = CSVLimits()
  ) throws(ImportError) {
    try self.init(
      format: format ?? .usual(for: path), types: types, declared: declared, limits: limits, file: path
    ) {
      () throws(ImportError) in try ImportFile(path: path)
    }
  }

  /// Reads a source once; `open` is called again for each reading of the rows.
  package init(
    format: CSVFormat = .commas, types: [String: AttributeType] = [:], declared: [String: AttributeType] = [:],
    limits: CSVLimits = CSVLimits(), file: String? = nil,
    open: @escaping @Sendable () throws(ImportError) -> any ImportByteSource
  ) throws(ImportError) {
    self.format = format
    self.limits = limits
    self.file = file
    self.open = open
    var rows = CSVRecords(CSVReader(try open(), format: format, limits: limits, file: file), file: file)
    let header = try rows.header()
    let given = try CSVTable.types(types, declared, of: header, file: file)
    var detections = header.map { _ in TypeDetection() }
    while let row = try rows.next() {
      for index in detections.indices where !row.isEmpty(index) {
        if let type = given[index] {
          _ = try CSVTable.value(of: row, index, type: type, header[index].name, file: file)
        }
        detections[index].add(row.utf8(of: index))
      }
    }
    columns = header.indices.map { index in
      Column(
        name: header[index].name, attribute: header[index].attribute, type: given[index] ?? detections[index].type,
        isTypeGiven: given[index] != nil, valueCount: detections[index].valueCount, place: header[index].place)
    }
    rowCount = rows.count
    blankLineCount = rows.blankLineCount
  }

  /// Returns the given type of each column.
  private static func types(
    _ types: [String: AttributeType], _ declared: [String: AttributeType], of header: [CSVRecords.Name], file: String?
  ) throws(ImportError) -> [AttributeType?] {
    for name in types.keys.sorted() where !header.contains(where: { $0.name == name || $0.attribute == name }) {
      let names = header.map { "“\($0.name)”" }.joined(separator: ", ")
      throw ImportError(
        .usage, "a type is given for “\(name)”, which is not a column", file: file, at: header.first?.place,
        advice: "the columns are \(names)")
    }
    return try header.map { name throws(ImportError) in
      try AttributeType.given(
        types[name.name] ?? types[name.attribute], declared: declared[name.attribute] ?? declared[name.name], name.name,
        file: file)
    }
  }

  /// Returns the value of a cell.
  static func value(
    of row: CSVRow, _ index: Int, type: AttributeType, _ name: String, file: String?
  ) throws(ImportError) -> Value {
    guard !row.isEmpty(index) else { return .null }
    do {
      return try Value(text: row[index], type: type)
    } catch {
      let place = row.place(of: index)
      throw ImportError(
        .data, "in the column “\(name)”, “\(error.value)” is not \(error.type.nounPhrase)", file: file, at: place,
        advice: "correct the cell (\(error.allowed)), or give the column another type")
    }
  }

  /// Returns the rows from the first one.
  ///
  /// - Throws: `ImportError` if the file cannot be opened, or its header has changed.
  package func rows() throws(ImportError) -> CSVTableRows { try CSVTableRows(self) }
}

#endif
