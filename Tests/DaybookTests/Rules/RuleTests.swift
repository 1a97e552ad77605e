import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Rules of the model, checked at the end of commits.
@Suite(.hangLimit) struct RuleTests {
  @Test func eachRuleRefusesACommit() throws {
    try withTemporaryStore(RuleModel.model) { store in
      let (task, item) = try store.write { try RuleModel.insert($0) }
      let cases: [(values: [String: Value], fields: [String], rule: ConstraintFailure.Rule, message: String)] = [
        (["name": ""], ["name"], .attribute(.minimumLength(1)), "name has 0 characters; 1 or more are needed"),
        (["name": "abcda"], ["name"], .attribute(.maximumLength(4)), "name has 5 characters; 4 or fewer are allowed"),
        (["name": "ax"], ["name"], .attribute(.pattern("^[a-d]*$")), "name is \"ax\", which does not match"),
        (["size": 1], ["size"], .attribute(.minimum(2)), "size is 1; 2 or more is needed"),
        (["size": 7], ["size"], .attribute(.maximum(6)), "size is 7; 6 or less is needed"),
        (["kind": "z"], ["kind"], .attribute(.oneOf(["x", "y"])), "it must be one of \"x\", \"y\""),
        (["due": -1], ["due", "start"], .condition("due == nil OR due >= start"), "does not meet the rule"),
      ]
      for (values, fields, rule, message) in cases {
        let error = #expect(throws: StoreError.self) { try store.write { try $0.set(task, values) } }
        #expect(error?.code == .constraint)
        let failure = try #require(error?.failure)
        #expect(failure.entity == "Task" && failure.object == task && failure.fields == fields && failure.rule == rule)
        if values.count == 1, fields.count == 1 { #expect(failure.value == values.first?.value) }
        #expect(error?.message.contains(message) ?? false, "\(error?.message ?? "")")
      }
      let lonely = #expect(throws: StoreError.self) { try store.write { try $0.delete(item) } }
      #expect(lonely?.failure?.rule == .least(1) && lonely?.failure?.value == 0 && lonely?.failure?.fields == ["items"])
      let crowded = #expect(throws: StoreError.self) {
        try store.write { tx in
          for _ in 0..<3 { try tx.relate(tx.insert("Item"), "task", to: task) }
        }
      }
      #expect(crowded?.failure?.rule == .most(3) && crowded?.failure?.value == 4)
      #expect(try store.position == 2)
    }
  }

  /// A condition about derived values and about other objects is broken by commits that never name its object.
  @Test func aChangeOfAnotherObjectIsChecked() throws {
    try withTemporaryStore(RuleModel.model) { store in
      let (task, item) = try store.write { try RuleModel.insert($0) }
      for (weight, rule) in [(10, "weight <= 9"), (7, "NOT ANY items.weight == 7")] {
        let error = #expect(throws: StoreError.self) {
          try store.write { try $0.set(item, ["weight": .integer(Int64(weight))]) }
        }
        #expect(error?.failure?.object == task && error?.failure?.rule == .condition(rule))
      }
      try store.write { try $0.set(item, ["weight": 9]) }
    }
  }

  @Test func rulesMayBeBrokenWithinACommit() throws {
    try withTemporaryStore(RuleModel.model) { store in
      let (task, item) = try store.write { try RuleModel.insert($0) }
      try store.write { tx in
        try tx.set(task, ["size": 99])
        try tx.delete(item)
        try tx.relate(tx.insert("Item"), "task", to: task)
        try tx.set(task, ["size": 3])
      }
      try store.write { tx in
        try tx.set(task, ["size": 99])
        try tx.delete(task)
      }
      #expect(try store.get(task) == nil)
    }
  }

  @Test func aPreviewListsAllFailures() throws {
    try withTemporaryStore(RuleModel.model) { store in
      let (task, _) = try store.write { try RuleModel.insert($0) }
      let context = try store.makeContext()
      try context.set(task, ["name": "x", "size": 0, "kind": "q"])
      let other = try context.insert("Task", ["name": "b"])
      let failures = try context.preview().failures.compactMap(\.failure)
      #expect(failures.map(\.object) == [task, task, task, other])
      #expect(failures.flatMap(\.fields).sorted() == ["items", "kind", "name", "size"])
      #expect(throws: StoreError.self) { try context.save() }
    }
  }

  @Test func requiredAndUniqueFailuresNameTheirFieldsToo() throws {
    var model = FeedModel.model
    model.entities[0].unique = [["name"]]
    try withTemporaryStore(model) { store in
      let first = try store.insertRecipes("Cake")[0]
      let taken = #expect(throws: StoreError.self) { try store.insertRecipes("Cake") }
      #expect(taken?.failure?.rule == .unique(first) && taken?.failure?.fields == ["name"])
      #expect(taken?.failure?.value == "Cake" && taken?.message.contains("“Cake”") == true)
      let missing = #expect(throws: StoreError.self) {
        try store.write { try $0.insert("Ingredient", ["name": "Salt"]) }
      }
      #expect(missing?.failure?.rule == .required && missing?.failure?.fields == ["recipe"])
    }
  }

  @Test func anUndoThatBreaksARuleIsRefusedOrLeavesItOut() throws {
    try withTemporaryStore(RuleModel.model) { store in
      let (task, item) = try store.write { try RuleModel.insert($0, ["size": 3]) }
      // The rule of the sum forbids the former weight once there is another item.
      try store.write { try $0.set(item, ["weight": 9]) }
      try store.write(author: "anna") { tx in
        try tx.set(item, ["weight": 2])
        try tx.set(task, ["size": 4])
      }
      try store.write { try $0.relate($0.insert("Item", ["weight": 3]), "task", to: task) }
      for attempt in [{ _ = try store.undo(.commit(4)) }, { _ = try store.undo(.last(of: "anna")) }] {
        let error = #expect(throws: StoreError.self) { try attempt() }
        #expect(error?.failure?.rule == .condition("weight <= 9"))
      }
      let outcome = try #require(try store.undo(.last(of: "anna"), options: .force).first)
      #expect(outcome.omissions.count == 1 && outcome.omissions[0].contains("weight <= 9"))
      #expect(try store.get(item)?["weight"] == 2)
      #expect(try store.get(task)?["size"] == 3)
    }
  }

  @Test func aBatchRefusesTheCommitThatBreaksARule() throws {
    try withTemporaryStore(RuleModel.model) { store in
      try store.batch { batch in
        try batch.commit { try RuleModel.insert($0) }
        #expect(throws: StoreError.self) { try batch.commit { try RuleModel.insert($0, ["size": 0]) } }
        try batch.commit { try RuleModel.insert($0, ["name": "b"]) }
      }
      #expect(try Set(store.fetch(Request(entity: "Task")).rows.map { $0["name"] }) == ["a", "b"])
      #expect(try store.verify().faults == [])
    }
  }

  @Test func rulesThatCannotBeReadAreFaultsOfTheModel() throws {
    let cases: [(String, (inout Model) -> Void)] = [
      ("is not a regular expression", { $0.entities[0].attributes[0].rules = [.pattern("(")] }),
      ("Task.rule: “colour == 1”", { $0.entities[0].rules = ["colour == 1"] }),
      ("Task.rule: “due ==”", { $0.entities[0].rules = ["due =="] }),
      ("the default 0 breaks the rule minimum 1", { $0.entities[0].attributes[3].rules = [.minimum(1)] }),
    ]
    for (wanted, change) in cases {
      var model = RuleModel.model
      change(&model)
      let error = #expect(throws: StoreError.self) { try withTemporaryStore(model) { _ in } }
      #expect(error?.code == .badModel && error?.message.contains(wanted) ?? false, "\(error?.message ?? "")")
      try withTemporaryStore(RuleModel.model) { store throws in
        let refusal = #expect(throws: StoreError.self) { try store.apply(model) }
        #expect(refusal?.code == .badModel && refusal?.message.contains(wanted) ?? false)
        #expect(try store.position == 1)
      }
    }
  }
}
