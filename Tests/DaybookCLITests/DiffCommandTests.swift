#if Command

import DaybookTestSupport
import DifferenceCases
import Foundation
import Testing

@Suite(.hangLimit) struct DiffCommandTests {
  /// The cases of the file.
  static let cases: [FeedCase] = (try? FeedCase.all()) ?? []

  @Test func thereAreSixtyCases() {
    #expect(Self.cases.count == 60)
  }

  @Test(arguments: Self.cases)
  func theCommandGivesTheExpectedDifference(_ feedCase: FeedCase) throws {
    let script = CaseScript(feedCase)
    let directory = try TemporaryDirectory()
    let (store, model) = (directory.path("store"), directory.path("model.json"))
    try script.model.write(toFile: model, atomically: false, encoding: .utf8)
    #expect(try CommandRun(["init", store, "--model", model]).errors == "")
    let applied = try CommandRun(["apply", store], input: script.operations)
    #expect(applied.status == 0 && applied.errors == "")
    let head = try #require(try CommandRun(["stats", store, "--json"]).head)
    let from = String(script.hasRowsBefore ? head - 1 : 1)
    let run = try CommandRun(["diff", store, "Row", "--from", from, "--json"] + script.request)
    #expect(run.status == 0 && run.errors == "")
    let printed = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(printed["from"] as? Int == Int(from) && printed["to"] as? Int == head)
    let difference = try script.difference(printed)
    #expect(difference == feedCase.expected)
    try feedCase.situation.checkLeads(difference)
  }

  @Test func jsonHasSectionsRowsAndCauses() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(try kitchen.output("unrelate", Kitchen.id(2), "type", Kitchen.id(1)) == "3\n")
    let cake = Kitchen.id(2)
    #expect(
      try kitchen.output("diff", "Recipe", "--section", "type.name", "--sort", "name", "--from", "2", "--json") == """
        {"from": 2, "to": 3, "sections": [{"change": "delete", "index": 1, "name": "Dessert"}], \
        "rows": [{"change": "move", "id": "\(cake)", "from": [1, 0], "to": [0, 0]}], "causes": {"\(cake)": [3]}}

        """)
    #expect(
      try kitchen.output("diff", "Recipe", "--from", "3", "--to", "3", "--json")
        == "{\"from\": 3, \"to\": 3, \"sections\": [], \"rows\": [], \"causes\": {}}\n")
  }

  @Test func peopleGetALineForEachChange() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("rename", Kitchen.id(5), "Tart")
    #expect(
      try kitchen.output("diff", "Recipe", "--sort", "name", "--from", "2")
        == "position 2 to 3\n  ~ update [0, 1] → [0, 1]  Tart (00000005)  by 3\n")
    #expect(try kitchen.output("diff", "Tag", "--from", "0") == "position 0 to 3\n  no difference\n")
  }

  @Test func whatIsShownDecidesWhatIsAnUpdate() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("rename", Kitchen.id(1), "Sweet")
    _ = try kitchen.output("set", Kitchen.id(5), "servings=2")
    #expect(
      try kitchen.output("diff", "Recipe", "--sort", "name", "--show", "name,type.name", "--from", "2")
        == "position 2 to 4\n  ~ update [0, 0] → [0, 0]  Cake (00000002)  name: Cake, type.name: Sweet  by 3\n")
    let json = try kitchen.output(
      "diff", "Recipe", "--sort", "name", "--show", "type.name", "--show", "servings", "--from", "2", "--json")
    #expect(json.contains(#""causes": {"\#(Kitchen.id(2))": [3], "\#(Kitchen.id(5))": [4]}"#))
    #expect(
      try kitchen.output("diff", "Recipe", "--show", "note", "--from", "2") == "position 2 to 4\n  no difference\n")
    // The way back has the values of the earlier position.
    #expect(
      try kitchen.output("diff", "Recipe", "--sort", "name", "--show", "type.name", "--from", "4", "--to", "2")
        == "position 4 to 2\n  ~ update [0, 0] → [0, 0]  Cake (00000002)  type.name: Dessert  by 3\n")
  }

  @Test func theWayBackIsTheInverse() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("delete", Kitchen.id(5))
    let there = try kitchen.output("diff", "Recipe", "--from", "2", "--to", "head", "--json")
    let back = try kitchen.output("diff", "Recipe", "--from", "head", "--to", "2", "--json")
    #expect(there.contains(#""rows": [{"change": "delete", "id": "\#(Kitchen.id(5))", "from": [0, 1]}]"#))
    #expect(back.contains(#""rows": [{"change": "insert", "id": "\#(Kitchen.id(5))", "to": [0, 1]}]"#))
  }

  @Test func mistakesAreRefused() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    for arguments in [["--from", "9"], ["--from", "1", "--to", "9"], ["--from", "1", "--sort", "nothing"]] {
      let run = try CommandRun(["diff", kitchen.store, "Recipe"] + arguments)
      #expect(run.status == 1 && run.output == "" && run.errors != "")
    }
  }
}

extension CommandRun {
  fileprivate var head: Int? {
    let object = try? JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    return object?["head"] as? Int
  }
}

#endif
