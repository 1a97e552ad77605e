#if Command

import Daybook
import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

@testable import DaybookCLI

/// A store of recipes, and the command that is run on it.
struct Kitchen {
  let directory: TemporaryDirectory
  var store: String { directory.path("recipes") }

  /// Creates the store, and applies operations to it, as `init` and `apply` do.
  ///
  /// It does so in this process, because most tests of the command begin with a store.
  init(_ operations: String = "") throws {
    directory = try TemporaryDirectory()
    let (model, lines) = (directory.path("model.json"), directory.path("operations"))
    try Kitchen.model.write(toFile: model, atomically: false, encoding: .utf8)
    let made = try Store.create(at: store, model: Model(parsing: InputFile.bytes(at: model)))
    defer { made.close() }
    guard !operations.isEmpty else { return }
    try operations.write(toFile: lines, atomically: false, encoding: .utf8)
    var runner = OperationRunner(store: made, source: try LineReader(path: lines))
    _ = try runner.run { _ in }
  }

  /// Runs a command on the store.
  func run(_ command: String, _ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun([command, store] + arguments, input: input)
  }

  /// Runs a command that must succeed, and returns its output.
  func output(
    _ command: String, _ arguments: String..., input: String = "", at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    let run = try CommandRun([command, store] + arguments, input: input)
    #expect(run.status == 0 && run.errors == "", "\(run.errors)", sourceLocation: location)
    return run.output
  }

  /// Returns a whole identity that ends with a number.
  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "0190163d-8694-739b-aea5-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// A cake with two ingredients, a pie, and their types, all at the same time.
  static let menu = """
    {"commit": [{"insert": "RecipeType", "as": "$dessert", "id": "\(id(1))", "values": {"name": "Dessert"}}, \
    {"insert": "Recipe", "as": "$cake", "id": "\(id(2))", "values": {"name": "Cake", "servings": 4}, "relate": {"type": "$dessert"}}, \
    {"insert": "Ingredient", "id": "\(id(3))", "values": {"name": "Sugar"}, "relate": {"recipe": "$cake"}}, \
    {"insert": "Ingredient", "id": "\(id(4))", "values": {"name": "Flour", "amount": "200 g"}, "relate": {"recipe": "$cake"}}, \
    {"insert": "Recipe", "id": "\(id(5))", "values": {"name": "Pie", "note": "hot"}}], \
    "happenedAt": "2026-01-02T03:04:05Z"}

    """

  static let model = """
    {"entities": [
      {"name": "Recipe", "nameAttribute": "name",
       "attributes": [
         {"name": "name", "type": "string", "order": "natural"},
         {"name": "servings", "type": "integer", "default": 1},
         {"name": "note", "type": "string", "optional": true},
         {"name": "ingredientCount", "derived": {"count": "ingredients"}}],
       "relationships": [
         {"name": "type", "to": "RecipeType", "inverse": "recipes", "optional": true},
         {"name": "ingredients", "to": "Ingredient", "many": true, "ordered": true, "inverse": "recipe", "onDelete": "cascade"},
         {"name": "tags", "to": "Tag", "many": true, "inverse": "recipes"}],
       "unique": [["name"]],
       "indexes": [["type.name", "name"], ["changedAt:desc"]]},
      {"name": "RecipeType", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
       "relationships": [{"name": "recipes", "to": "Recipe", "many": true, "inverse": "type", "onDelete": "deny"}]},
      {"name": "Ingredient", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}, {"name": "amount", "type": "string", "optional": true}],
       "relationships": [{"name": "recipe", "to": "Recipe", "inverse": "ingredients"}]},
      {"name": "Tag", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
       "relationships": [{"name": "recipes", "to": "Recipe", "many": true, "inverse": "tags"}]}]}
    """
}

#endif
