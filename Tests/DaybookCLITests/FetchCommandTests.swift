#if Command

import Foundation
import Testing

@Suite(.hangLimit) struct FetchCommandTests {
  private static let stamps = #""createdAt": "2026-01-02T03:04:05Z", "changedAt": "2026-01-02T03:04:05Z""#

  private static let cake = """
    {"id": "\(Kitchen.id(2))", "entity": "Recipe", \(stamps), \
    "values": {"name": "Cake", "servings": 4, "note": null, "ingredientCount": 2}, "links": {"type": "\(Kitchen.id(1))"}
    """

  private static let pie = """
    {"id": "\(Kitchen.id(5))", "entity": "Recipe", \(stamps), \
    "values": {"name": "Pie", "servings": 1, "note": "hot", "ingredientCount": 0}, "links": {"type": null}
    """

  @Test func jsonHasThePositionAndSections() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let (cake, pie) = (Self.cake, Self.pie)
    #expect(
      try kitchen.output("fetch", "Recipe", "--sort", "name:desc", "--json")
        == "{\"position\": 2, \"sections\": [{\"name\": \"\", \"objects\": [\(pie)}, \(cake)}]}]}\n")
    #expect(
      try kitchen.output("fetch", "Recipe", "--section", "type.name", "--json")
        == "{\"position\": 2, \"sections\": [{\"name\": \"\", \"objects\": [\(pie)}]}, {\"name\": \"Dessert\", \"objects\": [\(cake)}]}]}\n"
    )
    #expect(
      try kitchen.output("fetch", "Tag", "--json")
        == "{\"position\": 2, \"sections\": [{\"name\": \"\", \"objects\": []}]}\n")
    #expect(
      try kitchen.output("fetch", "Tag", "--section", "name.initial", "--json")
        == "{\"position\": 2, \"sections\": []}\n")
  }

  @Test func jsonLinesNameTheSection() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(
      try kitchen.output("fetch", "Recipe", "--section", "type.name:desc", "--jsonl")
        == "\(Self.cake), \"section\": \"Dessert\"}\n\(Self.pie), \"section\": \"\"}\n")
    #expect(try kitchen.output("fetch", "Tag", "--jsonl") == "")
  }

  @Test func peopleGetATable() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(
      try kitchen.output("fetch", "Recipe", "--section", "type.name") == """
        id        name  servings  note  ingredientCount  type

        \("")
        00000005  Pie          1  hot                 0

        Dessert
        00000002  Cake         4                      2  Dessert (00000001)

        2 objects at position 2

        """)
    #expect(try kitchen.output("fetch", "Tag") == "0 objects at position 2\n")
  }

  @Test func shownValuesAreColumnsAfterTheName() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    #expect(
      try kitchen.output("fetch", "Recipe", "--sort", "name", "--show", "type.name,servings", "--show", "name, type")
        == """
        id        name  type.name  servings  type
        00000002  Cake  Dessert           4  Dessert (00000001)
        00000005  Pie                     1

        2 objects at position 2

        """)
    #expect(
      try kitchen.output("fetch", "Recipe", "--show", "ingredients.name,ingredients,ingredientCount", "--limit", "1")
        == """
        id        name  ingredients.name  ingredients                         ingredientCount
        00000002  Cake  Sugar, Flour      Sugar (00000003), Flour (00000004)                2

        1 object at position 2

        """)
  }

  @Test func jsonHasTheShownValuesByPath() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let shown =
      #""shown": {"type.name": "Dessert", "ingredients.amount": [null, "200 g"], "type": "\#(Kitchen.id(1))"}"#
    let none = #""shown": {"type.name": null, "ingredients.amount": [], "type": null}"#
    let (cake, pie) = (Self.cake, Self.pie)
    let options = ["fetch", kitchen.store, "Recipe", "--sort", "name", "--show", "type.name,ingredients.amount,type"]
    #expect(
      try CommandRun(options + ["--json"]).output
        == "{\"position\": 2, \"sections\": [{\"name\": \"\", \"objects\": [\(cake), \(shown)}, \(pie), \(none)}]}]}\n")
    #expect(
      try CommandRun(options + ["--jsonl", "--limit", "1"]).output == "\(cake), \(shown), \"section\": \"\"}\n")
  }

  @Test func sectionsAndNilHaveTheirPlaces() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    _ = try kitchen.output("insert", "Recipe", "name=7 greens", "note=a", "--id", Kitchen.id(6))
    func sections(_ arguments: String...) throws -> [String] {
      try CommandRun(["fetch", kitchen.store, "Recipe", "--jsonl"] + arguments).lines.map {
        String($0.components(separatedBy: "\"section\": \"")[1].prefix { $0 != "\"" })
      }
    }
    #expect(try sections("--section", "type.name:nils-last") == ["Dessert", "", ""])
    #expect(try sections("--section", "name.initial") == ["#", "C", "P"])
    #expect(try sections("--section", "name.initial:other-last") == ["C", "P", "#"])
    #expect(try sections("--section", "name", "--section-order", "Pie, Cake") == ["Pie", "Cake", "7 greens"])
    #expect(
      try sections("--section", "name", "--section-order", "Pie", "--section-order", "\"7 greens\"")
        == ["Pie", "7 greens", "Cake"])
    #expect(try sections("--section", "name:desc", "--section-order", "Pie") == ["Cake", "7 greens", "Pie"])
    func names(_ sort: String) throws -> [String] {
      try kitchen.output("fetch", "Recipe", "--jsonl", "--sort", sort).split(separator: "\n").map {
        String($0.split(separator: "\"name\": \"")[1].prefix { $0 != "\"" })
      }
    }
    #expect(try names("note") == ["Cake", "7 greens", "Pie"])
    #expect(try names("note:nils-last") == ["7 greens", "Pie", "Cake"])
    #expect(try names("note:desc:nils-first") == ["Cake", "Pie", "7 greens"])
    let plan = try kitchen.output("fetch", "Recipe", "--sort", "type.name:nils-last", "--explain")
    #expect(plan.hasPrefix("view Recipe(type.name, name), nils last"))
  }

  @Test func windowsAndFiltersApply() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    func names(_ arguments: String...) throws -> [String] {
      try CommandRun(["fetch", kitchen.store, "Recipe", "--jsonl", "--sort", "name"] + arguments).lines.map {
        String($0.components(separatedBy: "\"name\": \"")[1].prefix { $0 != "\"" })
      }
    }
    #expect(try names() == ["Cake", "Pie"])
    #expect(try names("--limit", "1") == ["Cake"])
    #expect(try names("--offset", "1") == ["Pie"])
    #expect(try names("--limit", "0") == [])
    #expect(try names("--where", "ANY ingredients.name CONTAINS \"ug\"") == ["Cake"])
    #expect(try names("--where", "COUNT(ingredients WHERE name CONTAINS \"ug\") == 1") == ["Cake"])
    let both = #"ANY ingredients WHERE (name CONTAINS "ug" AND recipe.name == "Cake")"#
    #expect(try names("--where", both) == ["Cake"])
    #expect(try names("--where", "-1 < servings AND note == nil") == ["Cake"])
  }

  @Test func explainSaysWhereRowsComeFrom() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let text = try kitchen.output("fetch", "Recipe", "--sort", "type.name", "--sort", "name", "--explain")
    #expect(text.hasPrefix("view Recipe(type.name, name)"))
    let json = try kitchen.output("fetch", "Recipe", "--explain", "--json")
    #expect(json.hasPrefix("{\"position\": 2, \"plan\": \""))
  }

  @Test func aReaderThatGoesAwayEndsTheCommandQuietly() throws {
    let inserts = (0..<5_000).map { #"{"insert": "Tag", "values": {"name": "tag \#($0)"}}"# }
    let kitchen = try Kitchen()
    _ = try kitchen.output("apply", "--batch", "5000", input: inserts.joined(separator: "\n"))
    for form in ["--jsonl", "--json", "--limit 5000"] {
      let run = try shell(
        "set -o pipefail; \"$DAYBOOK\" fetch '\(kitchen.store)' Tag \(form) | head -c 10 > /dev/null; exit ${PIPESTATUS[0]}"
      )
      #expect(run.status == 0)
      #expect(run.errors == "")
    }
  }
}

#endif
