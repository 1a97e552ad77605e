#if Command

import Foundation
import Testing

/// The messages and exit statuses of refused commands.
@Suite(.hangLimit) struct RefusalTests {
  private let kitchen: Kitchen

  init() throws {
    kitchen = try Kitchen(Kitchen.menu)
  }

  private func expect(
    _ status: Int32, _ message: String, _ command: String, _ arguments: String...,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let run = try CommandRun([command, kitchen.store] + arguments)
    #expect(run.status == status, "\(run.errors)", sourceLocation: location)
    #expect(run.output == "", sourceLocation: location)
    #expect(run.errors.contains(message), "\(run.errors)", sourceLocation: location)
  }

  @Test func theStoreSaysNo() throws {
    try expect(1, "daybook: The model has no entity “Recip”.\nIt has Recipe, RecipeType", "insert", "Recip")
    try expect(1, "daybook: Recipe has no attribute “nam”.\nIt has name, servings, note.", "insert", "Recipe", "nam=x")
    try expect(
      1, "Recipe has no relationship “typ”.\nIt has type, ingredients, tags.", "relate", "00000002", "typ", "00000001")
    try expect(1, "It is a relationship: use relate.", "set", "00000002", "type=1")
    try expect(1, "Recipe.ingredientCount is derived", "set", "00000002", "ingredientCount=1")
    try expect(1, "Recipe.createdAt is built in", "set", "00000002", "createdAt=2026-01-01")
    try expect(1, "Recipe.servings: “x” is not an integer", "set", "00000002", "servings=x")
    try expect(1, "Recipe.servings: “” is not an integer", "set", "00000002", "servings=")
    try expect(1, "Recipe.name is given twice", "insert", "Recipe", "name=a", "name=b")
    try expect(1, "has the same name as", "insert", "Recipe", "name=Cake")
    try expect(1, "needs a recipe", "insert", "Ingredient", "name=Salt")
    try expect(1, "needs a value for name", "insert", "Tag")
    try expect(1, "exists already", "insert", "Tag", "name=a", "--id", Kitchen.id(2))
    try expect(1, "cannot be deleted: its recipes has 1", "delete", "00000001")
    try expect(1, "but \(Kitchen.id(2)) is a Recipe", "relate", "00000002", "type", "00000002")
    try expect(1, "is not ordered", "relate", "00000002", "type", "00000001", "--before", "00000001")
    try expect(1, "leads to one object, and 2 are given", "insert", "Recipe", "name=x", "type=00000001,00000001")
    try expect(1, "There is no object 0190163d-8694-739b-aea5-000000000009.", "get", Kitchen.id(9))
    try expect(1, "There is no object", "rename", Kitchen.id(9), "x")
    try expect(1, "No object has an identity with “abcdef12” in it.", "delete", "abcdef12")
    try expect(1, "“$cake” is not a part of an identity.", "delete", "$cake")
  }

  @Test func anAmbiguousPartListsTheCandidates() throws {
    let run = try kitchen.run("get", "0190163d")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        daybook: “0190163d” is part of 5 identities:
          \(Kitchen.id(2)) (Recipe)
          \(Kitchen.id(5)) (Recipe)
          \(Kitchen.id(1)) (RecipeType)
          \(Kitchen.id(3)) (Ingredient)
          \(Kitchen.id(4)) (Ingredient)
        Give more digits.

        """)
  }

  @Test func aWrongRequestPointsAtTheColumn() throws {
    try expect(1, "filter: ", "fetch", "Recipe", "--where", "name BEGINSWIHT \"Ch\"")
    let run = try kitchen.run("fetch", "Recipe", "--where", "name == \"x\" AND nam == 2")
    #expect(run.status == 1)
    #expect(run.errors.contains("at column 17\nname == \"x\" AND nam == 2\n                ^\n"))
    try expect(1, "sort “nam”", "fetch", "Recipe", "--sort", "nam")
    try expect(
      1,
      "“:nils-last”, an order such as “:natural” or “:locale:sv”, or “:in:” with an identity, is expected here, at column 5",
      "fetch", "Recipe", "--sort", "name:down")
    try expect(
      1, "“:nils-last”, or “:other-first” or “:other-last” for “#” among initials, is expected here, at column 5",
      "fetch", "Recipe", "--section", "name:natural")
    try expect(
      1, "section “name:other-last”: “other-last” is the place of the section “#”", "fetch", "Recipe", "--section",
      "name:other-last")
    try expect(1, "shown “type.nam”: RecipeType has no attribute", "fetch", "Recipe", "--show", "name,type.nam")
    try expect(1, "“:” cannot be part of a name, at column 10", "fetch", "Recipe", "--show", "name,type:desc")
    try expect(1, "a name is missing, at column 6", "tree", "--show", "name,")
    try expect(1, "No entity has an attribute “type.name” to show.", "tree", "--show", "type.name")
    try expect(1, "this quote has no end", "fetch", "Recipe", "--section", "name", "--section-order", "a,\"b")
    try expect(1, "“Nowhere” is not known here", "fetch", "Recipe", "--timezone", "Nowhere")
    try expect(1, "there is no entity “Recip”; did you mean “Recipe”?", "fetch", "Recip")
  }

  @Test func wrongUsageIs64() throws {
    try expect(64, "Usage:", "insert")
    try expect(64, "Usage:", "insert", "Recipe", "name")
    try expect(64, "Usage:", "insert", "Recipe", "--id", "12")
    try expect(64, "Usage:", "fetch", "Recipe", "--json", "--jsonl")
    try expect(64, "Usage:", "fetch", "Recipe", "--limit", "many")
    try expect(64, "--section-order needs --section.", "fetch", "Recipe", "--section-order", "a")
    try expect(64, "A tree takes no filter", "diff", "--tree", "Recipe.tags", "--from", "1", "--show", "name")
    try expect(64, "Usage:", "set", "00000002")
    try expect(64, "Usage:", "apply", "--batch", "0")
    try expect(64, "Usage:", "model", "--dry-run")
    #expect(try CommandRun(["frobnicate"]).status == 64)
    #expect(try CommandRun(["init", kitchen.directory.path("x")]).status == 64)
  }

  @Test func filesThatFailAre74() throws {
    try expect(
      74, "daybook: Cannot open /nowhere/model.json: No such file or directory.", "model", "--apply",
      "/nowhere/model.json")
    try expect(74, "Cannot open /nowhere/ops", "apply", "/nowhere/ops")
    try expect(74, "Cannot read \(kitchen.directory.path)", "apply", kitchen.directory.path)
    let model = kitchen.directory.path("model.json")
    let parentless = try CommandRun(["init", "/nowhere/store", "--model", model])
    #expect(parentless.status == 74)
    #expect(parentless.errors.contains("/nowhere/store cannot be created"))
    let full = try shell("\"$DAYBOOK\" fetch '\(kitchen.store)' Recipe > /dev/full")
    #expect(full.status == 74)
    #expect(full.errors == "daybook: Cannot write to standard output: No space left on device.\n")
  }

  @Test func pathsThatAreNoStoreAreRefused() throws {
    let missing = try CommandRun(["fetch", "/nowhere", "Recipe"])
    #expect(missing.status == 1)
    #expect(missing.errors == "daybook: There is no store at /nowhere.\nCreate one with `daybook init`.\n")
    #expect(try CommandRun(["fetch", kitchen.directory.path, "Recipe"]).status == 1)
    let model = kitchen.directory.path("model.json")
    let again = try CommandRun(["init", kitchen.store, "--model", model])
    #expect(again.status == 1)
    #expect(again.errors.contains("There is something at \(kitchen.store) already."))
  }

  @Test func aWrongModelIsRefusedWithAllItsFaults() throws {
    let path = kitchen.directory.path("wrong.json")
    try #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "strin"}], "colour": 1}]}"#
      .write(toFile: path, atomically: false, encoding: .utf8)
    let run = try CommandRun(["init", kitchen.directory.path("other"), "--model", path])
    #expect(run.status == 1)
    #expect(run.errors.contains("strin") && run.errors.contains("colour"))
    #expect(!FileManager.default.fileExists(atPath: kitchen.directory.path("other")))
  }
}

#endif
