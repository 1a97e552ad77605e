#if Command

import Foundation
import Testing

/// Grouped requests by the command.
@Suite("Groups by the command", .hangLimit) struct GroupCommandTests {
  private let kitchen: Kitchen
  private static let byType = ["--group", "type.name", "--group", "createdAt.month", "--show", "count, sum:servings"]

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  /// Runs a command that must succeed on the recipes by type, and returns its output.
  private func output(
    _ command: String, _ arguments: String..., at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try CommandRun([command, kitchen.store, "Recipe"] + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
    return run.output
  }

  private func grouped(_ command: String, _ arguments: String...) throws -> String {
    let run = try CommandRun([command, kitchen.store, "Recipe"] + Self.byType + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return run.output
  }

  @Test("A table has the keys and the values, with numbers to the right")
  func table() throws {
    _ = try kitchen.output("insert", "Recipe", "name=Tart", "servings=12", "type=\(Kitchen.id(1))")
    #expect(
      try output(
        "fetch", "--group", "type.name", "--show", "count, total = sum:servings, first:name", "--sort", "total") == """
          type.name  count  total  first:name
                         1      1  Pie
          Dessert        2     16  Cake

          2 groups at position 3

          """)
    #expect(
      try output("fetch", "--group", "type.name", "--having", "count > 1", "--section", "type.name") == """
        type.name  count

        Dessert
        Dessert        2

        1 group at position 3

        """)
    #expect(
      try output("fetch", "--group", "", "--show", "sum:servings", "--show", "max:name", "--at", "2") == """
        sum:servings  max:name
                   5  Pie

        1 group at position 2

        """)
  }

  @Test("The first and the last value follow the order of the objects")
  func order() throws {
    #expect(
      try output("fetch", "--group", "", "--show", "first:name,last:name", "--order", "servings", "--jsonl")
        == #"{"key": {}, "values": {"first:name": "Pie", "last:name": "Cake"}, "section": ""}"# + "\n")
  }

  @Test("As JSON a group is its key and its values")
  func json() throws {
    #expect(
      try grouped("fetch", "--sort", "count:desc", "--sort", "sum:servings:desc", "--limit", "1", "--json") == """
        {"position": 2, "sections": [{"name": "", "objects": [{"key": {"type.name": "Dessert", "createdAt.month": "2026-01"}, \
        "values": {"count": 1, "sum:servings": 4}}]}]}

        """)
    #expect(try grouped("fetch", "--explain").contains("groups by type.name, createdAt.month in one pass"))
    #expect(try output("count", "--group", "type.name") == "2\n")
    #expect(
      try output("count", "--group", "type.name", "--show", "sum:servings", "--having", "sum:servings > 3") == "1\n")
    #expect(
      try output("count", "--group", "type.name", "--having", "type.name == $type", "--variable", "type=Dessert")
        == "1\n")
    #expect(try output("bisect", "--group", "type.name", "--count", ">= 2") == "2\n")
  }

  @Test("A difference names groups by their keys")
  func difference() throws {
    _ = try kitchen.output("set", Kitchen.id(2), "servings=9")
    _ = try kitchen.output("delete", Kitchen.id(5))
    #expect(
      try grouped("diff", "--from", "2", "--json") == """
        {"from": 2, "to": 4, "sections": [], "rows": [{"change": "delete", "id": [null, "2026-01"], "from": [0, 0]}, \
        {"change": "update", "id": ["Dessert", "2026-01"], "from": [0, 1], "to": [0, 0]}], \
        "causes": {"[null,\\"2026-01\\"]": [4], "[\\"Dessert\\",\\"2026-01\\"]": [3]}}

        """)
    #expect(
      try grouped("diff", "--from", "2") == """
        position 2 to 4
          - delete [0, 0]  (none), 2026-01  by 4
          ~ update [0, 1] → [0, 0]  Dessert, 2026-01  count: 1, sum:servings: 9  by 3

        """)
    #expect(
      try output("diff", "--group", "", "--from", "3") == """
        position 3 to 4
          ~ update [0, 0] → [0, 0]  all  count: 1  by 4

        """)
    #expect(try output("diff", "--group", "", "--from", "3", "--json").contains(#""id": [], "#))
  }

  @Test("Watching and replaying print the differences of groups, and the keys of the state")
  func following() throws {
    _ = try kitchen.output("set", Kitchen.id(2), "servings=9")
    let update = #""rows": [{"change": "update", "id": ["Dessert", "2026-01"], "from": [0, 1], "to": [0, 1]}]"#
    let watched = try grouped("watch", "--from", "2", "--count", "1", "--jsonl", "--rows").split(separator: "\n")
    #expect(
      watched.first == """
        {"position": 2, "sections": [{"name": "", "count": 2, "ids": [[null, "2026-01"], ["Dessert", "2026-01"]]}]}
        """)
    #expect(watched.count == 2 && watched.last?.contains(update) == true)
    let replayed = try grouped("replay", "--from", "2", "--jsonl").split(separator: "\n")
    #expect(replayed.count == 3 && replayed.last?.contains(update) == true)
    #expect(try grouped("watch", "--from", "2", "--count", "1").contains("Dessert, 2026-01  count: 1, sum:servings: 9"))
  }

  @Test("On a terminal groups are drawn with their values, and changed ones are marked and explained")
  func screen() throws {
    let run = try RunningCommand(
      ["watch", kitchen.store, "Recipe", "--group", "type.name", "--show", "sum:servings", "--count", "1"],
      columns: 100,
      lines: 24, environment: ["NO_COLOR": "1", "TERM": "xterm"])
    #expect(try run.text(through: "Dessert               4").contains("   type.name  sum:servings"))
    _ = try kitchen.output("set", Kitchen.id(2), "servings=9", "--author", "editor")
    let end = try run.end()
    #expect(end.status == 0)
    #expect(end.output.contains("~  Dessert               9"), "\(end.output)")
    #expect(end.output.contains("~ Dessert"))
  }

  @Test(
    "What cannot be grouped is refused at its column",
    arguments: [
      (
        ["--group", "name", "--group", "note", "--group", "servings", "--group", "type.name", "--group", "createdAt"],
        "column 1"
      ),
      (["--group", "tags.name"], "column 1"), (["--group", "tipe.name"], "column 1"),
      (["--group", "type.name", "--having", "sum:servings > 4"], "column 1"),
      (["--group", "type.name", "--having", "count > 1 AND total > 4"], "column 15"),
      (["--group", "type.name", "--show", "count, sum:name"], "column 8"),
      (["--group", "type.name", "--show", "count, median:servings"], "column 8"),
      (["--group", "name", "--group", "name"], "column 1"),
      (["--group", "name", "--sort", "count:down"], "neither shown"),
      (["--group", "name", "--sort", "servings"], "neither shown"),
      (["--group", "name", "--order", "servigns"], "order “servigns”"),
      (["--group", "name", "--section", "servings"], "first key"),
    ])
  func refusals(_ options: [String], _ place: String) throws {
    for command in ["fetch", "diff"] {
      let run = try CommandRun(
        [command, kitchen.store, "Recipe"] + options + (command == "diff" ? ["--from", "0"] : []))
      #expect(run.status == 1 && run.output == "")
      #expect(run.errors.contains(place), "\(run.errors)")
    }
  }

  @Test(
    "What is about groups needs groups",
    arguments: [["--having", "count > 3"], ["--order", "servings"]])
  func ungrouped(_ options: [String]) throws {
    let run = try CommandRun(["fetch", kitchen.store, "Recipe"] + options)
    #expect(run.status == 64 && run.errors.contains("needs --group"), "\(run.errors)")
  }
}

#endif
