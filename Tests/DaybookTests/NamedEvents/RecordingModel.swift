import DaybookTestSupport

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Recipes with named events about them.
enum RecordingModel {
  static let model: Model = {
    var model = FeedModel.model
    model.events = [
      EventType(
        name: "RecipeCooked", about: "Recipe",
        attributes: [
          Attribute(name: "servings", type: .integer), Attribute(name: "verdict", type: .string, isOptional: true),
          Attribute(name: "pans", type: .integer, defaultValue: 1),
        ]), EventType(name: "Bought", about: "Ingredient"),
    ]
    return model
  }()
}

extension Store {
  /// Records that a recipe was cooked, in a commit of its own.
  @discardableResult
  func cook(_ recipe: ObjectID, servings: Int64 = 4) throws -> Position {
    try commit(CommitInfo()) { try $0.record("RecipeCooked", about: recipe, ["servings": .integer(servings)]) }.position
  }

  /// Returns the last commit.
  func lastCommit() throws -> Commit? {
    var log = try self.log(from: position)
    return try log.next()
  }

  var format: StoreFormat? {
    get throws { try files.withJournal { try $0.format() } }
  }
}
