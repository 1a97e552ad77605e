import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Models that add rules to a store with objects.
@Suite(.hangLimit) struct RuleChangeTests {
  private static var plain: Model {
    var model = RuleModel.model
    for number in model.entities[0].attributes.indices { model.entities[0].attributes[number].rules = [] }
    (model.entities[0].relationships[0].least, model.entities[0].relationships[0].most) = (nil, nil)
    model.entities[0].rules = []
    return model
  }

  @Test func objectsThatBreakANewRuleAreNamed() throws {
    try withTemporaryStore(Self.plain) { store in
      let (small, large) = try store.write { tx in
        try RuleModel.insert(tx, ["size": 4])
        return (try RuleModel.insert(tx, ["size": 0]).task, try RuleModel.insert(tx, ["size": 9]).task)
      }
      for attempt in [{ _ = try store.plan(RuleModel.model) }, { _ = try store.apply(RuleModel.model) }] {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.code == .badModel)
        #expect(error?.message.contains("Task: 1 object breaks a new rule: \(small)") ?? false)
        #expect(error?.message.contains("\(large): size is 9; 6 or less is needed") ?? false)
      }
      #expect(try store.position == 2)
      try store.write { tx in
        try tx.set(small, ["size": 2])
        try tx.set(large, ["size": nil])
      }
      #expect(try store.apply(RuleModel.model).steps.count == 12)
      #expect(throws: StoreError.self) { try store.write { try $0.set(small, ["size": 1]) } }
    }
  }

  /// What older objects break stands until a commit changes what the rule is about.
  @Test func newValuesAloneAreChecked() throws {
    try withTemporaryStore(Self.plain) { store in
      let (task, item) = try store.write { try RuleModel.insert($0, ["name": "quite long", "size": 0, "due": -5]) }
      #expect(try store.plan(RuleModel.model, checking: .newValues).count == 12)
      try store.apply(RuleModel.model, checking: .newValues)
      try store.write { try $0.set(task, ["kind": "x"]) }
      try store.write { try $0.set(item, ["weight": 2]) }
      for values: [String: Value] in [["size": 1], ["name": "also long"], ["start": 1]] {
        #expect(throws: StoreError.self) { try store.write { try $0.set(task, values) } }
      }
      try store.write { try $0.set(task, ["start": -9]) }
      try store.write { try $0.set(task, ["size": 5]) }
      #expect(try store.verify().faults == [])
    }
  }

  @Test func aRuleOfANewDerivedAttributeComesAfterIt() throws {
    var model = Self.plain
    model.entities[0].attributes.append(Attribute(name: "count", type: nil, derivation: .count(relationship: "items")))
    let attributeAlone = model
    model.entities[0].rules = ["count >= 1"]
    try withTemporaryStore(Self.plain) { store in
      try store.write { _ = try RuleModel.insert($0) }
      let error = #expect(throws: StoreError.self) { try store.apply(model) }
      #expect(error?.message.contains("reads the new derived attribute “count”") ?? false)
      try store.apply(attributeAlone)
      try store.apply(model)
    }
  }

  @Test func verifyAndRebuildCheckNoRules() throws {
    try withTemporaryStore(Self.plain) { store in
      let task = try store.write { try RuleModel.insert($0, ["size": 0]).task }
      try store.apply(RuleModel.model, checking: .newValues)
      try store.write { try $0.set(task, ["kind": "y"]) }
      let verification = try store.verify()
      #expect(verification.faults == [])
      try store.rebuild()
      #expect(try store.get(task)?["size"] == 0)
    }
  }

  @Test func theFormatOfTheStoreRises() throws {
    try withTemporaryStore(Self.plain) { store in
      #expect(try store.format?.version == 1)
      try store.apply(RuleModel.model)
      #expect(try store.format == StoreFormat(version: 3, readableBy: 1))
    }
  }
}
