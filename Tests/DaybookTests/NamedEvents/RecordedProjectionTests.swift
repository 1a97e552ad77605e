import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Recorded events in projections of users.
@Suite(.hangLimit) struct RecordedProjectionTests {
  /// Sums the servings of each recipe.
  private func cooked(_ mode: ProjectionMode, version: Int = 1) -> ClosureProjection {
    ClosureProjection("cooked", version: version, mode: mode) { event, context in
      guard event.kind == .recorded, event.eventType != nil else { return }
      guard case .recorded("RecipeCooked", let fields) = try context.event(event).content else { return }
      var raw = event.fields
      var count = 0
      while try raw.next() != nil { count += 1 }
      guard count == fields.count, case .integer(let servings)? = fields.first?.value else { return }
      try context.increment(event.object.bytes, by: servings, in: "servings")
    }
  }

  @Test(arguments: [ProjectionMode.catchUp, .inline]) func theyTakeThemIn(mode: ProjectionMode) throws {
    var options = StoreOptions.knowing()
    options.projections = [cooked(mode)]
    try withTemporaryStore(RecordingModel.model, options: options) { store in
      let cake = try store.insertRecipes("cake")[0]
      try store.cook(cake, servings: 4)
      try store.write { try $0.delete(cake) }
      try store.cook(cake, servings: 3)
      try store.projection("cooked").catchUp()
      #expect(try store.projection("cooked").read { try $0.integer(cake.bytes, in: "servings") } == 7)
      try store.projection("cooked").rebuild()
      try store.projection("cooked").catchUp()
      #expect(try store.projection("cooked").read { try $0.integer(cake.bytes, in: "servings") } == 7)
    }
  }
}
