#if Command

import Daybook
import Foundation

/// Shows the progress of long work on a terminal; without a terminal it shows nothing.
///
///     let bar = ProgressBar()
///     defer { bar.finish() }
///     try store.rebuild { bar.show($0) }
///
/// It writes to standard error, so that results can be redirected. It may be used by one thread.
final class ProgressBar {
  private let console: Console
  private let clock: () -> Double
  private var activity: String?
  private var startedAt = 0.0
  private var startCount: UInt64 = 0
  private var shownAt = -Double.infinity
  private var isShown = false

  private static let secondsBetweenDrawings = 0.1
  private static let barWidth = 24

  init(console: Console = .standard, clock: @escaping () -> Double = { ProcessInfo.processInfo.systemUptime }) {
    self.console = console
    self.clock = clock
  }

  /// Shows a state, if enough time has passed since the last one.
  func show(_ progress: StoreProgress) {
    guard console.isErrorTerminal else { return }
    let now = clock()
    if progress.activity != activity {
      activity = progress.activity
      startedAt = now
      startCount = progress.completed
    }
    guard now - shownAt >= ProgressBar.secondsBetweenDrawings else { return }
    shownAt = now
    isShown = true
    let line = ProgressBar.line(progress, since: startCount, seconds: now - startedAt)
    console.writeError("\r" + DisplayWidth.truncated(PrintableText.line(line), to: console.errorWidth - 1) + "\u{1b}[K")
  }

  /// Removes the bar.
  func finish() {
    if isShown { console.writeError("\r\u{1b}[K") }
    isShown = false
  }

  /// Returns the text of the bar: activity, bar, share, rate and time left.
  static func line(_ progress: StoreProgress, since start: UInt64, seconds: Double) -> String {
    let done = progress.completed - min(start, progress.completed)
    let rate = seconds > 0 ? Double(done) / seconds : 0
    var parts = [progress.activity]
    if let total = progress.total, total > 0 {
      let share = min(1, Double(progress.completed) / Double(total))
      let filled = Int((share * Double(barWidth)).rounded(.down))
      parts.append(
        "[" + String(repeating: "█", count: filled) + String(repeating: "░", count: barWidth - filled) + "]")
      parts.append("\(Int((share * 100).rounded(.down))) %")
    } else {
      parts.append("\(grouped(progress.completed)) \(progress.unit)")
    }
    if rate > 0 {
      parts.append("\(grouped(UInt64(rate)))/s")
      if let total = progress.total, total > progress.completed {
        parts.append("\(duration(Double(total - progress.completed) / rate)) left")
      }
    }
    return parts.joined(separator: " ")
  }

  /// Formats a number with a thin space between thousands.
  static func grouped(_ number: UInt64) -> String {
    let digits = String(number)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202f}" }
      text.append(digit)
    }
    return text
  }

  /// Formats a duration as `3 s`, `2:05 min` or `1:02 h`.
  static func duration(_ seconds: Double) -> String {
    let seconds = Int(min(seconds, 8_640_000).rounded(.up))
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60):\(two(seconds % 60)) min" }
    return "\(seconds / 3_600):\(two(seconds / 60 % 60)) h"
  }
}

#endif
