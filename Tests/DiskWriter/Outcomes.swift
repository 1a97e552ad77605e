import Daybook
import Foundation

/// The outcomes of commits that a writer printed.
struct Outcomes {
  /// The completed commits, in the order of acknowledgement.
  var done: [(number: UInt64, position: Position)] = []
  var refused: [UInt64] = []
  var unknown: [UInt64] = []

  init(file: String) throws {
    for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1, let number = UInt64(words[1]) else { continue }
      switch words[0] {
      case "done": done.append((number, Position(words.count > 2 ? UInt64(words[2]) ?? 0 : 0)))
      case "not": refused.append(number)
      default: unknown.append(number)
      }
    }
  }
}
