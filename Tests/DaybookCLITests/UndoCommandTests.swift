#if Command

import Testing

/// `daybook undo` and `daybook redo`, each run in a process of its own.
@Suite(.hangLimit) struct UndoCommandTests {
  private let kitchen: Kitchen
  private let cake = Kitchen.id(2)

  init() throws { kitchen = try Kitchen(Kitchen.menu) }

  private func servings() throws -> String {
    let object = try kitchen.output("get", cake, "--json")
    let start = try #require(object.range(of: #""servings": "#)?.upperBound)
    return String(object[start...].prefix { $0 != "," && $0 != "}" })
  }

  @Test func undoAndRedoWorkFromAnyProcess() throws {
    _ = try kitchen.output("set", cake, "servings=5", "--author", "a")
    _ = try kitchen.output("set", cake, "servings=6", "--author", "a")
    #expect(try kitchen.output("undo") == "5\n")
    #expect(try servings() == "5")
    #expect(try kitchen.output("undo", "--author", "a", "--as", "b", "--message", "no") == "6\n")
    #expect(try servings() == "4")
    let line = try kitchen.output("log", "--from", "6", "--jsonl")
    #expect(line.contains(#""author": "b", "message": "no""#) && line.contains(#""undoes": [3]"#))
    #expect(try kitchen.output("redo", "--author", "a", "--steps", "2") == "7\n8\n")
    #expect(try servings() == "6")
    let text = try kitchen.output("log", "--from", "5", "--to", "7")
    #expect(text.contains("Undoes 4") && text.contains("Undoes 3") && text.contains("Redoes 3"))
    #expect(try kitchen.output("verify").contains("8 commits"))
    let run = try kitchen.run("redo")
    #expect(run.status == 1 && run.output == "" && run.errors.contains("no commit to redo"))
  }

  @Test func aConflictIsReportedWithCommitsAndValues() throws {
    _ = try kitchen.output("set", cake, "servings=5", "note=a", "--author", "a")
    _ = try kitchen.output("set", cake, "servings=6", "--author", "b")
    let run = try kitchen.run("undo", "--author", "a")
    #expect(run.status == 1 && run.output == "")
    #expect(run.errors.contains("commit 4: Recipe \(cake): servings is 6, and 5 was left"))
    #expect(!run.errors.contains("note"))
    #expect(try kitchen.output("undo", "--author", "a", "--force") == "5\n")
    #expect(try servings() == "4")
  }

  @Test func whatAForcedUndoLeavesOutIsPrinted() throws {
    _ = try kitchen.output("rename", cake, "Torte", "--author", "a")
    _ = try kitchen.output("rename", Kitchen.id(5), "Cake", "--author", "b")
    let run = try kitchen.run("undo", "--author", "a")
    #expect(run.status == 1 && run.errors.contains("commit 4: ") && run.errors.contains("same name"))
    let lines = try kitchen.output("undo", "--author", "a", "--force").split(separator: "\n")
    #expect(lines.count == 2 && lines[0] == "5" && lines[1].hasPrefix("  left out: name of \(cake)"))
    #expect(
      try kitchen.output("redo", "--author", "a", "--json") == """
        {"position": 6, "commits": [{"position": 6, "redoes": [3], "leftOut": []}]}

        """)
  }

  @Test func stepsAreAllOrNone() throws {
    _ = try kitchen.output("set", cake, "servings=5", "--author", "a")
    let run = try kitchen.run("undo", "--author", "a", "--steps", "2")
    #expect(run.status == 1 && run.errors.contains("only 1 of a to undo, not 2"))
    #expect(try kitchen.run("undo", "--steps", "0").status == 64)
    #expect(
      try kitchen.output("undo", "--steps", "2", "--json") == """
        {"position": 5, "commits": [{"position": 4, "undoes": [3], "leftOut": []}, {"position": 5, "undoes": [2], "leftOut": []}]}

        """)
    #expect(try kitchen.run("undo").errors.contains("no commit to undo"))
    #expect(try kitchen.output("fetch", "Recipe", "--jsonl") == "")
  }

  @Test func revertsNameTheirCommits() throws {
    for number in 5...7 { _ = try kitchen.output("set", cake, "servings=\(number)") }
    #expect(try kitchen.output("revert", "4", "--to", "5") == "6\n")
    #expect(try kitchen.output("log", "--from", "6", "--jsonl").contains(#""undoes": [4, 5]"#))
    #expect(try servings() == "5")
    #expect(try kitchen.output("revert", "3") == "7\n")
    #expect(try servings() == "4")
  }
}

#endif
