#if Import

/// The cells of one row of a CSV file.
package struct CSVRow: Sendable {
  /// A cell's bytes in the row, and its place in the file.
  struct Cell {
    let range: Range<Int>
    let place: TextPlace
  }

  /// The text of all cells without quotes and delimiters.
  var bytes: [UInt8] = []
  var cells: [Cell] = []
  /// The place of the row's end.
  var end = TextPlace(line: 1, column: 1)

  /// The number of cells.
  package var count: Int { cells.count }

  /// The line of the first cell.
  package var line: Int { cells.first?.place.line ?? end.line }

  /// Returns the text of a cell.
  package subscript(index: Int) -> String { String(decoding: utf8(of: index), as: UTF8.self) }

  /// Returns the bytes of a cell in UTF-8.
  package func utf8(of index: Int) -> ArraySlice<UInt8> { bytes[cells[index].range] }

  /// Returns the place where a cell begins, at its quote if it has one.
  package func place(of index: Int) -> TextPlace { cells[index].place }

  /// Returns whether a cell has no text.
  package func isEmpty(_ index: Int) -> Bool { cells[index].range.isEmpty }

  /// The texts of all cells.
  package var texts: [String] { cells.indices.map { self[$0] } }
}

#endif
