#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@Event struct RecipeCooked: Hashable {
  var about: Recipe.ID
  var servings: Int
  var verdict: String?
  var course: Course = .main
  var pans = 1
}

@Event struct Reviewed: Hashable {
  var about: RecipeType.ID
  var at: Timestamp
  var nutrition: Nutrition?
  var by: ObjectID?
}

/// Event structs in a store.
@Suite(.hangLimit) struct EventUseTests {
  private static func model() throws -> Model {
    try Model(
      Recipe.self, RecipeType.self, Ingredient.self, Tag.self, Photo.self, events: RecipeCooked.self, Reviewed.self)
  }

  private func events<Named: Recordable>(_ store: Store, as type: Named.Type) throws -> [Named] {
    var log = try store.log()
    var found: [Named] = []
    while let commit = try log.next() { found += try commit.events.compactMap { try $0.decoded(as: type) } }
    return found
  }

  @Test func theModelIsThatOfAFile() throws {
    let model = try Self.model()
    #expect(
      model.events[0]
        == EventType(
          name: "RecipeCooked", about: "Recipe",
          attributes: [
            Attribute(name: "servings", type: .integer), Attribute(name: "verdict", type: .string, isOptional: true),
            Attribute(name: "course", type: .string, defaultValue: "main"),
            Attribute(name: "pans", type: .integer, defaultValue: 1),
          ]))
    #expect(try Model(parsing: Array(model.text.utf8)) == model)
  }

  @Test func whatIsRecordedIsReadAgain() throws {
    try withTemporaryStore(try Self.model()) { store in
      let (cake, dessert) = try store.write { tx in
        (try tx.insert(Recipe(name: "Cake")), try tx.insert(RecipeType(name: "Dessert")))
      }
      let cooked = RecipeCooked(about: cake, servings: 6, verdict: "fine", course: .dessert)
      let reviewed = Reviewed(
        about: dessert, at: Timestamp(microseconds: 7), nutrition: Nutrition(energy: 3), by: cake.objectID)
      try store.write { try $0.record(cooked) }
      let context = try store.makeContext()
      try context.record(reviewed)
      try context.save()
      try store.write { try $0.record(RecipeCooked(about: cake, servings: 1)) }
      #expect(try events(store, as: RecipeCooked.self) == [cooked, RecipeCooked(about: cake, servings: 1)])
      #expect(try events(store, as: Reviewed.self) == [reviewed])
    }
  }

  @Test func aScenarioExpectsThem() throws {
    try withTemporaryStore(try Self.model()) { store in
      try store.given { tx in
        try tx.insert(Recipe(name: "Cake"))
      }.when { tx, cake in
        try tx.record(RecipeCooked(about: cake, servings: 6))
      }.then { cake in
        [.recorded("RecipeCooked", about: cake, ["servings": 6, "course": "main", "pans": 1])]
      }
    }
  }

  enum Later {
    @Event("Cooked", renamedFrom: "RecipeCooked") struct Cooked: Hashable {
      var about: Recipe.ID
      @Attribute(renamedFrom: "servings") var portions: Int
      var stars = 5
      var cook: String?
    }
  }

  @Test func anEarlierEventHasTheDefaultsOfAddedAttributes() throws {
    try withTemporaryStore(try Self.model()) { store in
      let cake = try store.write { try $0.insert(Recipe(name: "Cake")) }
      try store.write { try $0.record(RecipeCooked(about: cake, servings: 6, verdict: "fine")) }
      try store.apply(
        try Model(Recipe.self, RecipeType.self, Ingredient.self, Tag.self, Photo.self, events: Later.Cooked.self))
      try store.write { try $0.record(Later.Cooked(about: cake, portions: 2, stars: 3, cook: "Ann")) }
      #expect(
        try events(store, as: Later.Cooked.self) == [
          Later.Cooked(about: cake, portions: 6), Later.Cooked(about: cake, portions: 2, stars: 3, cook: "Ann"),
        ])
      #expect(try events(store, as: RecipeCooked.self).count == 1)
    }
  }

  @Test func aProjectionReadsStructs() throws {
    struct Portions: Projection {
      let name = "portions"
      let version = 1
      let mode = ProjectionMode.inline
      let entities: [DerivedEntity] = [.init(RecipePortions.self)]

      func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
        for cooked in try commit.recorded(RecipeCooked.self) {
          try rows.update(RecipePortions.key(recipe: cooked.about)) { $0.portions += cooked.servings }
        }
      }
    }
    var options = StoreOptions()
    options.projections = [Portions()]
    try withTemporaryStore(try Self.model(), options: options) { store in
      let cake = try store.write { try $0.insert(Recipe(name: "Cake")) }
      for servings in [2, 5] { try store.write { try $0.record(RecipeCooked(about: cake, servings: servings)) } }
      #expect(try store.fetch(RecipePortions.all).rows.map(\.portions) == [7])
      #expect(try store.fetch(RecipePortions.all).rows.map(\.recipe) == [cake])
    }
  }
}

@Entity private struct RecipePortions {
  @Key var recipe: Recipe.ID
  var portions = 0
}

#endif
