#if Command

import Daybook
import DaybookTools

/// Draws the written commits as a calendar of blocks: a column for each week, Monday first.
struct ActivityCalendar {
  private let activity: Activity
  private let usesColor: Bool
  /// The number of weeks that fit the width.
  private let weekCount: Int
  private let amounts: [Int: Activity.Amount]
  /// The Monday of the first visible week, in days since 1970-01-01.
  private let start: Int
  /// The first and the last day that count; the days around them are left empty.
  private let days: ClosedRange<Int>
  private let most: Int

  /// The number of columns left of the weeks.
  private static let margin = 4
  /// The number of weeks to draw without a terminal.
  private static let standardWeekCount = 53
  /// The number of authors and entities to list.
  private static let listCount = 5

  init(_ activity: Activity, width: Int?, usesColor: Bool) {
    self.activity = activity
    self.usesColor = usesColor
    weekCount = width.map { max(1, ($0 - ActivityCalendar.margin) / 2) } ?? ActivityCalendar.standardWeekCount
    let all = activity.days
    amounts = Dictionary(all.map { ($0.day, $0.amount) }, uniquingKeysWith: { first, _ in first })
    let last = all.last?.day ?? 0
    // Show no more weeks than there are, and the last ones if not all fit.
    let room = ActivityCalendar.monday(of: last) - 7 * (weekCount - 1)
    start = max(room, ActivityCalendar.monday(of: all.first?.day ?? 0))
    days = max(start, all.first?.day ?? 0)...last
    most = all.filter { $0.day >= room }.map(\.amount.commits).max() ?? 0
  }

  private static func monday(of day: Int) -> Int {
    // 1970-01-01 was a Thursday; days before it count too.
    day - ((day + 3) % 7 + 7) % 7
  }

  var lines: [String] {
    guard !amounts.isEmpty else { return ["Nothing was written."] }
    var lines = [monthLine]
    for (number, name) in ["Mon", "", "Wed", "", "Fri", "", "Sun"].enumerated() {
      lines.append(line(number, name))
    }
    return lines + ["", legend, ""] + summary
  }

  private var weeks: [Int] { Array(stride(from: start, through: days.upperBound, by: 7)) }

  /// The names of the months, each above the first week that begins in it.
  private var monthLine: String {
    var text = String(repeating: " ", count: ActivityCalendar.margin)
    var month = ""
    for (number, monday) in weeks.enumerated() {
      let date = CivilDate(daysSince1970: monday)
      let column = ActivityCalendar.margin + 2 * number
      // A name needs three columns and a space.
      guard date.monthText != month, text.count <= column else { continue }
      if month.isEmpty || date.day <= 7 {
        let name = ActivityCalendar.months[date.month - 1]
        let label = date.month == 1 || month.isEmpty ? "\(name) \(date.yearText)" : name
        text += String(repeating: " ", count: column - text.count) + label + " "
      }
      month = date.monthText
    }
    while text.last == " " { text.removeLast() }
    let limit = ActivityCalendar.margin + 2 * weekCount
    return String(text.prefix(max(limit, ActivityCalendar.margin + 8)))
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private func line(_ weekday: Int, _ name: String) -> String {
    var text = name + String(repeating: " ", count: ActivityCalendar.margin - name.count)
    for monday in weeks {
      let day = monday + weekday
      text += days.contains(day) ? block(level(amounts[day]?.commits ?? 0)) : "  "
    }
    while text.last == " " { text.removeLast() }
    return text
  }

  /// Returns a level from 0 for no commits to 4 for the most commits on a day.
  private func level(_ count: Int) -> Int {
    most <= 0 ? 0 : max(0, min(4, Int((Double(count) * 4 / Double(most)).rounded(.up))))
  }

  private func block(_ level: Int) -> String {
    let sign = ["·", "░", "▒", "▓", "█"][level]
    let text = level == 0 ? "\(sign) " : sign + sign
    guard usesColor else { return text }
    // Greys and greens of the 256 colours, darker to brighter.
    let color = [240, 22, 28, 34, 46][level]
    return "\u{1b}[38;5;\(color)m\(text)\u{1b}[0m"
  }

  private var legend: String {
    let scale = (0...4).map { block($0) }.joined(separator: " ")
    return String(repeating: " ", count: ActivityCalendar.margin) + "Less \(scale) More"
      + (most > 0 ? "   (most: \(ActivityCalendar.text(most, "commit")) a day)" : "")
  }

  private var summary: [String] {
    let (total, count) = (activity.total, activity.days.count)
    let first = activity.entries.first?.day ?? ""
    let last = activity.entries.last?.day ?? ""
    let span = first == last ? "on \(first)" : "on \(count) days from \(first) to \(last)"
    var lines = [
      "\(ActivityCalendar.text(total.commits, "commit")) with \(ActivityCalendar.text(total.events, "event")) \(span)"
    ]
    let authors = activity.authors.map { ($0.author ?? "(no author)", $0.amount.commits) }
    lines += list("By author", authors, "commit")
    lines += list("By entity", activity.entities.map { ($0.entity, $0.amount.events) }, "event")
    return lines
  }

  private func list(_ title: String, _ parts: [(name: String, count: Int)], _ unit: String) -> [String] {
    guard !parts.isEmpty else { return [] }
    let shown = parts.prefix(ActivityCalendar.listCount).map { part in
      "\(PrintableText.line(part.name)) \(ProgressBar.grouped(UInt64(clamping: part.count)))"
    }
    let rest = parts.count - shown.count
    return ["\(title) (\(unit)s): \(shown.joined(separator: ", "))\(rest > 0 ? ", and \(rest) more" : "")"]
  }

  private static func text(_ count: Int, _ unit: String) -> String {
    "\(ProgressBar.grouped(UInt64(clamping: count))) \(unit)\(count == 1 ? "" : "s")"
  }
}

#endif
