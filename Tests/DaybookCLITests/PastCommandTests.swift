#if Command

import Foundation
import Testing

/// Tests `--at`, `replay` and `revert`.
@Suite(.hangLimit) struct PastCommandTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("rename", "00000002", "Tart")
    _ = try kitchen.output("delete", "00000005")
  }

  @Test func commandsReadTheStoreAsItWas() throws {
    #expect(try kitchen.output("get", Kitchen.id(2), "--at", "2", "--json").contains(#""name": "Cake""#))
    #expect(try kitchen.output("get", Kitchen.id(2), "--at", "head", "--json").contains(#""name": "Tart""#))
    let past = try kitchen.output("fetch", "Recipe", "--at", "2", "--json")
    #expect(past.hasPrefix(#"{"position": 2, "#) && past.contains("Cake") && past.contains("Pie"))
    #expect(try !kitchen.output("fetch", "Recipe", "--json").contains("Pie"))
    #expect(try kitchen.output("tree", "--paths", "--at", "2").contains("Cake/Sugar\n"))
    #expect(try kitchen.output("tree", "--paths").contains("Tart/Sugar\n"))
  }

  @Test func aPositionThatIsNoStateIsRefused() throws {
    for position in ["0", "9"] {
      let run = try kitchen.run("fetch", "Recipe", "--at", position)
      #expect(run.status == 1 && run.output == "" && run.errors.contains("position \(position)") || position == "9")
      #expect(run.status == 1)
    }
    #expect(try kitchen.run("fetch", "Recipe", "--at", "soon").status == 64)
  }

  @Test func aReplayPrintsTheLogOrTheDifferences() throws {
    let log = try kitchen.output("log", "--jsonl", "--from", "2", "--to", "3")
    #expect(try kitchen.output("replay", "--jsonl", "--from", "2", "--to", "3") == log)
    let lines = try kitchen.output("replay", "Recipe", "--sort", "name", "--jsonl", "--from", "3", "--rows")
      .split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix(#"{"position": 2, "sections": [{"name": "", "count": 2, "ids": ["#))
    #expect(lines[1].hasPrefix(#"{"from": 2, "to": 3, "#) && lines[1].contains(#""change": "move""#))
    #expect(lines[2].hasPrefix(#"{"from": 3, "to": 4, "#) && lines[2].contains(#""change": "delete""#))
    #expect(try kitchen.run("replay", "--speed", "0").status == 64)
    #expect(try kitchen.output("replay", "--speed", "1000000000000", "--jsonl", "--from", "2", "--to", "3") == log)
  }

  @Test func aReplayLeavesOutWhatItsRequestDoesNotShow() throws {
    let lines = try kitchen.output("replay", "Recipe", "--show", "type.name", "--jsonl", "--from", "3")
      .split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[1].contains(#""to": 4, "#) && lines[1].contains(#""change": "delete""#))
    let text = try kitchen.output("replay", "Recipe", "--show", "name,type.name", "--from", "3", "--to", "3")
    #expect(text.contains("~ update [0, 0] → [0, 0]  Tart (00000002)  name: Tart, type.name: Dessert  by 3\n"))
  }

  @Test func aRevertIsACommitAndIsRefusedWhereLaterOnesTouchedTheSame() throws {
    #expect(try kitchen.output("revert", "4") == "5\n")
    #expect(try kitchen.output("get", Kitchen.id(5), "--json").contains("Pie"))
    let run = try kitchen.run("revert", "2")
    #expect(run.status == 1 && run.errors.contains("commit 3: Recipe \(Kitchen.id(2)) would be deleted, but"))
    #expect(try kitchen.output("revert", "3", "--to", "5", "--json").hasPrefix(#"{"position": 6"#))
    #expect(try kitchen.run("revert", "1").status == 1)
    #expect(try kitchen.run("revert", "77").status == 1)
  }
}

#endif
