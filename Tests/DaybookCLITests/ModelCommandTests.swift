#if Command

import DaybookTestSupport
import Foundation
import Testing

@Suite(.hangLimit) struct ModelCommandTests {
  @Test func textIsSortedByALanguage() throws {
    let directory = try TemporaryDirectory()
    let (model, store) = (directory.path("model.json"), directory.path("store"))
    let attribute = #"{"name": "text", "type": "string", "order": "locale:sv"}"#
    try #"{"entities": [{"name": "Word", "nameAttribute": "text", "attributes": [\#(attribute)]}]}"#
      .write(toFile: model, atomically: true, encoding: .utf8)
    #expect(try CommandRun(["init", store, "--model", model]).status == 0)
    for word in ["öl", "ål", "Zebra", "ask 10", "Ask 9"] {
      #expect(try CommandRun(["insert", store, "Word", "text=\(word)"]).status == 0)
    }
    func words(_ sort: String) throws -> [String] {
      let lines = try CommandRun(["fetch", store, "Word", "--sort", sort, "--jsonl"]).output.split(separator: "\n")
      return lines.compactMap { line in
        ["öl", "ål", "Zebra", "ask 10", "Ask 9"].first { line.contains("\"\($0)\"") }
      }
    }
    #expect(try words("text") == ["Ask 9", "ask 10", "Zebra", "ål", "öl"])
    #expect(try words("text:locale:de:desc") == ["Zebra", "öl", "ask 10", "Ask 9", "ål"])
    #expect(try CommandRun(["verify", store]).status == 0)
    let refused = try CommandRun(["fetch", store, "Word", "--sort", "text:locale:xx"])
    #expect(refused.status == 1 && refused.errors.contains("knows the locale “xx”"), "\(refused.errors)")
  }

  @Test func theModelIsShown() throws {
    let kitchen = try Kitchen()
    #expect(
      try kitchen.output("model").hasPrefix(
        """
        Recipe, named by name
          name             string, natural order
          servings         integer, default 1
          note             string, optional
          ingredientCount  count of ingredients
          type             → RecipeType, optional, inverse recipes
          ingredients      → many Ingredient, ordered, inverse recipe, on delete cascade
          tags             → many Tag, inverse recipes
          unique           name
          index            type.name, name
          index            changedAt:desc

        RecipeType, named by name

        """))
  }

  @Test func declaredGroupsAreShownAndUsed() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let path = kitchen.directory.path("new.json")
    let groups = #"{"name": "byType", "by": ["type.name"], "show": ["count", "sum:servings"]}"#
    try Kitchen.model.replacingOccurrences(
      of: #"{"name": "Recipe", "nameAttribute": "name","#,
      with: #"{"name": "Recipe", "nameAttribute": "name", "groups": [\#(groups)],"#
    ).write(toFile: path, atomically: false, encoding: .utf8)
    let steps = try kitchen.output("model", "--apply", path, "--dry-run")
    #expect(steps.contains("add groups Recipe byType by [type.name], showing [count, sum:servings]"))
    #expect(try kitchen.output("model", "--apply", path) == "3\n")
    #expect(
      try kitchen.output("model").contains("groups           byType by [type.name], showing [count, sum:servings]"))
    let fetch = ["fetch", kitchen.store, "Recipe", "--group", "type.name", "--show", "count, sum:servings"]
    #expect(try CommandRun(fetch + ["--explain"]).output.hasPrefix("groups Recipe.byType: "))
    #expect(try CommandRun(fetch).output.contains("Dessert"))
    #expect(try CommandRun(["verify", kitchen.store]).status == 0)
  }

  @Test func theModelThatIsPrintedIsTheSameAgain() throws {
    let kitchen = try Kitchen()
    let path = kitchen.directory.path("printed.json")
    try kitchen.output("model", "--json").write(toFile: path, atomically: false, encoding: .utf8)
    #expect(try kitchen.output("model", "--apply", path) == "1\n")
    #expect(try kitchen.output("model", "--apply", path, "--json") == "{\"position\": 1, \"steps\": []}\n")
    #expect(
      try CommandRun(["init", kitchen.directory.path("other"), "--model", path, "--json"]).output
        == "{\"position\": 1}\n")
  }

  @Test func anotherModelIsPlannedAndApplied() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let path = kitchen.directory.path("new.json")
    try Kitchen.model.replacingOccurrences(
      of: #"{"name": "note", "type": "string", "optional": true}"#,
      with: #"{"name": "remark", "renamedFrom": "note", "type": "string", "optional": true}"#
    ).write(toFile: path, atomically: false, encoding: .utf8)
    let plan = try kitchen.output("model", "--apply", path, "--dry-run")
    #expect(plan.contains("remark"))
    #expect(
      try kitchen.output("model", "--apply", path, "--dry-run", "--json").hasPrefix("{\"position\": 2, \"steps\": [\""))
    #expect(try kitchen.output("model", "--apply", path) == "3\n")
    #expect(try kitchen.output("get", "00000005", "--json").contains(#""remark": "hot""#))
  }

  @Test func aModelThatCannotFollowIsRefused() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let path = kitchen.directory.path("new.json")
    try Kitchen.model.replacingOccurrences(of: #""type": "integer", "default": 1"#, with: #""type": "string""#)
      .write(toFile: path, atomically: false, encoding: .utf8)
    let run = try kitchen.run("model", "--apply", path)
    #expect(run.status == 1)
    #expect(run.errors.contains("servings"))
    #expect(try kitchen.run("model", "--apply", path, "--dry-run").status == 1)
  }

  @Test func aRuleThatObjectsBreakIsRefusedUnlessNewValuesAloneAreChecked() throws {
    let kitchen = try Kitchen(Kitchen.menu)
    let path = kitchen.directory.path("new.json")
    try Kitchen.model.replacingOccurrences(
      of: #""type": "integer", "default": 1"#, with: #""type": "integer", "default": 1, "minimum": 1, "maximum": 3"#
    ).write(toFile: path, atomically: false, encoding: .utf8)
    for run in [
      try kitchen.run("model", "--apply", path), try kitchen.run("model", "--apply", path, "--dry-run"),
    ] {
      #expect(run.status == 1)
      #expect(run.errors.contains("breaks a new rule") || run.errors.contains("break a new rule"))
    }
    #expect(try kitchen.run("model", "--new-values-only").status == 64)
    #expect(
      try kitchen.output("model", "--apply", path, "--dry-run", "--new-values-only").contains("add the rule maximum 3"))
    #expect(try kitchen.output("model", "--apply", path, "--new-values-only") == "3\n")
    #expect(try kitchen.output("model").contains("minimum 1, maximum 3"))
    // An import takes what was written before the rule.
    let (lines, copy) = (kitchen.directory.path("lines"), kitchen.directory.path("copy"))
    try kitchen.output("export").write(toFile: lines, atomically: false, encoding: .utf8)
    #expect(try CommandRun(["import", "events", copy, lines]).status == 0)
    #expect(try CommandRun(["model", copy]).output.contains("minimum 1, maximum 3"))
    let refused = try kitchen.run("set", "00000005", "servings=0")
    #expect(refused.status == 1 && refused.errors.contains("servings is 0; 1 or more is needed"))
  }
}

#endif
