#if Command

import Foundation
import Testing

@Suite(.hangLimit) struct ObjectCommandTests {
  @Test func insertPrintsTheIdentityAndOthersThePosition() throws {
    let kitchen = try Kitchen()
    let id = try kitchen.output("insert", "Recipe", "name=Cake", "servings=4").trimmingCharacters(in: .newlines)
    #expect(id.count == 36)
    #expect(try kitchen.output("rename", id, "Pie") == "3\n")
    #expect(try kitchen.output("set", String(id.suffix(8)), "servings=8", "note=hot") == "4\n")
    #expect(try kitchen.output("set", id, "note=") == "5\n")
    #expect(try kitchen.output("set", id, "servings=8") == "5\n", "what changes nothing prints the head")
    #expect(try kitchen.output("delete", id.uppercased()) == "6\n")
    #expect(try kitchen.run("get", id).status == 1)
  }

  @Test func writesAnswerInJSON() throws {
    let kitchen = try Kitchen()
    let id = Kitchen.id(1)
    #expect(
      try kitchen.output("insert", "Recipe", "name=Cake", "--id", id, "--json")
        == "{\"position\": 2, \"id\": \"\(id)\"}\n")
    #expect(try kitchen.output("rename", id, "Pie", "--json") == "{\"position\": 3, \"id\": \"\(id)\"}\n")
    #expect(try kitchen.output("delete", id, "--json") == "{\"position\": 4, \"id\": \"\(id)\"}\n")
  }

  @Test func relationshipsAreGivenByPartsOfIdentities() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    for name in ["sweet", "quick"] { _ = try kitchen.output("insert", "Tag", "name=\(name)") }
    let tags = try kitchen.output("fetch", "Tag", "--sort", "name", "--jsonl").split(separator: "\n").map {
      String($0.dropFirst(8).prefix(36).suffix(8))
    }
    let id = try kitchen.output(
      "insert", "Recipe", "name=Tart", "type=00000001", "tags=\(tags[0]),\(tags[1])"
    ).trimmingCharacters(in: .newlines)
    let shown = try kitchen.output("get", id)
    #expect(shown.contains("Dessert (00000001)"))
    #expect(shown.contains("quick (\(tags[0]))") && shown.contains("sweet (\(tags[1]))"))
  }

  @Test func orderedTargetsTakeTheirPlace() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(try kitchen.output("relate", "00000002", "ingredients", "00000004", "--before", "00000003") == "3\n")
    #expect(
      try kitchen.output("get", "00000002", "--json").contains(
        "\"ingredients\": [\"\(Kitchen.id(4))\", \"\(Kitchen.id(3))\"]"))
    #expect(try kitchen.output("relate", "00000002", "ingredients", "00000004", "--after", "00000003") == "4\n")
    let both = try kitchen.run("relate", "2", "ingredients", "4", "--after", "3", "--before", "3")
    #expect(both.status == 64)
  }

  @Test func unrelateTakesTheLinkAway() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(try kitchen.output("unrelate", "00000002", "type", "00000001") == "3\n")
    #expect(try kitchen.output("unrelate", "00000002", "type", "00000001") == "3\n")
    #expect(try kitchen.output("delete", "00000001") == "4\n")
  }

  @Test func getShowsAnObject() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let id = { Kitchen.id($0) }
    #expect(
      try kitchen.output("get", "00000002", "--json") == """
        {"id": "\(id(2))", "entity": "Recipe", "createdAt": "2026-01-02T03:04:05Z", "changedAt": "2026-01-02T03:04:05Z", \
        "values": {"name": "Cake", "servings": 4, "note": null, "ingredientCount": 2}, \
        "links": {"type": "\(id(1))", "ingredients": ["\(id(3))", "\(id(4))"], "tags": []}}

        """)
    #expect(
      try kitchen.output("get", "00000002") == """
        id               \(id(2))
        entity           Recipe
        createdAt        2026-01-02T03:04:05Z
        changedAt        2026-01-02T03:04:05Z
        name             Cake
        servings         4
        note
        ingredientCount  2
        type             Dessert (00000001)
        ingredients      Sugar (00000003), Flour (00000004)
        tags

        """)
  }

  @Test func aRequiredStringBecomesEmpty() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(try kitchen.output("set", "00000001", "name=") == "3\n")
    #expect(try kitchen.output("get", "00000001", "--json").contains(#""name": """#))
  }

  @Test func strangeTextIsKept() throws {
    let kitchen = try Kitchen()
    let name = "=🍰 «Torte»\nzwei=2 \"q\""
    let id = try kitchen.output("insert", "Recipe", "name=\(name)").trimmingCharacters(in: .newlines)
    #expect(try kitchen.output("get", id, "--json").contains(#""name": "=🍰 «Torte»\nzwei=2 \"q\"""#))
  }
}

#endif
