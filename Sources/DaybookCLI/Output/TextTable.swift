#if Command

import Daybook

/// Rows of text in columns.
///
///     var table = TextTable(["ID", "Name", .right("Servings")])
///     table.add(["26f8ad91", "Cake", "4"])
///     try table.print(to: console)
///
/// On a terminal, lines are cut to its width, the widest columns first. Elsewhere lines are printed in full.
struct TextTable {
  enum Alignment: Sendable { case left, right }

  struct Column: Sendable, ExpressibleByStringLiteral {
    var title: String
    var alignment = Alignment.left

    init(_ title: String, alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }

    init(stringLiteral value: String) { self.init(value) }

    /// A column of numbers.
    static func right(_ title: String) -> Column { Column(title, alignment: .right) }
  }

  let columns: [Column]
  private(set) var rows: [[String]] = []

  private static let gap = 2
  /// The width below which a column is not cut.
  private static let minimumWidth = 4

  init(_ columns: [Column]) {
    self.columns = columns
  }

  mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "A row has a cell for each column.")
    rows.append(cells.map(PrintableText.line))
  }

  /// Returns the lines, the titles first; none for a table without titles and rows.
  ///
  /// - Parameter width: The columns of the terminal, or `nil` to cut nothing.
  func lines(width: Int?) -> [String] {
    let titles = columns.map(\.title)
    let hasTitles = titles.contains { !$0.isEmpty }
    let all = (hasTitles ? [titles] : []) + rows
    let widths = self.widths(of: all, within: width)
    return all.map { line($0, widths) }
  }

  func print(to console: Console) throws {
    for line in lines(width: console.width) { try console.print(line) }
  }

  private func widths(of rows: [[String]], within limit: Int?) -> [Int] {
    var widths = columns.indices.map { column in rows.map { DisplayWidth.of($0[column]) }.max() ?? 0 }
    guard let limit else { return widths }
    var excess = widths.reduce(0, +) + TextTable.gap * (columns.count - 1) - limit
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > TextTable.minimumWidth
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { text += String(repeating: " ", count: TextTable.gap) }
      let cut = DisplayWidth.truncated(cell, to: widths[index])
      text += DisplayWidth.padded(cut, to: widths[index], alignment: columns[index].alignment)
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}

#endif
