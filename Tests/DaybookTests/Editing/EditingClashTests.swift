import Daybook
import DaybookTestSupport
import Testing

/// Clashes about inserted and deleted objects: each is a conflict or none, never an error.
@Suite(.hangLimit) struct EditingClashTests {
  /// The objects of a small store.
  ///
  /// They are a cake of a type with two ingredients and a tag, and another type and recipe.
  private struct Kitchen {
    let store: Store
    let dessert: ObjectID
    let soup: ObjectID
    let cake: ObjectID
    let pie: ObjectID
    let parts: [ObjectID]
    let tag: ObjectID

    init(_ store: Store) throws {
      self.store = store
      (dessert, soup, cake, pie, parts, tag) = try store.write { tx in
        let types = try ["Dessert", "Soup"].map { try tx.insert("RecipeType", ["name": .string($0)]) }
        let recipes = try ["Cake", "Pie"].map { try tx.insert("Recipe", ["name": .string($0)]) }
        let parts = try ["Sugar", "Flour"].map { try tx.insert("Ingredient", ["name": .string($0)]) }
        let tag = try tx.insert("Tag", ["name": "sweet"])
        for part in parts { try tx.relate(part, "recipe", to: recipes[0]) }
        try tx.relate(recipes[0], "type", to: types[0])
        try tx.relate(recipes[0], "tags", to: tag)
        return (types[0], types[1], recipes[0], recipes[1], parts, tag)
      }
    }
  }

  private typealias Edits = (Kitchen, borrowing Transaction) throws -> Void

  /// Edits in a context, commits the edits of another writer, and saves.
  ///
  /// - Returns: The conflicts that a save without a policy lists.
  @discardableResult
  private func merge(
    _ policy: ConflictPolicy, mine: Edits, theirs: Edits, _ check: (Kitchen) throws -> Void
  ) throws -> [EditingConflict] {
    try withTemporaryStore(FeedModel.model) { store in
      let kitchen = try Kitchen(store)
      let context = try store.makeContext()
      try context.edit { try mine(kitchen, $0) }
      try store.write { try theirs(kitchen, $0) }
      let conflicts = try context.preview().conflicts
      if !conflicts.isEmpty {
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .conflict && error?.editingConflicts == conflicts)
      }
      try context.save(resolving: policy)
      try check(kitchen)
      return conflicts
    }
  }

  @Test func aLinkThatIRemovedAndOthersMovedIsRemovedByMine() throws {
    for (policy, isMine) in [(ConflictPolicy.mine, true), (.theirs, false)] {
      let conflicts = try merge(policy) {
        try $1.unrelate($0.cake, "type", from: $0.dessert)
      } theirs: {
        try $1.relate($0.cake, "type", to: $0.soup)
      } _: { (kitchen) throws in
        #expect(try kitchen.store.get(kitchen.cake)?.target("type") == (isMine ? nil : kitchen.soup))
      }
      #expect(conflicts.count == 1)
    }
  }

  @Test func anObjectThatIEditedAndDeletedAndOthersDeletedIsGone() throws {
    for policy in [ConflictPolicy.refuse, .mine, .theirs] {
      let conflicts = try merge(policy) {
        try $1.set($0.cake, ["servings": 4])
        try $1.relate($0.cake, "type", to: $0.soup)
        try $1.delete($0.cake)
        try $1.rename($0.pie, to: "Tart")
      } theirs: {
        try $1.delete($0.cake)
      } _: { (kitchen) throws in
        #expect(try kitchen.store.get(kitchen.cake) == nil && kitchen.store.get(kitchen.pie)?["name"] == "Tart")
      }
      #expect(conflicts.isEmpty)
    }
  }

  @Test func anObjectMovedToWhatBothDeletedHasNoTarget() throws {
    let conflicts = try merge(.refuse) {
      try $1.relate($0.cake, "type", to: $0.soup)
      try $1.delete($0.soup)
    } theirs: {
      try $1.delete($0.soup)
    } _: { (kitchen) throws in
      let cake = try kitchen.store.get(kitchen.cake)
      #expect(cake != nil && cake?.target("type") == nil)
    }
    #expect(conflicts.isEmpty)
  }

  @Test func aValueThatWasSetBeforeTheDeleteGivesWayToTheirs() throws {
    try merge(.theirs) {
      try $1.set($0.cake, ["servings": 4, "weight": 2.5])
      try $1.relate($0.cake, "type", to: $0.soup)
      try $1.delete($0.cake)
    } theirs: {
      try $1.set($0.cake, ["servings": 8])
      try $1.unrelate($0.cake, "type", from: $0.dessert)
    } _: { (kitchen) throws in
      let cake = try kitchen.store.get(kitchen.cake)
      #expect(cake?["servings"] == 8 && cake?["weight"] == 2.5 && cake != nil && cake?.target("type") == nil)
    }
  }

  @Test func whatOthersPutUnderADeleteGoesWithItAndItsEditsToo() throws {
    for (policy, isMine) in [(ConflictPolicy.mine, true), (.theirs, false)] {
      let conflicts = try merge(policy) {
        try $1.unrelate($0.parts[0], "recipe", from: $0.cake)
        try $1.relate($0.parts[0], "recipe", to: $0.pie)
        try $1.delete($0.cake)
        try $1.rename($0.parts[0], to: "Honey")
      } theirs: {
        try $1.relate($0.pie, "ingredients", to: $0.parts[0])
        try $1.relate($0.cake, "ingredients", to: $0.parts[0])
      } _: { (kitchen) throws in
        #expect(try (kitchen.store.get(kitchen.cake) == nil) == isMine)
        // The context moved it to the pie, the store has it in the cake: under `mine` it is moved first.
        #expect(try kitchen.store.get(kitchen.parts[0])?["name"] == "Honey")
      }
      #expect(!conflicts.isEmpty)
      try merge(policy) {
        try $1.delete($0.pie)
        try $1.rename($0.parts[0], to: "Honey")
      } theirs: {
        try $1.relate($0.pie, "ingredients", to: $0.parts[0])
      } _: { (kitchen) throws in
        #expect(try (kitchen.store.get(kitchen.pie) == nil) == isMine)
        #expect(try kitchen.store.get(kitchen.parts[0])?["name"] == (isMine ? nil : "Honey"))
      }
    }
  }

  @Test func whatOthersPulledOutOfADeleteGoesByMine() throws {
    for (policy, isMine) in [(ConflictPolicy.mine, true), (.theirs, false)] {
      let conflicts = try merge(policy) {
        try $1.delete($0.cake)
      } theirs: {
        try $1.relate($0.pie, "ingredients", to: $0.parts[0])
      } _: { (kitchen) throws in
        #expect(try (kitchen.store.get(kitchen.cake) == nil) == isMine)
        #expect(try (kitchen.store.get(kitchen.parts[0]) == nil) == isMine)
        #expect(try (kitchen.store.get(kitchen.parts[1]) == nil) == isMine)
      }
      #expect(conflicts.contains { $0.kind == .deletedHere })
    }
  }

  @Test func anObjectDeletedAndInsertedAgainIsAConflictWithWhatOthersChanged() throws {
    let again: Edits = {
      try $1.delete($0.cake)
      try $1.insert("Recipe", ["name": "Tart"], id: $0.cake)
      try $1.relate($0.cake, "type", to: $0.soup)
      try $1.set($0.cake, ["servings": 2])
    }
    for (policy, isMine) in [(ConflictPolicy.mine, true), (.theirs, false)] {
      for theirs: Edits in [
        { try $1.set($0.cake, ["servings": 8]) }, { try $1.rename($0.parts[0], to: "Honey") },
      ] {
        let conflicts = try merge(policy) {
          try again($0, $1)
        } theirs: {
          try theirs($0, $1)
        } _: { (kitchen) throws in
          let cake = try kitchen.store.get(kitchen.cake)
          #expect(cake?["name"] == (isMine ? "Tart" : "Cake"))
          #expect(cake?.target("type") == (isMine ? kitchen.soup : kitchen.dessert))
          #expect(try (kitchen.store.get(kitchen.parts[0]) == nil) == isMine)
          if isMine { #expect(cake?["servings"] == 2) }
        }
        #expect(conflicts.map(\.kind) == [.deletedHere])
      }
      let conflicts = try merge(policy) {
        try again($0, $1)
      } theirs: {
        try $1.delete($0.cake)
      } _: { (kitchen) throws in
        #expect(try kitchen.store.get(kitchen.cake)?["name"] == (isMine ? "Tart" : nil))
      }
      #expect(conflicts.map(\.kind) == [.deletedByOthers])
    }
  }

  @Test func anObjectThatOthersInsertedAgainIsComparedByValues() throws {
    for (policy, servings) in [(ConflictPolicy.mine, Value.integer(4)), (.theirs, 9)] {
      let conflicts = try merge(policy) {
        try $1.set($0.cake, ["servings": 4])
      } theirs: {
        try $1.delete($0.cake)
        try $1.insert("Recipe", ["name": "Tart", "servings": 9], id: $0.cake)
      } _: { (kitchen) throws in
        #expect(
          try kitchen.store.get(kitchen.cake)?["servings"] == servings
            && kitchen.store.get(kitchen.cake)?["name"] == "Tart")
      }
      #expect(conflicts.map(\.kind) == [.attribute("servings", mine: 4, theirs: 9)])
    }
  }

  @Test func oneIdentityThatBothInsertedIsOneObject() throws {
    let id = ObjectID(high: 1, low: 1)
    for (policy, servings) in [(ConflictPolicy.mine, Value.integer(4)), (.theirs, 9)] {
      let conflicts = try merge(policy) {
        try $1.insert("Recipe", ["name": "Tart", "servings": 4], id: id)
        try $1.relate(id, "type", to: $0.soup)
      } theirs: {
        try $1.insert("Recipe", ["name": "Tart", "servings": 9], id: id)
      } _: { (kitchen) throws in
        #expect(
          try kitchen.store.get(id)?["servings"] == servings && kitchen.store.get(id)?.target("type") == kitchen.soup)
      }
      #expect(conflicts.map(\.kind) == [.attribute("servings", mine: 4, theirs: 9)])
      try merge(policy) {
        try $1.insert("Recipe", ["name": "Tart", "servings": 4], id: id)
        try $1.delete(id)
        try $1.rename($0.pie, to: "Quiche")
      } theirs: {
        try $1.insert("Recipe", ["name": "Tart", "servings": 9], id: id)
      } _: { (kitchen) throws in
        #expect(try kitchen.store.get(id)?["servings"] == 9 && kitchen.store.get(kitchen.pie)?["name"] == "Quiche")
      }
    }
  }

  @Test func anObjectComesBackAsItWasWhenItWasDeleted() throws {
    try merge(.mine) {
      try $1.set($0.cake, ["servings": 4])
    } theirs: {
      try $1.set($0.cake, ["servings": 8, "weight": 2.5])
      try $1.relate($0.cake, "type", to: $0.soup)
      try $1.delete($0.cake)
    } _: { (kitchen) throws in
      let cake = try kitchen.store.get(kitchen.cake)
      #expect(cake?["servings"] == 4 && cake?["weight"] == 2.5 && cake?.target("type") == kitchen.soup)
    }
  }

  @Test func anObjectThatComesBackTakesNothingThatOthersPutElsewhere() throws {
    try merge(.mine) {
      try $1.rename($0.dessert, to: "Sweets")
    } theirs: {
      try $1.delete($0.dessert)
      try $1.relate($0.cake, "type", to: $0.soup)
    } _: { (kitchen) throws in
      #expect(try kitchen.store.get(kitchen.dessert)?["name"] == "Sweets")
      #expect(try kitchen.store.get(kitchen.cake)?.target("type") == kitchen.soup)
    }
  }

  @Test func aLinkThatIRemovedFromWhatComesBackStaysRemoved() throws {
    try merge(.mine) {
      try $1.unrelate($0.cake, "type", from: $0.dessert)
      try $1.rename($0.dessert, to: "Sweets")
    } theirs: {
      try $1.delete($0.dessert)
    } _: { (kitchen) throws in
      let cake = try kitchen.store.get(kitchen.cake)
      #expect(try kitchen.store.get(kitchen.dessert)?["name"] == "Sweets" && cake != nil && cake?.target("type") == nil)
    }
  }

  @Test func lettingGoOfWhatOthersDeletedIsNoConflict() throws {
    for mine: Edits in [
      { try $1.relate($0.cake, "type", to: $0.soup) }, { try $1.unrelate($0.cake, "type", from: $0.dessert) },
      { try $1.unrelate($0.dessert, "recipes", from: $0.cake) },
    ] {
      let conflicts = try merge(.refuse) {
        try mine($0, $1)
      } theirs: {
        try $1.delete($0.dessert)
      } _: { _ in
      }
      #expect(conflicts.isEmpty)
    }
    for theirs: Edits in [{ try $1.delete($0.tag) }, { try $1.delete($0.cake) }] {
      let conflicts = try merge(.refuse) {
        try $1.unrelate($0.cake, "tags", from: $0.tag)
      } theirs: {
        try theirs($0, $1)
      } _: { _ in
      }
      #expect(conflicts.isEmpty)
    }
    let conflicts = try merge(.refuse) {
      try $1.relate($0.pie, "type", to: $0.dessert)
      try $1.relate($0.pie, "type", to: $0.soup)
    } theirs: {
      try $1.delete($0.dessert)
    } _: { (kitchen) throws in
      #expect(try kitchen.store.get(kitchen.pie)?.target("type") == kitchen.soup)
    }
    #expect(conflicts.isEmpty)
  }

  /// Runs a body with a new store of four persons, for each policy that decides.
  ///
  /// - Parameter rule: What happens to the partner of a deleted person.
  private func withPeople(
    deleting rule: DeleteRule = .nullify,
    _ body: (Store, _ people: [ObjectID], ConflictPolicy, _ isMine: Bool) throws -> Void
  ) throws {
    let model = Model(entities: [
      Entity(
        name: "Person", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "partner", target: "Person", inverse: "partnerOf", isOptional: true, deleteRule: rule),
          Relationship(name: "partnerOf", target: "Person", inverse: "partner", isOptional: true),
        ])
    ])
    for (policy, isMine) in [(ConflictPolicy.mine, true), (.theirs, false)] {
      try withTemporaryStore(model) { store in
        let people = try store.write { tx in
          try ["a", "b", "c", "d"].map { try tx.insert("Person", ["name": .string($0)]) }
        }
        try body(store, people, policy, isMine)
      }
    }
  }

  @Test func aPartnerThatBothTookIsAConflict() throws {
    try withPeople { store, people, policy, isMine in
      let context = try store.makeContext()
      try context.relate(people[0], "partner", to: people[2])
      try store.write { try $0.relate(people[1], "partner", to: people[2]) }
      let kinds = try context.preview().conflicts.map(\.kind)
      #expect(kinds == [.target("partnerOf", mine: people[0], theirs: people[1])])
      try context.save(resolving: policy)
      #expect(try store.get(people[2])?.target("partnerOf") == people[isMine ? 0 : 1])
    }
  }

  /// The edits lose the partner together with an object that others delete and that the edits insert again.
  @Test func aPartnerThatTheEditsTookAndLostStaysWhereOthersPutIt() throws {
    try withPeople { store, people, policy, _ in
      let context = try store.makeContext()
      try context.relate(people[0], "partner", to: people[2])
      try context.delete(people[0])
      try context.insert("Person", ["name": "a"], id: people[0])
      try store.write { tx in
        try tx.relate(people[1], "partner", to: people[2])
        try tx.delete(people[0])
      }
      let kinds = try context.preview().conflicts.map(\.kind)
      #expect(!kinds.contains { if case .target = $0 { true } else { false } })
      try context.save(resolving: policy)
      #expect(try store.get(people[2])?.target("partnerOf") == people[1])
    }
  }

  @Test func whatOneSideChangedBackIsNoConflict() throws {
    // The edits take a partner and leave it, and others have taken it.
    try withPeople { store, people, _, _ in
      let context = try store.makeContext()
      try context.relate(people[0], "partner", to: people[2])
      try context.unrelate(people[0], "partner", from: people[2])
      try context.set(people[2], ["name": "x"])
      try context.set(people[2], ["name": "c"])
      try store.write { tx in
        try tx.relate(people[1], "partner", to: people[2])
        try tx.set(people[2], ["name": "theirs"])
      }
      #expect(try context.preview().conflicts.isEmpty)
      try context.save()
      #expect(try store.get(people[2])?.target("partnerOf") == people[1])
      #expect(try store.get(people[2])?["name"] == "theirs")
    }
    // Others take a partner and leave it, also an object as its own one.
    for other in [1, 2] {
      try withPeople { store, people, _, _ in
        let context = try store.makeContext()
        try context.relate(people[0], "partner", to: people[2])
        try context.set(people[2], ["name": "mine"])
        try store.write { tx in
          try tx.relate(people[other], "partner", to: people[2])
          try tx.set(people[2], ["name": "x"])
        }
        try store.write { tx in
          try tx.unrelate(people[other], "partner", from: people[2])
          try tx.set(people[2], ["name": "c"])
        }
        #expect(try context.preview().conflicts.isEmpty)
        try context.save()
        #expect(try store.get(people[2])?.target("partnerOf") == people[0])
        #expect(try store.get(people[2])?["name"] == "mine")
      }
    }
  }

  @Test func aPartnerOnTheWayToAnotherOneIsNotSaved() throws {
    // The last partner is denied: the one before it is of neither side. A former one comes back.
    for hasFormer in [false, true] {
      for last in [0, 3] {
        try withPeople { store, people, policy, isMine in
          let former = try store.write { tx in
            let former = try tx.insert("Person", ["name": "former"])
            if hasFormer { try tx.relate(people[0], "partner", to: former) }
            return former
          }
          let context = try store.makeContext()
          try context.relate(people[0], "partner", to: people[2])
          try context.relate(people[0], "partner", to: people[last])
          try store.write { try $0.relate(people[1], "partner", to: people[last]) }
          #expect(try context.preview().conflicts.count == 1)
          try context.save(resolving: policy)
          let partner = try store.get(people[0])?.target("partner")
          #expect(partner == (isMine ? people[last] : hasFormer ? former : nil))
          #expect(try store.get(people[last])?.target("partnerOf") == people[isMine ? 0 : 1])
          #expect(try store.get(people[2])?.target("partnerOf") == nil)
        }
      }
    }
  }

  /// An edit that is left out would have saved the object from a later delete.
  @Test func whatIsDecidedForOthersIsNotDeletedTogetherWithAnotherObject() throws {
    try withPeople(deleting: .cascade) { store, people, policy, isMine in
      try store.write { try $0.relate(people[0], "partner", to: people[1]) }
      let context = try store.makeContext()
      try context.relate(people[2], "partner", to: people[1])
      try context.set(people[1], ["name": "mine"])
      try context.delete(people[0])
      try store.write { tx in
        try tx.relate(people[2], "partner", to: people[3])
        try tx.set(people[1], ["name": "theirs"])
      }
      #expect(try context.preview().conflicts.count == 2)
      try context.save(resolving: policy)
      #expect(try store.get(people[1])?["name"] == (isMine ? "mine" : "theirs"))
      #expect(try store.get(people[2])?.target("partner") == people[isMine ? 1 : 3])
    }
  }

  @Test func aSaveThatIsRetriedWithItsCommitIDIsAnswered() throws {
    try withTemporaryStore(FeedModel.model) { store in
      let kitchen = try Kitchen(store)
      let info = CommitInfo(commitID: ObjectID(high: 5, low: 5))
      let position = try store.position
      for _ in 0..<2 {
        let context = try store.makeContext(at: position)
        try context.set(kitchen.cake, ["servings": 4])
        #expect(try context.save(info) == Position(position.number + 1))
        try store.write { try $0.set(kitchen.cake, ["servings": 8]) }
      }
    }
  }
}
