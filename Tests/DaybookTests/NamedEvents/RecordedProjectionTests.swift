import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Recorded events in projections of users.
@Suite(.hangLimit) struct RecordedProjectionTests {
  /// Sums the servings of each recipe.
  private func cooked(_ mode: ProjectionMode) -> ClosureProjection {
    ClosureProjection("cooked", mode: mode) { commit, rows in
      for event in try commit.recorded("RecipeCooked") {
        guard case .recorded(_, let fields) = event.content,
          case .integer(let servings)? = fields.first(where: { $0.name == "servings" })?.value
        else { continue }
        try rows.add(Int(servings), to: "\(event.object)", of: "cooked")
      }
      if try !commit.recorded("Bought").isEmpty { throw StoreError(.damaged, "nothing was bought") }
    }
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline]) func theyTakeThemIn(mode: ProjectionMode) throws {
    try withTemporaryStore(RecordingModel.model, options: .knowing(cooked(mode))) { store in
      let cake = try store.insertRecipes("cake")[0]
      try store.cook(cake, servings: 4)
      try store.write { try $0.delete(cake) }
      try store.cook(cake, servings: 3)
      try store.projection("cooked").catchUp()
      #expect(try store.numbers(of: "cooked") == ["\(cake)": 7])
      try store.projection("cooked").rebuild()
      #expect(try store.numbers(of: "cooked") == ["\(cake)": 7])
    }
  }
}
