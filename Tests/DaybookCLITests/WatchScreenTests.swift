#if Command

import Foundation
import Testing

@testable import DaybookCLI

/// Tests `watch` on a terminal.
@Suite(.hangLimit) struct WatchScreenTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  private func watch(columns: Int, lines: Int, _ arguments: String...) throws -> RunningCommand {
    try RunningCommand(
      ["watch", kitchen.store, "Recipe", "--section", "type.name", "--sort", "name"] + arguments, columns: columns,
      lines: lines, environment: ["NO_COLOR": "1", "TERM": "xterm"])
  }

  /// Returns the lines of the next drawing.
  private func frame(_ run: RunningCommand) throws -> [String] {
    let text = try run.text(through: Terminal.eraseBelow)
    let start = text.range(of: Terminal.home, options: .backwards)?.upperBound ?? text.startIndex
    return text[start...].replacing(Terminal.eraseBelow, with: "").split(
      separator: "\r\n", omittingEmptySubsequences: false
    )
    .map { String($0.replacing(Terminal.endOfLine, with: "")) }
  }

  @Test func aListByTheTimeIsDrawn() throws {
    let run = try watch(columns: 100, lines: 24, "--where", "createdAt < now")
    #expect(try frame(run)[0] == "Recipe: 2 rows at position 2")
    run.send(SIGINT)
    #expect(try run.end().status == 0)
  }

  @Test func changedRowsAreMarkedAndExplained() throws {
    let run = try watch(columns: 100, lines: 24)
    #expect(
      try frame(run) == [
        "Recipe: 2 rows at position 2",
        "   id        name  servings  note  ingredientCount  type",
        "  (none) (1)",
        "   00000005  Pie          1  hot                 0",
        "  Dessert (1)",
        "   00000002  Cake         4                      2  Dessert (00000001)",
      ])
    _ = try kitchen.output("set", "00000002", "servings=8", "--author", "editor", "--message", "for guests\nmore")
    let updated = try frame(run)
    #expect(updated[5] == "~  00000002  Cake         8                      2  Dessert (00000001)")
    #expect(updated[6...7] == ["", "~ Cake (00000002)"])
    #expect(updated[8].hasPrefix("  3  20"))
    #expect(updated[8].hasSuffix("Z  editor  “for guests”: set servings 4 → 8"))
    _ = try kitchen.output("rename", "00000001", "Sweet")
    let moved = try frame(run)
    #expect(moved[4...5] == ["+ Sweet (1)", ">  00000002  Cake         8                      2  Sweet (00000001)"])
    #expect(moved[7...8] == ["- section Dessert", "> Cake (00000002)"])
    #expect(moved[9].hasSuffix(": RecipeType Dessert (00000001) renamed to Sweet"))
    _ = try kitchen.output("delete", "00000005")
    let deleted = try frame(run)
    #expect(deleted.contains("- Pie (00000005)"))
    #expect(deleted.last?.hasSuffix(": deleted") == true)
    run.send(SIGINT)
    let end = try run.end()
    #expect(end.status == 0 && end.output.hasSuffix(Terminal.showCursor))
  }

  @Test func thereAreNoMoreLinesThanTheTerminalHas() throws {
    let recipes = (10..<60).map { "{\"insert\": \"Recipe\", \"values\": {\"name\": \"R\($0)\"}}\n" }.joined()
    _ = try kitchen.output("apply", input: recipes)
    let run = try watch(columns: 40, lines: 12, "--count", "1")
    let first = try frame(run)
    #expect(first.count == 12)
    #expect(first.last == "  … 44 more rows")
    #expect(first.allSatisfy { DisplayWidth.of($0) < 40 })
    run.resize(columns: 60, lines: 8)
    run.send(SIGWINCH)
    #expect(try frame(run).count == 8)
    // The change is far below the visible lines; the drawing scrolls to it.
    _ = try kitchen.output("set", "00000002", "servings=8")
    let last = try frame(run)
    #expect(last.count == 8)
    #expect(last.contains { $0.hasPrefix("~") && $0.contains("Cake") })
    #expect(try run.end().status == 0)
  }
}

@Suite(.hangLimit) struct ResultWindowTests {
  private let window = ResultWindow(counts: [2, 0, 3], isSectioned: true)

  @Test func titlesAreLines() {
    #expect(window.count == 8)
    #expect(window.index(of: .init(section: 0, row: 1)) == 2)
    #expect(window.index(of: .init(section: 2, row: 0)) == 5)
    #expect(
      window.lines(2..<6) == [
        .row(.init(section: 0, row: 1)), .section(1), .section(2), .row(.init(section: 2, row: 0)),
      ])
    #expect(ResultWindow(counts: [2], isSectioned: false).lines(0..<2).first == .row(.init(section: 0, row: 0)))
    #expect(window.rowsOutside(2..<6) == (1, 2))
    #expect(window.rowsOutside(0..<8) == (0, 0))
    #expect(window.rowsOutside(6..<6) == (3, 2))
  }

  @Test func theWindowStaysUnlessTheChangeIsOutside() {
    let window = ResultWindow(counts: [100], isSectioned: false)
    #expect(window.range(from: 0, room: 10, showing: nil) == 0..<10)
    #expect(window.range(from: 20, room: 10, showing: 29) == 20..<30)
    #expect(window.range(from: 20, room: 10, showing: 30) == 27..<37)
    #expect(window.range(from: 20, room: 10, showing: 99) == 90..<100)
    #expect(window.range(from: 95, room: 10, showing: nil) == 90..<100)
    #expect(window.range(from: 95, room: 200, showing: 0) == 0..<100)
  }
}

@Suite(.hangLimit) struct ScreenFrameTests {
  private func lines(_ count: Int, reasons: Int, further: Int = 0, in size: TerminalSize) -> [String] {
    var marks = ChangeMarks()
    marks.reasons = (0..<reasons).map { ["~ \($0)", "  why"] }
    marks.unexplainedCount = further
    var frame = ScreenFrame(size: size, usesColor: false)
    frame.reserve(reasons: marks, below: count)
    let room = frame.room(for: count)
    frame.table = [.init(text: "titles", style: .plain)]
    frame.table += (0..<min(room, count)).map { .init(text: "row \($0)", style: .plain) }
    frame.outside = (0, max(0, count - room))
    return frame.lines(marks)
  }

  @Test func itNeverHasMoreLinesThanTheTerminal() {
    for height in 1...30 {
      for count in [0, 1, 5, 20, 100] {
        for (reasons, further) in [(0, 0), (1, 0), (3, 0), (24, 40)] {
          let size = TerminalSize(columns: 20, lines: height)
          #expect(lines(count, reasons: reasons, further: further, in: size).count <= height)
        }
      }
    }
  }

  @Test func whatDoesNotFitIsCounted() {
    let text = lines(100, reasons: 5, in: TerminalSize(columns: 40, lines: 18))
    #expect(text.count == 18)
    #expect(text[11...] == ["  … 91 more rows", "", "~ 0", "  why", "~ 1", "  why", "… 3 more changes"])
  }
}

#endif
