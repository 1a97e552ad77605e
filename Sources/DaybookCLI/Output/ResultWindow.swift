#if Command

import Daybook

/// The part of a result that fits a terminal, in lines.
///
/// Each section has a title, if there are sections, and its rows.
struct ResultWindow {
  enum Line: Equatable {
    case section(Int)
    case row(RowPath)
  }

  private let counts: [Int]
  private let isSectioned: Bool

  /// - Parameter counts: The number of rows of each section.
  init(counts: [Int], isSectioned: Bool) {
    self.counts = counts
    self.isSectioned = isSectioned
  }

  /// The number of lines of the whole result.
  var count: Int { counts.reduce(0) { $0 + $1 + titleCount } }

  private var titleCount: Int { isSectioned ? 1 : 0 }

  /// Returns the line of a row.
  func index(of path: RowPath) -> Int {
    counts[..<path.section].reduce(0) { $0 + $1 + titleCount } + titleCount + path.row
  }

  /// Returns the lines of a range.
  func lines(_ range: Range<Int>) -> [Line] {
    var lines: [Line] = []
    var start = 0
    for (section, count) in counts.enumerated() where start < range.upperBound {
      let end = start + titleCount + count
      let cut = range.clamped(to: start..<end)
      for index in cut {
        let row = index - start - titleCount
        lines.append(row < 0 ? .section(section) : .row(RowPath(section: section, row: row)))
      }
      start = end
    }
    return lines
  }

  /// Returns the number of rows, without titles, before and after a range of lines.
  func rowsOutside(_ range: Range<Int>) -> (before: Int, behind: Int) {
    var (before, behind, start) = (0, 0, 0)
    for count in counts {
      let rows = start + titleCount..<start + titleCount + count
      before += rows.clamped(to: 0..<range.lowerBound).count
      behind += rows.clamped(to: range.upperBound..<max(range.upperBound, rows.upperBound)).count
      start = rows.upperBound
    }
    return (before, behind)
  }

  /// Returns the lines to show: the former ones, unless the first change is outside them.
  ///
  /// - Parameters:
  ///   - top: The first line that was shown before.
  ///   - room: The number of lines that fit.
  ///   - change: The line of the first change, or `nil` if nothing changed.
  func range(from top: Int, room: Int, showing change: Int?) -> Range<Int> {
    let highest = max(0, count - room)
    var start = min(top, highest)
    if let change, !(start..<start + room).contains(change) {
      // Show a third of the lines before the change, the rest after it.
      start = min(max(0, change - room / 3), highest)
    }
    return start..<min(count, start + room)
  }
}

#endif
