#if Command

import Daybook
import DaybookTools

/// Prints the result of a request.
///
/// The JSON forms are printed while the objects are read, so that results of any size need no memory.
struct FetchPrinter {
  private let console: Console

  init(_ console: Console) {
    self.console = console
  }

  /// Prints one object per line, with its section.
  func printJSONLines(_ request: FetchRequest, _ reader: borrowing StoreReader) throws {
    var encoder = ObjectEncoder(reader.resolvedModel)
    var shown = request.shows == nil ? nil : try ShownReader(request, in: reader)
    try reader.forEachObject(in: request) { object, section in
      var members = encoder.members(of: object)
      if let values = try shown?.values(of: object.id) { members.append(ShownValue.member(values)) }
      try console.print(.object(members + [("section", .string(section))]))
      return true
    }
  }

  /// Prints one value: the position, and the sections with their objects.
  func printJSON(_ request: FetchRequest, _ reader: borrowing StoreReader) throws {
    var writer = FetchWriter(reader.resolvedModel)
    try writer.write(request, reader) { try console.write($0) }
    try console.print()
  }

  /// Prints a table with sections as titles, and the number of objects.
  func printText(_ request: FetchRequest, _ reader: borrowing StoreReader) throws {
    var columns = try ObjectColumns(of: request, in: reader)
    var table = TextTable(columns.columns)
    var sections: [(name: String, firstRow: Int)] = []
    try reader.forEachObject(in: request) { object, section in
      if request.section != nil, sections.last.map({ Value.string($0.name) != .string(section) }) ?? true {
        sections.append((section, table.rows.count))
      }
      table.add(try columns.cells(of: object, reader))
      return true
    }
    try print(table, sections)
    let count = table.rows.count
    let noun = request.grouping == nil ? "object" : "group"
    try console.print("\(count) \(noun)\(count == 1 ? "" : "s") at position \(reader.position)")
  }

  private func print(_ table: TextTable, _ sections: [(name: String, firstRow: Int)]) throws {
    guard !table.rows.isEmpty else { return }
    let lines = table.lines(width: console.width)
    var next = 0
    try console.print(lines[0])
    for (row, line) in lines.dropFirst().enumerated() {
      if next < sections.count, sections[next].firstRow == row {
        let name = PrintableText.line(sections[next].name)
        try console.print()
        try console.print(console.usesColor ? "\u{1b}[1m\(name)\u{1b}[0m" : name)
        next += 1
      }
      try console.print(line)
    }
    try console.print()
  }
}

#endif
