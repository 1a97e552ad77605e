import Daybook

/// The part of a result that a terminal has room for, by lines: a title for each section, if there are any, and its rows.
struct ResultWindow {
  enum Line: Equatable {
    case section(Int)
    case row(RowPath)
  }

  private let counts: [Int]
  private let isSectioned: Bool

  /// - Parameter counts: How many rows each section has.
  init(counts: [Int], isSectioned: Bool) {
    self.counts = counts
    self.isSectioned = isSectioned
  }

  /// How many lines all of it takes.
  var count: Int { counts.reduce(0) { $0 + $1 + titleCount } }

  private var titleCount: Int { isSectioned ? 1 : 0 }

  /// The line of a row.
  func index(of path: RowPath) -> Int {
    counts[..<path.section].reduce(0) { $0 + $1 + titleCount } + titleCount + path.row
  }

  /// The lines of a range.
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

  /// How many rows, titles not counted, are before and behind a range of lines.
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

  /// Which lines to show in a number of them: those that were shown before, unless the first change is not among them.
  ///
  /// - Parameters:
  ///   - top: The first line that was shown before.
  ///   - room: How many lines there are.
  ///   - change: The line of the first change, if there is one.
  func range(from top: Int, room: Int, showing change: Int?) -> Range<Int> {
    let highest = max(0, count - room)
    var start = min(top, highest)
    if let change, !(start..<start + room).contains(change) {
      // A third of what is around it before, the rest behind.
      start = min(max(0, change - room / 3), highest)
    }
    return start..<min(count, start + room)
  }
}
