#if Macros

import DaybookMacros
import DaybookTestSupport
import Testing

// The model with rules, from the article about modelling.

@Rule("due == nil OR due >= start")
@Entity struct Chore {
  @Name @Attribute(.length(1...200), .pattern("^[^/]*$")) var title: String
  @Attribute(.range(1...99)) var minutes = 10
  @Attribute(.oneOf("low", "high")) var priority: String?
  var start = 0
  var due: Int?
  @Relationship(inverse: \ChoreStep.chore, least: 1, most: 20) var steps: Related<ChoreStep>
}

@Entity struct ChoreStep {
  var chore: Chore.ID?
}

@Rule("a >= b", "id != nil") @Rule("b != 3")
@Entity struct Limits {
  @Attribute(.range(0.5...), order: .codepoint) var a: Double
  @Attribute(.range(...7)) var b = 0
  @Attribute(.length(...4)) var code: String?
  @Attribute(.length(2...)) var data: [UInt8]?
}

/// Rules that are written at the properties of structs.
@Suite(.hangLimit) struct RuleArticleTests {
  @Test func theyAreRulesOfTheModel() throws {
    let model = try Model(Chore.self, ChoreStep.self, Limits.self)
    #expect(
      model.entities[0].attributes.map(\.rules) == [
        [.minimumLength(1), .maximumLength(200), .pattern("^[^/]*$")], [.minimum(1), .maximum(99)],
        [.oneOf(["low", "high"])], [], [],
      ])
    #expect(model.entities[0].rules == ["due == nil OR due >= start"])
    #expect(model.entities[0].relationships[0].least == 1 && model.entities[0].relationships[0].most == 20)
    #expect(
      model.entities[2].attributes.map(\.rules) == [
        [.minimum(0.5)], [.maximum(7)], [.maximumLength(4)], [.minimumLength(2)],
      ])
    #expect(model.entities[2].rules == ["a >= b", "id != nil", "b != 3"])
  }

  private func insert(_ tx: borrowing Transaction, _ chore: Chore) throws -> Chore.ID {
    let id = try tx.insert(chore)
    _ = try tx.insert(ChoreStep(chore: id))
    return id
  }

  @Test func theyRefuseWrites() throws {
    try withTemporaryStore(Model(Chore.self, ChoreStep.self)) { store in
      let chore = try store.write { try insert($0, Chore(title: "Sweep")) }
      let error = #expect(throws: StoreError.self) { try store.write { try $0.set(chore, \.minutes, 100) } }
      #expect(error?.failure?.fields == ["minutes"] && error?.failure?.rule == .attribute(.maximum(99)))
      #expect(error?.failure?.value == 100)
      #expect(throws: StoreError.self) { try store.write { try $0.set(chore, \.due, -1) } }
      try store.write { try $0.set(chore, \.minutes, 99) }
    }
  }

  @Test func aCheckOfTheProgramReadsTheStruct() throws {
    var options = StoreOptions()
    options.validate(Chore.self) { chore, reader in
      let steps = try reader.targets(of: chore.id, \.steps).count
      guard chore.minutes > steps * 60 else { return }
      throw ValidationFailure("\(steps) steps cannot take \(chore.minutes) minutes", fields: ["minutes"])
    }
    try withTemporaryStore(Model(Chore.self, ChoreStep.self), options: options) { store in
      let error = #expect(throws: StoreError.self) {
        try store.write { try insert($0, Chore(title: "Sweep", minutes: 61)) }
      }
      #expect(error?.failure?.rule == .validation && error?.failure?.value == 61)
      _ = try store.write { try insert($0, Chore(title: "Sweep", minutes: 60)) }
    }
  }
}

#endif
