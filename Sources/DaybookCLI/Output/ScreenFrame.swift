#if Command

import Daybook

/// One drawing of a watched result, never with more lines than the terminal has.
///
/// It consists of the title, as much of the table as fits, and the reasons for the changes.
struct ScreenFrame {
  enum Style: Equatable {
    case plain, title
    /// A row with the sign of its change.
    case changed(Character)
  }

  struct TableLine: Equatable {
    var text: String
    var style: Style
  }

  private let size: TerminalSize
  private let usesColor: Bool
  /// The number of lines for the reasons, including the empty line before them.
  private var reasonRoom = 0

  var title = ""
  /// The titles of the columns, followed by the lines.
  var table: [TableLine] = []
  /// The number of rows before and after the rows in the table.
  var outside = (before: 0, behind: 0)

  init(size: TerminalSize, usesColor: Bool) {
    self.size = size
    self.usesColor = usesColor
  }

  /// The number of lines that are always present: the title and the columns' titles.
  private static let fixedCount = 2

  /// Reserves lines for the reasons.
  ///
  /// They receive the lines that the table does not need, and at least a third of the terminal.
  ///
  /// - Parameter count: The number of lines of the whole table, without its titles.
  mutating func reserve(reasons marks: ChangeMarks, below count: Int) {
    let needed = marks.reasons.reduce(0) { $0 + $1.count } + (marks.unexplainedCount > 0 ? 1 : 0)
    guard needed > 0 else { return }
    let rest = size.lines - ScreenFrame.fixedCount - count
    reasonRoom = min(needed + 1, max(size.lines / 3, rest))
  }

  /// Returns the number of lines of the table that fit.
  ///
  /// - Parameter count: The number of lines of the whole table.
  func room(for count: Int) -> Int {
    let room = max(1, size.lines - ScreenFrame.fixedCount - reasonRoom)
    // One more line shows the number of hidden rows.
    return count > room ? max(1, room - 1) : room
  }

  /// Returns the lines, cut to the size of the terminal.
  func lines(_ marks: ChangeMarks) -> [String] {
    var lines = [styled(title, .title)] + table.map { styled($0.text, $0.style) }
    if outside.before + outside.behind > 0 { lines.append(styled(outsideText, .plain)) }
    if reasonRoom > 1 { lines += [""] + reasonLines(marks) }
    return Array(lines.prefix(size.lines))
  }

  private var outsideText: String {
    let rows = outside.before + outside.behind == 1 ? "row" : "rows"
    switch outside {
    case (let before, 0): return "  … \(before) more \(rows) before"
    case (0, let behind): return "  … \(behind) more \(rows)"
    case (let before, let behind): return "  … \(before) more \(rows) before, \(behind) behind"
    }
  }

  private func reasonLines(_ marks: ChangeMarks) -> [String] {
    let room = reasonRoom - 1
    var lines: [String] = []
    var hidden = marks.reasons.count + marks.unexplainedCount
    for reason in marks.reasons {
      // The line after it may have to show the number of hidden changes.
      let rest = room - lines.count - (hidden > 1 ? 1 : 0)
      guard rest > 0 else { break }
      lines += reason.prefix(rest).enumerated().map { styled($1, $0 == 0 ? .changed($1.first ?? " ") : .plain) }
      hidden -= 1
    }
    if hidden > 0, lines.count < room { lines.append("… \(hidden) more \(hidden == 1 ? "change" : "changes")") }
    return lines
  }

  private func styled(_ text: String, _ style: Style) -> String {
    let text = DisplayWidth.truncated(PrintableText.line(text), to: size.columns)
    guard usesColor, let code = style.code else { return text }
    return "\u{1b}[\(code)m\(text)\u{1b}[0m"
  }
}

extension ScreenFrame.Style {
  /// The escape code of the style, or `nil` for none.
  fileprivate var code: String? {
    switch self {
    case .plain: nil
    case .title: "1"
    case .changed("+"): "32"
    case .changed("-"): "31"
    case .changed(">"): "36"
    case .changed("~"): "33"
    case .changed: nil
    }
  }
}

#endif
