#if Import

/// Reads the rows of a CSV file (RFC 4180), one at a time.
///
///     var reader = CSVReader(try ImportFile(path: "people.csv"), file: "people.csv")
///     while let row = try reader.next() { print(row.texts) }
///
/// Rows end with CR, LF, or CR and LF. A cell that contains the delimiter, a quote or the end of a line is in quotes, and
/// each quote in it is doubled; the text in quotes is unchanged, ends of lines included. A line without any text is not a
/// row. A quote inside a cell that does not begin with one is a character like others. Text after a closing quote, and a
/// quote after spaces, are refused: dialects disagree about their meaning, so a guess could import other data than the
/// file's.
///
/// It reads in pieces of 128 KiB and holds one row, which `CSVLimits` bounds. No input makes it trap.
///
/// The reader is not a library's: SwiftCSV 0.10, the one that is well kept, loads the whole file into a `String`, parses it by
/// `Character`, for which CR and LF are one, and reports neither the line nor the column of a fault.
package struct CSVReader {
  private var input: TextInput
  private let delimiter: UInt8
  private let limits: CSVLimits
  private var row = CSVRow()
  private var cellStart = 0
  private var cellPlace = TextPlace(line: 1, column: 1)
  private var isFinished = false

  /// The number of lines without text so far, which are not rows.
  package private(set) var blankLineCount = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - source: The bytes of the file from its start.
  ///   - file: The name of the file, for errors.
  package init(
    _ source: any ImportByteSource, format: CSVFormat = .commas, limits: CSVLimits = CSVLimits(), file: String? = nil
  ) {
    input = TextInput(source, encoding: format.encoding, file: file)
    delimiter = format.delimiter
    self.limits = limits
  }

  /// Returns the next row, or `nil` at the end.
  ///
  /// - Throws: `ImportError` with line and column; after that there are no more rows.
  /// - Complexity: O(*n*) for *n* bytes of the row.
  package mutating func next() throws(ImportError) -> CSVRow? {
    guard !isFinished else { return nil }
    // Set first, so that an error ends the file as well.
    isFinished = true
    while try startRow() {
      let isRow = try readCells()
      row.end = input.place
      try skipEndOfRow()
      if isRow {
        isFinished = false
        return row
      }
      blankLineCount += 1
    }
    return nil
  }

  /// Starts a row at the next byte; returns `false` at the end of the file.
  private mutating func startRow() throws(ImportError) -> Bool {
    guard try input.fill() else { return false }
    if input.isAfterReturn, input.bytes[input.index] == UInt8(ascii: "\n") {
      input.skipByte()
      guard try input.fill() else { return false }
    }
    let size = row.bytes.count
    row = CSVRow()
    // Rows of one file are alike.
    row.bytes.reserveCapacity(min(size + size / 4, 1 << 16))
    return true
  }

  private mutating func skipEndOfRow() throws(ImportError) {
    // LF after CR is skipped with the next row, because it may be in a piece that is not read yet.
    if try input.fill() { input.skipByte() }
  }

  /// Reads the cells up to the end of the row; returns `false` if the line is blank.
  private mutating func readCells() throws(ImportError) -> Bool {
    while true {
      startCell()
      let isQuoted = try input.fill() && input.bytes[input.index] == UInt8(ascii: "\"")
      if isQuoted { try readQuoted() } else { try readPlain() }
      guard try input.fill(), input.bytes[input.index] == delimiter else {
        if !isQuoted, row.cells.isEmpty, row.bytes.isEmpty { return false }
        try endCell()
        return true
      }
      try endCell()
      input.skipByte()
    }
  }

  private mutating func startCell() {
    cellStart = row.bytes.count
    cellPlace = input.place
  }

  private mutating func endCell() throws(ImportError) {
    guard row.cells.count < limits.columnCount else {
      throw input.error(
        .data, "the row has more than \(limits.columnCount) cells", at: cellPlace,
        advice: "check the delimiter, and that all quotes are closed")
    }
    row.cells.append(CSVRow.Cell(range: cellStart..<row.bytes.count, place: cellPlace))
  }

  /// Reads a cell without quotes, up to the delimiter or the end of the row.
  private mutating func readPlain() throws(ImportError) {
    while try input.fill() {
      let end = endOfPlainRun()
      try append(to: end)
      guard end < input.bytes.count else { continue }
      switch input.bytes[end] {
      case UInt8(ascii: "\""):
        try checkQuoteInside()
        try appendByte()
      case 0: throw nullError()
      default: return
      }
    }
  }

  /// Checks that a quote inside a cell is a character of its text, as in `30° 59' 24" N`, and not the first quote of a cell
  /// after spaces, which readers understand in different ways.
  private func checkQuoteInside() throws(ImportError) {
    guard row.bytes[cellStart...].allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
    throw input.error(
      .data, "a quote follows spaces at the beginning of a cell",
      advice: "write no spaces before the quote, or write the whole cell in quotes and each quote in it twice")
  }

  private func endOfPlainRun() -> Int {
    var end = input.index
    while end < input.bytes.count {
      let byte = input.bytes[end]
      if byte == delimiter || byte <= UInt8(ascii: "\"") && isSpecial(byte) { break }
      end += 1
    }
    return end
  }

  private func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0
  }

  /// Reads a cell in quotes, with the byte after it still to come.
  private mutating func readQuoted() throws(ImportError) {
    input.skipByte()
    while try input.fill() {
      let end = endOfQuotedRun()
      try append(to: end)
      guard end < input.bytes.count else { continue }
      switch input.bytes[end] {
      case 0: throw nullError()
      case UInt8(ascii: "\""):
        input.skipByte()
        guard try input.fill() else { return }
        guard input.bytes[input.index] == UInt8(ascii: "\"") else { return try checkAfterQuote() }
        try appendByte()
      default: try appendByte()
      }
    }
    throw input.error(
      .data, "the quote of this cell is not closed before the end of the file", at: cellPlace,
      advice: "close it, and write each quote in the cell twice")
  }

  private func endOfQuotedRun() -> Int {
    var end = input.index
    while end < input.bytes.count {
      let byte = input.bytes[end]
      if byte <= UInt8(ascii: "\""), isSpecial(byte) { break }
      end += 1
    }
    return end
  }

  private func checkAfterQuote() throws(ImportError) {
    switch input.bytes[input.index] {
    case delimiter, UInt8(ascii: "\n"), UInt8(ascii: "\r"): return
    default:
      throw input.error(
        .data, "text follows the closing quote of a cell",
        advice: "write each quote in the cell twice, and nothing after the last one; or check the delimiter")
    }
  }

  private func nullError() -> ImportError {
    input.error(
      .data, "the character U+0000 is in a cell",
      advice: "remove it; or, if the text is UTF-16 without a byte order mark, name the encoding utf-16le or utf-16be")
  }

  private mutating func append(to end: Int) throws(ImportError) {
    try checkSize(adding: end - input.index)
    row.bytes.append(contentsOf: input.bytes[input.index..<end])
    input.skip(to: end)
  }

  private mutating func appendByte() throws(ImportError) {
    try checkSize(adding: 1)
    row.bytes.append(input.bytes[input.index])
    input.skipByte()
  }

  private func checkSize(adding count: Int) throws(ImportError) {
    guard row.bytes.count - cellStart + count <= limits.cellSizeInBytes else {
      throw input.error(
        .data, "the cell has more than \(limits.cellSizeInBytes) bytes", at: cellPlace,
        advice: "check that all quotes are closed")
    }
    guard row.bytes.count + count <= limits.rowSizeInBytes else {
      throw input.error(
        .data, "the row has more than \(limits.rowSizeInBytes) bytes", at: cellPlace,
        advice: "check that all quotes are closed")
    }
  }
}

#endif
