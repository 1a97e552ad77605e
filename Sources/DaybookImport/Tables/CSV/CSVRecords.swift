#if Import

/// The rows of a CSV file after its header, each with as many cells as the header.
struct CSVRecords {
  /// A name in the header.
  struct Name: Hashable {
    let name: String
    let attribute: String
    let place: TextPlace
  }

  private var reader: CSVReader
  private let file: String?
  private var columnCount = 0
  /// The number of rows returned.
  private(set) var count = 0

  init(_ reader: CSVReader, file: String?) {
    self.reader = reader
    self.file = file
  }

  var blankLineCount: Int { reader.blankLineCount }

  /// Reads the header; called once, before the rows.
  ///
  /// - Throws: `ImportError` if the file has no row, or a name is empty or there twice.
  mutating func header() throws(ImportError) -> [Name] {
    guard let row = try reader.next() else {
      throw ImportError(
        .data, "the file has no header", file: file, at: TextPlace(line: 1, column: 1),
        advice: "write the names of the columns into its first line")
    }
    columnCount = row.count
    let texts = row.texts
    var places: [[UInt8]: TextPlace] = [:]
    for index in texts.indices {
      guard texts[index].contains(where: { !$0.isWhitespace }) else {
        throw error("column \(index + 1) of the header has no name", at: row.place(of: index), advice: "name it")
      }
      if let first = places.updateValue(row.place(of: index), forKey: Array(texts[index].utf8)) {
        throw error(
          "the header has the name “\(texts[index])” twice, first in line \(first.line), column \(first.column)",
          at: row.place(of: index), advice: "rename one of the columns")
      }
    }
    var names = FieldNames(fieldsOf: texts)
    var header: [Name] = []
    for index in texts.indices {
      header.append(Name(name: texts[index], attribute: names.name(for: texts[index]), place: row.place(of: index)))
    }
    return header
  }

  /// Returns the next row, or `nil` at the end.
  ///
  /// - Throws: `ImportError` if its number of cells is not the header's.
  mutating func next() throws(ImportError) -> CSVRow? {
    guard let row = try reader.next() else { return nil }
    guard row.count == columnCount else {
      throw error(
        "the row has \(row.count) cell\(row.count == 1 ? "" : "s"), and the header has \(columnCount)",
        at: row.count > columnCount ? row.place(of: columnCount) : row.end,
        advice: "correct the row, or check the delimiter")
    }
    count += 1
    return row
  }

  private func error(_ message: String, at place: TextPlace, advice: String) -> ImportError {
    ImportError(.data, message, file: file, at: place, advice: advice)
  }
}

#endif
