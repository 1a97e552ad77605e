import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Pending edits whose parts of the model are renamed, replaced or removed before they are saved.
@Suite(.hangLimit) struct EditingModelTests {
  private static let model: Model = {
    var model = FeedModel.model
    model.events = [
      EventType(
        name: "Cooked", about: "Recipe",
        attributes: [Attribute(name: "servings", type: .integer, isOptional: true)])
    ]
    return model
  }()

  /// Runs a body with a store, a context, a recipe, a type and a tag.
  private func withContext(
    _ body: (Store, EditingContext, _ cake: ObjectID, _ type: ObjectID, _ tag: ObjectID) throws -> Void
  ) throws {
    try withTemporaryStore(Self.model) { store in
      let (cake, type, tag) = try store.write { tx in
        (
          try tx.insert("Recipe", ["name": "Cake", "servings": 1]), try tx.insert("RecipeType", ["name": "Dessert"]),
          try tx.insert("Tag", ["name": "sweet"])
        )
      }
      try body(store, try store.makeContext(), cake, type, tag)
    }
  }

  private func change(_ store: Store, _ change: (inout Model) -> Void) throws {
    var model = try store.read { $0.model }
    change(&model)
    try store.apply(model)
  }

  private func renameAttribute(_ old: String, to new: String, in model: inout Model) {
    let number = model.entities[0].attributes.firstIndex { $0.name == old }!
    model.entities[0].attributes[number].name = new
    model.entities[0].attributes[number].renamedFrom = old
    if model.entities[0].nameAttribute == old { model.entities[0].nameAttribute = new }
  }

  private let policies: [ConflictPolicy] = [.refuse, .theirs, .mine, .decide { _ in .mine }]

  @Test func anEditOfARenamedAttributeIsSavedUnderItsNewName() throws {
    for policy in policies {
      for rebases in [false, true] {
        try withContext { store, context, cake, _, _ in
          try context.set(cake, ["servings": 5])
          try context.rename(cake, to: "Pie")
          let bread = try context.insert("Recipe", ["name": "Bread", "servings": 2])
          try change(store) {
            renameAttribute("servings", to: "portions", in: &$0)
            renameAttribute("name", to: "title", in: &$0)
          }
          if rebases { try context.rebase(resolving: policy) }
          try context.save(resolving: policy)
          #expect(try store.get(cake)?["portions"] == 5 && store.get(cake)?["title"] == "Pie")
          #expect(try store.get(bread)?["portions"] == 2 && store.get(bread)?["title"] == "Bread")
        }
      }
    }
  }

  @Test func anEditStaysWithItsAttributeWhenItsNameIsGivenToAnother() throws {
    for policy in policies {
      for rebases in [false, true] {
        try withContext { store, context, cake, _, _ in
          try context.set(cake, ["servings": 5])
          let bread = try context.insert("Recipe", ["name": "Bread", "servings": 2])
          try change(store) { renameAttribute("servings", to: "portions", in: &$0) }
          try change(store) {
            $0.entities[0].attributes.append(Attribute(name: "servings", type: .integer, isOptional: true))
          }
          if rebases { try context.rebase(resolving: policy) }
          try context.save(resolving: policy)
          #expect(try store.get(cake)?["portions"] == 5 && store.get(cake)?["servings"] == .null)
          #expect(try store.get(bread)?["portions"] == 2 && store.get(bread)?["servings"] == .null)
        }
      }
    }
  }

  @Test func valuesThatAreDecidedOnReachTheRenamedAttribute() throws {
    try withContext { store, context, cake, _, _ in
      try context.set(cake, ["servings": 5])
      try store.write { try $0.set(cake, ["servings": 7]) }
      try change(store) { renameAttribute("servings", to: "portions", in: &$0) }
      try change(store) {
        $0.entities[0].attributes.append(Attribute(name: "servings", type: .integer, isOptional: true))
      }
      let kinds = try context.preview().conflicts.map(\.kind)
      #expect(kinds == [.attribute("servings", mine: 5, theirs: 7)])
      try context.save(resolving: .decide { _ in .value(6) })
      #expect(try store.get(cake)?["portions"] == 6 && store.get(cake)?["servings"] == .null)
    }
  }

  @Test func linksAndEventsOfRenamedPartsAreSaved() throws {
    for rebases in [false, true] {
      try withContext { store, context, cake, type, tag in
        try context.relate(cake, "type", to: type)
        try context.relate(tag, "recipes", to: cake)
        try context.record("Cooked", about: cake, ["servings": 3])
        let bread = try context.insert("Recipe", ["name": "Bread"])
        try context.relate(type, "recipes", to: bread)
        try context.unrelate(bread, "type", from: type)
        try context.relate(bread, "type", to: type)
        try change(store) { model in
          (model.entities[0].name, model.entities[0].renamedFrom) = ("Dish", "Recipe")
          for entity in model.entities.indices {
            for number in model.entities[entity].relationships.indices {
              if model.entities[entity].relationships[number].target == "Recipe" {
                model.entities[entity].relationships[number].target = "Dish"
              }
              // The names of both sides, each with the other one's inverse.
              for (old, new) in [("type", "kind"), ("recipes", "dishes")] {
                if model.entities[entity].relationships[number].inverse == old {
                  model.entities[entity].relationships[number].inverse = new
                }
                if model.entities[entity].relationships[number].name == old {
                  model.entities[entity].relationships[number].name = new
                  model.entities[entity].relationships[number].renamedFrom = old
                }
              }
            }
          }
          model.events[0].about = "Dish"
        }
        if rebases {
          try context.rebase()
          #expect(try context.targets(of: cake, "kind") == [type])
        }
        let position = try context.save()
        #expect(try store.get(cake)?.target("kind") == type && store.get(bread)?.target("kind") == type)
        #expect(try store.read { try $0.targets(of: tag, "dishes") } == [cake])
        var log = try store.log(from: position)
        #expect(try log.next()?.events.contains { $0.kind == .recorded } == true)
      }
    }
  }

  @Test func namesThatChangePlacesTakeTheEditsAlong() throws {
    try withContext { store, context, cake, _, _ in
      try context.set(cake, ["servings": 5, "weight": 2.5])
      try change(store) { renameAttribute("servings", to: "spare", in: &$0) }
      try change(store) { renameAttribute("weight", to: "servings", in: &$0) }
      try change(store) { renameAttribute("spare", to: "weight", in: &$0) }
      try context.save()
      #expect(try store.get(cake)?["weight"] == 5 && store.get(cake)?["servings"] == 2.5)
    }
  }

  @Test func anEditOfARemovedPartIsAConflictThatOnlyTheirsDecides() throws {
    let removals: [(name: String, edit: (EditingContext, ObjectID, ObjectID) throws -> Void, (inout Model) -> Void)] = [
      (
        "servings", { context, cake, _ in try context.set(cake, ["servings": 5]) },
        { $0.entities[0].attributes.removeAll { $0.name == "servings" } }
      ),
      (
        "type", { context, cake, type in try context.relate(cake, "type", to: type) },
        {
          $0.entities[0].relationships.removeAll { $0.name == "type" }
          $0.entities[1].relationships.removeAll()
        }
      ),
      ("Cooked", { context, cake, _ in try context.record("Cooked", about: cake) }, { $0.events = [] }),
    ]
    for (name, edit, removal) in removals {
      try withContext { store, context, cake, type, _ in
        try edit(context, cake, type)
        try context.rename(cake, to: "Pie")
        try change(store, removal)
        let head = try store.position
        let conflict = EditingConflict(
          entity: "Recipe", object: cake, kind: .removedByModel(name), positions: [head])
        #expect(try context.preview().conflicts == [conflict])
        #expect(conflict.description.contains(name))
        let refused = #expect(throws: StoreError.self) { try context.save() }
        #expect(refused?.code == .conflict && refused?.editingConflicts == [conflict])
        let error = #expect(throws: StoreError.self) { try context.save(resolving: .mine) }
        #expect(error?.code == .notFound && error?.message.contains(name) == true)
        #expect(try store.position == head && context.hasChanges)
        try context.save(resolving: .theirs)
        #expect(try store.get(cake)?["name"] == "Pie")
      }
    }
  }

  @Test func objectsOfARemovedEntityAreLeftOut() throws {
    try withContext { store, context, cake, _, _ in
      let tag = try context.insert("Tag", ["name": "quick"])
      try context.relate(cake, "tags", to: tag)
      try context.rename(cake, to: "Pie")
      try store.write { _ = try $0.delete(where: Request(entity: "Tag")) }
      try change(store) {
        $0.entities.removeAll { $0.name == "Tag" }
        $0.entities[0].attributes.removeAll { $0.name == "tagCount" }
        $0.entities[0].relationships.removeAll { $0.name == "tags" }
      }
      let kinds = try context.preview().conflicts.map(\.kind)
      #expect(Set(kinds) == [.removedByModel("Tag"), .removedByModel("tags")])
      try context.save(resolving: .theirs)
      #expect(try store.get(cake)?["name"] == "Pie" && store.get(tag) == nil)
    }
  }
}
