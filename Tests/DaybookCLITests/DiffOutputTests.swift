#if Command

import Foundation
import Testing

/// Tests `diff`.
@Suite(.hangLimit) struct DiffOutputTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("rename", "00000002", "Tart")
    _ = try kitchen.output("relate", "00000005", "type", "00000001")
    _ = try kitchen.output("delete", "00000002")
  }

  private func diff(_ arguments: String...) throws -> String {
    let run = try CommandRun(
      ["diff", kitchen.store, "Recipe", "--section", "type.name", "--sort", "name"] + arguments)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    return run.output
  }

  @Test func peopleGetALineForEachChange() throws {
    #expect(
      try diff("--from", "2") == """
        position 2 to 5
          - section 0 “”
          - delete [1, 0]  Tart (00000002)  by 3, 5
          > move [0, 0] → [0, 0]  Pie (00000005)  by 4

        """)
    #expect(try diff("--from", "5") == "position 5 to 5\n  no difference\n")
  }

  @Test func programsGetOneValue() throws {
    let there = try diff("--from", "2", "--to", "4", "--json")
    #expect(
      there == #"{"from": 2, "to": 4, "sections": [{"change": "delete", "index": 0, "name": ""}], "#
        + #""rows": [{"change": "move", "id": "\#(Kitchen.id(5))", "from": [0, 0], "to": [0, 0]}, "#
        + #"{"change": "update", "id": "\#(Kitchen.id(2))", "from": [1, 0], "to": [0, 1]}], "#
        + #""causes": {"\#(Kitchen.id(5))": [4], "\#(Kitchen.id(2))": [3]}}"# + "\n")
    #expect(try diff("--from", "2", "--to", "4", "--jsonl") == there)
    #expect(
      try diff("--from", "5", "--to", "head", "--json")
        == #"{"from": 5, "to": 5, "sections": [], "rows": [], "causes": {}}"# + "\n")
  }

  @Test func everyPairOfPositionsApplies() throws {
    let states = try (0...5).map { position -> WatchedState in
      let line = try kitchen.output(
        "watch", "Recipe", "--section", "type.name", "--sort", "name", "--from", "\(position)", "--jsonl", "--rows",
        "--count", "0")
      return try WatchedState(#require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]))
    }
    for from in 0...5 {
      for to in 0...5 {
        let json = try diff("--from", "\(from)", "--to", "\(to)", "--json")
        var state = states[from]
        try state.applyAny(#require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]))
        #expect(state == states[to])
      }
    }
  }

  @Test func aModelThatMattersIsAReset() throws {
    let path = kitchen.directory.path("next.json")
    let indifferent = Kitchen.model.replacing("\"name\": \"amount\"", with: "\"name\": \"quantity\"")
    try indifferent.write(toFile: path, atomically: false, encoding: .utf8)
    _ = try kitchen.output("model", "--apply", path)
    #expect(try diff("--from", "4", "--json").contains("\"rows\": [{\"change\": \"delete\""))
    try indifferent.replacing("\"order\": \"natural\"", with: "\"order\": \"codepoint\"")
      .write(toFile: path, atomically: false, encoding: .utf8)
    _ = try kitchen.output("model", "--apply", path)
    #expect(try diff("--from", "4", "--json") == #"{"from": 4, "to": 7, "reset": true}"# + "\n")
    #expect(try diff("--from", "7", "--to", "4", "--json") == #"{"from": 7, "to": 4, "reset": true}"# + "\n")
    #expect(try diff("--from", "4").hasPrefix("position 4 to 7\n  the model changed"))
  }

  @Test func whatIsNotThereIsRefused() throws {
    #expect(try kitchen.run("diff", "Recipe", "--from", "9").status == 1)
    #expect(try kitchen.run("diff", "Recipe", "--from", "1", "--to", "9").status == 1)
    #expect(try kitchen.run("diff", "Recipe", "--to", "1").status == 64)
    let wrong = try kitchen.run("diff", "Recipe", "--from", "1", "--where", "nam == 1")
    #expect(wrong.status == 1 && wrong.errors.contains("at column 1\nnam == 1\n^\n"))
  }
}

#endif
