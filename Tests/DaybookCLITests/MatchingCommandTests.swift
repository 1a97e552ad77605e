#if Command

import Foundation
import Testing

/// Commands for all objects that match a filter: `set --where`, `delete --where` and `count`.
@Suite(.hangLimit) struct MatchingCommandTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  /// The number of commits in the store.
  private func head() throws -> Int {
    try kitchen.output("log", "--jsonl").split(separator: "\n").count
  }

  @Test func setChangesAllThatMatchInOneCommit() throws {
    #expect(try kitchen.output("set", "Recipe", "--where", "servings < 9", "servings=9", "note=big") == "3\n")
    let recipes = try kitchen.output("fetch", "Recipe", "--jsonl").split(separator: "\n")
    #expect(recipes.count == 2)
    #expect(recipes.allSatisfy { $0.contains(#""servings": 9, "note": "big""#) })
    #expect(try head() == 3)
  }

  @Test func whatTheFilterReachesMayChangeOnTheWay() throws {
    #expect(try kitchen.output("set", "Recipe", "--where", "note == nil", "note=x", "--author", "editor") == "3\n")
    #expect(try kitchen.output("count", "Recipe", "--where", "note == 'x'") == "1\n")
    #expect(try kitchen.output("log", "--from", "3", "--jsonl").contains(#""author": "editor""#))
  }

  @Test func deleteRemovesAllThatMatchTogether() throws {
    #expect(
      try kitchen.output("delete", "Recipe", "--where", "servings >= 1", "--json")
        == "{\"position\": 3, \"objects\": 2}\n")
    #expect(try kitchen.output("count", "Recipe") == "0\n")
    #expect(try kitchen.output("count", "Ingredient") == "0\n", "the delete rules hold")
    #expect(try kitchen.output("count", "Recipe", "--at", "2", "--json") == "{\"position\": 2, \"count\": 2}\n")
  }

  @Test func variablesOfAFilterAreText() throws {
    let filter = "name, note CONTAINS[cd] $text"
    func count(_ text: String) throws -> String {
      try kitchen.output("count", "Recipe", "--where", filter, "--variable", "text=\(text)")
    }
    #expect(try count("HÖT") == "1\n")
    #expect(try count("' OR 1 == 1") == "0\n")
    #expect(try count("") == "2\n")
    let log = try kitchen.output("log", "--jsonl", "--where", "event.name == $name", "--variable", "name=Pie")
    #expect(log.split(separator: "\n").count == 1)
    let refusals = [
      (try kitchen.run("count", "Recipe", "--where", filter), "“$text” has no value", 1),
      (try kitchen.run("count", "Recipe", "--variable", "text=x"), "--where", 64),
      (try kitchen.run("fetch", "Recipe", "--where", filter, "--variable", "text"), "name=text", 64),
    ]
    for (run, part, status) in refusals {
      #expect(run.status == status && run.errors.contains(part), "\(run.errors)")
    }
  }

  @Test func nothingMatchedWritesNothing() throws {
    #expect(try kitchen.output("set", "Recipe", "--where", "servings > 99", "servings=1") == "2\n")
    #expect(try kitchen.output("delete", "Recipe", "--where", "servings > 99") == "2\n")
    #expect(
      try kitchen.output("set", "Recipe", "--where", "servings > 99", "note=", "--json")
        == "{\"position\": 2, \"objects\": 0}\n")
    // Equal values are no change either.
    #expect(try kitchen.output("set", "Recipe", "--where", "note == 'hot'", "note=hot") == "2\n")
    #expect(try head() == 2)
  }

  @Test func aDryRunCountsAndWritesNothing() throws {
    #expect(try kitchen.output("set", "Recipe", "--where", "servings < 9", "note=x", "--dry-run") == "2\n")
    #expect(
      try kitchen.output("delete", "Recipe", "--where", "servings > 1", "--dry-run", "--json") == "{\"objects\": 1}\n")
    #expect(try kitchen.output("set", "00000002", "note=x", "--dry-run") == "1\n")
    #expect(try kitchen.output("delete", "00000002", "--dry-run") == "1\n")
    let refused = try kitchen.run("delete", "RecipeType", "--where", "name == 'Dessert'", "--dry-run")
    #expect(refused.status == 1 && refused.errors.contains("cannot be deleted"))
    #expect(try head() == 2)
  }

  @Test func oneRefusalRefusesAll() throws {
    // Names are unique.
    let run = try kitchen.run("set", "Recipe", "--where", "servings > 0", "name=Same")
    #expect(run.status == 1 && run.output == "" && run.errors.contains("has the same name as"))
    let deny = try kitchen.run("delete", "RecipeType", "--where", "name == 'Dessert'")
    #expect(deny.status == 1 && deny.errors.contains("its recipes has 1"))
    #expect(try head() == 2)
    #expect(try kitchen.output("count", "Recipe", "--where", "name == 'Cake'") == "1\n")
  }

  @Test func badInputIsRefused() throws {
    let bad: [([String], Int32, String)] = [
      (["set", "Recip", "--where", "servings > 0", "note=x"], 1, "no entity “Recip”"),
      (["set", "Recipe", "--where", "serving > 0", "note=x"], 1, "serving"),
      (["set", "Recipe", "--where", "servings >", "note=x"], 1, "column"),
      (["set", "Recipe", "--where", "servings > 99", "not=x"], 1, "Recipe has no attribute “not”"),
      (["set", "Recipe", "--where", "servings > 0", "servings=x"], 1, "is not an integer"),
      (["set", "Recipe", "--where", "servings > 0"], 64, ""),
      (["set", "Recipe", "note=x"], 1, "is not a part of an identity"),
      (["delete", "Recip", "--where", "name == 'x'"], 1, "no entity “Recip”"),
      (["delete", "Recipe", "--where"], 64, ""),
      (["count", "Recip"], 1, "no entity “Recip”"),
      (["count", "Recipe", "--where", "x"], 1, ""),
      (["count", "Recipe", "--at", "0"], 1, "position 0"),
      (["count", "Recipe", "--at", "9"], 1, "There is no commit 9"),
      (["count"], 64, ""),
    ]
    for (arguments, status, message) in bad {
      let run = try CommandRun([arguments[0], kitchen.store] + arguments.dropFirst())
      #expect(run.status == status, "\(arguments): \(run.errors)")
      #expect(run.output == "" && (message.isEmpty || run.errors.contains(message)), "\(arguments): \(run.errors)")
    }
    #expect(try head() == 2)
  }
}

#endif
