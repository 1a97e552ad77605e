#if Command

import Daybook
import Synchronization

/// Output on a terminal: the result as a table that is redrawn with each difference.
///
/// The changed rows are marked, and the reasons are shown below.
final class WatchScreen: WatchOutput {
  private let console: Console
  private let store: Store
  private let request: FetchRequest
  /// Locked while drawing too, because a difference and a resize of the terminal may coincide.
  private let state = Mutex(State())

  private struct State {
    var position = Position.empty
    /// The time of the rows, if the request reads the time.
    var time: Timestamp?
    var ids = SectionedIDs<ObjectID>(sections: [])
    var marks = ChangeMarks()
    /// The first visible line of the result.
    var top = 0
    var isOn = false
  }

  /// The maximum number of changed rows to explain.
  private static let maximumReasonCount = 24

  init(_ console: Console, _ store: Store, _ request: FetchRequest) {
    self.console = console
    self.store = store
    self.request = request
  }

  func begin(at start: FeedCursor) throws {
    try state.withLock { state in
      (state.position, state.time) = (start.position, start.time)
      state.ids = try store.read { try $0.ids(of: request.at(start.time), at: start.position) }
      state.isOn = true
      try console.write(Terminal.hideCursor + Terminal.clear)
      try draw(&state)
    }
  }

  func show(_ change: ResultsChange) throws {
    try state.withLock { state in
      state.ids =
        change.isReset
        ? try store.read { try $0.ids(of: request.at(change.time), at: change.to) }
        : try state.ids.applying(change.difference)
      (state.position, state.time) = (change.to, change.time)
      state.marks = try marks(of: change)
      try draw(&state)
    }
  }

  /// Draws the same state again, for example after the terminal was resized.
  func redraw() {
    state.withLock { state in
      guard state.isOn else { return }
      do {
        try console.write(Terminal.clear)
        try draw(&state)
      } catch {
        // The next difference meets the same error, and reports it to its caller.
      }
    }
  }

  func end() {
    state.withLock { state in
      guard state.isOn else { return }
      state.isOn = false
      // A closed terminal needs no cursor.
      try? console.write("\n" + Terminal.showCursor)
      try? console.flush()
    }
  }

  private func marks(of change: ResultsChange) throws -> ChangeMarks {
    var marks = ChangeMarks()
    if change.isReset {
      marks.reasons = [[ChangePrinter.resetText]]
      return marks
    }
    for section in change.difference.sections {
      if section.isDelete {
        marks.reasons.append(["- section \(WatchScreen.name(ofSection: section.name))"])
      } else {
        marks.newSections.insert(section.index)
      }
    }
    var reasons = ChangeReasons(store)
    for row in change.difference.rows {
      if row.to != nil { marks.rows[row.id] = row.sign }
      if marks.reasons.count < WatchScreen.maximumReasonCount {
        marks.reasons.append(try reasons.lines(for: row, in: change))
      } else {
        marks.unexplainedCount += 1
      }
    }
    marks.firstPath = change.difference.rows.compactMap(\.to).min()
    return marks
  }

  private func draw(_ state: inout State) throws {
    // The last column stays free: erasing after a full line would remove its last character.
    var size = console.size ?? TerminalSize(columns: 80, lines: 24)
    size.columns = max(1, size.columns - 1)
    let window = ResultWindow(counts: state.ids.sections.map(\.rows.count), isSectioned: request.section != nil)
    var frame = ScreenFrame(size: size, usesColor: console.usesColor)
    frame.reserve(reasons: state.marks, below: window.count)
    let range = window.range(
      from: state.top, room: frame.room(for: window.count), showing: state.marks.firstPath.map(window.index))
    state.top = range.lowerBound
    frame.title = title(of: state)
    if state.position > .empty {
      frame.table = try table(of: state, window.lines(range), width: size.columns)
    }
    frame.outside = window.rowsOutside(range)
    try console.write(Terminal.home + frame.lines(state.marks).joined(separator: Terminal.endOfLine + "\n"))
    try console.write(Terminal.endOfLine + Terminal.eraseBelow)
    try console.flush()
  }

  private static func name(ofSection name: String) -> String {
    name.isEmpty ? "(none)" : PrintableText.line(name)
  }

  private func title(of state: State) -> String {
    let count = state.ids.count
    return "\(request.entity): \(count) \(count == 1 ? "row" : "rows") at position \(state.position)"
  }

  /// Returns the lines of the result, as of the position.
  private func table(of state: State, _ lines: [ResultWindow.Line], width: Int) throws -> [ScreenFrame.TableLine] {
    try store.read { head in
      try head.read(request.entity, at: state.position) { reader in
        let rows = try RequestRows(state.time.map { request.at($0) } ?? request, in: reader)
        var columns = try ObjectColumns(of: request, in: reader)
        var table = TextTable([""] + columns.columns)
        for case .row(let path) in lines {
          let id = state.ids[path]
          let blank = [id.shortForm] + [String](repeating: "", count: columns.columns.count - 1)
          let cells = try rows.object(id, reader).map { try columns.cells(of: $0, reader) } ?? blank
          table.add([state.marks.rows[id].map(String.init) ?? " "] + cells)
        }
        var texts = table.lines(width: width)[...]
        var drawn = [ScreenFrame.TableLine(text: texts.popFirst() ?? "", style: .plain)]
        for line in lines {
          switch line {
          case .section(let number):
            let section = state.ids.sections[number]
            let sign = state.marks.newSections.contains(number) ? "+" : " "
            let name = WatchScreen.name(ofSection: section.name)
            drawn.append(ScreenFrame.TableLine(text: "\(sign) \(name) (\(section.rows.count))", style: .title))
          case .row(let path):
            let style = state.marks.rows[state.ids[path]].map(ScreenFrame.Style.changed) ?? .plain
            drawn.append(ScreenFrame.TableLine(text: texts.popFirst() ?? "", style: style))
          }
        }
        return drawn
      }
    }
  }
}

/// The changes of the last difference in the visible result.
struct ChangeMarks {
  /// The existing rows with the signs of their changes.
  var rows: [ObjectID: Character] = [:]
  /// The inserted sections.
  var newSections: Set<Int> = []
  /// The first changed row that exists.
  var firstPath: RowPath?
  /// The change and its reasons for each changed row, including deleted rows.
  var reasons: [[String]] = []
  /// The number of further changed rows.
  var unexplainedCount = 0
}

/// The sequences that control a terminal.
enum Terminal {
  static let clear = "\u{1b}[2J\u{1b}[H"
  static let home = "\u{1b}[H"
  static let endOfLine = "\u{1b}[K"
  static let eraseBelow = "\u{1b}[J"
  static let hideCursor = "\u{1b}[?25l"
  static let showCursor = "\u{1b}[?25h"
}

#endif
