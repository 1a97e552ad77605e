import DaybookMacros
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import ApplicationSupport
@testable import Recipes
@testable import Todo

/// Forms that the server has dropped, opened again from the record that a page kept of each.
@Suite(.hangLimit) struct ReopenedFormTests {
  private static let id = String(repeating: "a", count: 43)
  private let none: Input

  init() throws { none = try Input(.null) }

  /// Runs a test on an application with ready-made contents; forms are dropped by a second set of forms, which has none.
  private func with(_ application: Application, _ body: (OpenForms, OpenForms, Store) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = try application.openStore(in: directory.path, options: TestJournal.options())
    try body(OpenForms(of: application, in: store), OpenForms(of: application, in: store), store)
    try closeAndVerify(store)
  }

  /// Returns the record of a form as a page keeps it: as JSON.
  private func record(of form: OpenForm) throws -> FormRecord {
    try FormRecord(JSONValue(parsing: form.withRecord { $0.json.text }))
  }

  /// What a page sees of a form, but for what can be redone, which is not kept.
  private func state(_ form: OpenForm) throws -> [String] {
    let state = try FormState.json(of: form)
    let lists = try form.form.lists.map { list in
      try form.context.fetch(list.request(form.object)).sections.map { ($0.name, $0.rows.map(\.id)) }
    }
    let object = state["object"] ?? .null
    let parts = [
      object["values"], object["links"], state["isNew"], state["canUndo"], state["hasChanges"], state["conflicts"],
    ]
    return parts.map { $0?.text ?? "" } + ["\(lists)"]
  }

  @Test func aReopenedFormHasEachEditOnceAndSavesAsTheFirstOneWould() throws {
    try with(try Todo.application()) { forms, others, store in
      try Seeds.run(20) { seed in
        var random = SeededRandom(seed: seed)
        let tasks = try store.fetch(Todo.Task.all.sorted(by: \.title)).rows.map(\.id.objectID)
        let object = Bool.random(using: &random) ? tasks.randomElement(using: &random) : nil
        let form = try forms.open("task", object: object, none)
        for number in 1...12 { try edit(form, number, "\(seed)", in: store, &random) }
        let again = try others.reopen(form.id, record(of: form))
        #expect(again.refusals.isEmpty)
        #expect(try state(again.form) == state(form))
        let (kept, first) = (try again.form.withRecord { $0.json.text }, try record(of: form).json.text)
        #expect(kept == first)
        // An edit that was sent before the form was dropped is sent again, and one after it is new.
        try again.form.take(12, of: "page") { Issue.record("it was performed twice") }
        try again.form.take(13, of: "page") { try again.form.set(["title": .string("\(seed) at the end")]) }
        #expect(try again.form.save(author: "Maria") == store.position)
        #expect(try store.get(form.object)?["title"] == .string("\(seed) at the end"))
        forms.drop(form)
        others.drop(again.form)
      }
    }
  }

  /// Performs a random edit of a task.
  private func edit(
    _ form: OpenForm, _ number: Int, _ name: String, in store: Store, _ random: inout SeededRandom
  ) throws {
    let (act, digit) = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<3, using: &random))
    func one<Object>(of request: Request<Record<Object>>) throws -> Input? {
      let rows = try form.context.fetch(request.untyped).sections.flatMap(\.rows)
      return try rows.isEmpty
        ? nil
        : Input([
          "tag": .string("\(rows[digit % rows.count].id)"), "category": .string("\(rows[digit % rows.count].id)"),
        ])
    }
    try form.take(number, of: "page") {
      switch act {
      case 0, 1: try form.set(["title": .string("\(name) \(number)\r\n\t😀 ")])
      // A day that no earlier task has: what changes nothing is not performed again.
      case 2: try form.set(["due": .string("\(2100 + (UInt64(name) ?? 0) % 900)-12-\(10 + number)")])
      case 3: try form.perform("add tag", Input(["name": .string("tag \(name) \(number)")]))
      case 4: try form.perform("add category", Input(["name": .string("category \(name) \(number)")]))
      case 5: if let input = try one(of: Todo.Tag.all.sorted(by: \.name)) { try form.perform("tick tag", input) }
      case 6:
        if let input = try one(of: Todo.Category.all.sorted(by: \.name)) { try form.perform("pick category", input) }
      default: try form.undo()
      }
    }
  }

  @Test func whatOthersCommittedMeanwhileIsAConflictWithTheValuesOfBothAndBefore() throws {
    try with(try Todo.application()) { forms, others, store in
      let task = try #require(try store.fetch(Todo.Task.where { $0.title == "Buy stamps" }).rows.first).id.objectID
      let form = try forms.open("task", object: task, none)
      try form.set(["title": "Buy stamps here"])
      let kept = try record(of: form)
      forms.drop(form)
      try store.write { try $0.set(task, ["title": "Buy stamps there"]) }
      let again = try others.reopen(form.id, kept).form
      try again.rebase()
      let conflict = try #require(try FormState.json(of: again)["conflicts"]?[0])
      let values = ["base", "mine", "theirs"].map { conflict[$0]?.stringValue }
      #expect(values == ["Buy stamps", "Buy stamps here", "Buy stamps there"])
      let error = #expect(throws: StoreError.self) { try again.save(author: nil) }
      #expect(error?.code == .conflict)
      // A decision is in the record, so that opening it once more does not ask again, and does not forget it.
      try again.resolve(["\(task)/title": .theirs])
      let decided = try forms.reopen(form.id, record(of: again)).form
      #expect(decided.conflicts.isEmpty)
      #expect(try decided.context.get(task)?["title"] == "Buy stamps there")
    }
  }

  @Test func aSaveWhoseAnswerWasLostWritesNothingTheSecondTime() throws {
    try with(try Todo.application()) { forms, others, store in
      let commitID = try #require(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91"))
      let form = try forms.open("task", object: nil, none)
      try form.set(["title": "Buy ink"])
      try form.perform("add tag", Input(["name": "shop"]))
      let kept = try record(of: form)
      let position = try form.save(author: "Maria", commitID: commitID)
      forms.drop(form)
      try store.write { try $0.set(form.object, ["title": "Buy blue ink"]) }
      let again = try others.reopen(form.id, kept).form
      #expect(try again.save(author: "Maria", commitID: commitID) == position)
      #expect(try store.position == position.next)
      #expect(try store.get(form.object)?["title"] == "Buy blue ink")
      #expect(try store.count(Todo.Tag.where { $0.name == "shop" }) == 1)
    }
  }

  @Test func rowsInAFormKeepTheirOrderAndTheirIdentities() throws {
    try with(try Recipes.application()) { forms, others, store in
      let pie = try #require(try store.fetch(Recipe.where { $0.name == "Apple pie" }).rows.first)
      let form = try forms.open("recipe", object: pie.id.objectID, none)
      try form.perform("add ingredient", Input(["name": "salt", "amount": " 1 g "]))
      func rows(_ form: OpenForm) throws -> [ObjectID] {
        try form.context.fetch(ingredients(of: pie.id).untyped).sections.flatMap(\.rows).map(\.id)
      }
      let salt = try #require(try rows(form).last)
      try form.perform(
        "move ingredient", Input(["ingredient": .string("\(salt)"), "before": .string("\(try rows(form)[0])")]))
      try form.perform("move ingredient", Input(["ingredient": .string("\(try rows(form)[1])")]))
      try form.perform("delete ingredient", Input(["ingredient": .string("\(try rows(form)[3])")]))
      try form.perform("change ingredient", Input(["ingredient": .string("\(salt)"), "name": "sea salt"]))
      let again = try others.reopen(form.id, record(of: form))
      #expect(again.refusals.isEmpty)
      #expect(try rows(again.form) == rows(form))
      #expect(try again.form.context.get(salt)?["name"] == "sea salt")
      #expect(try again.form.context.get(salt)?["amount"] == " 1 g ")
    }
  }

  @Test func aLargeValueThatTheStoreLacksIsLeftOutWithWordsAndTheRestStays() throws {
    try with(try Recipes.application()) { forms, others, store in
      let pie = try #require(try store.fetch(Recipe.where { $0.name == "Apple pie" }).rows.first)
      let form = try forms.open("recipe", object: pie.id.objectID, none)
      let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 100_000))
      try form.set(["overview": "as before"])
      try form.perform("choose photo", Input(["photo": .string(picture.base64EncodedString()), "thumbnail": "AA=="]))
      try form.set(["minutes": 12])
      let again = try others.reopen(form.id, record(of: form))
      #expect(again.refusals.count == 1)
      let object = try #require(try again.form.context.get(pie.id.objectID))
      #expect(object["overview"] == "as before" && object["minutes"] == 12)
      #expect(object["thumbnail"] == (try store.get(pie.id.objectID))?["thumbnail"])
    }
  }

  @Test func arbitraryRecordsAreRefusedAndOpenNothing() throws {
    try with(try Todo.application()) { forms, _, store in
      let task = try #require(try store.fetch(Todo.Task.all).rows.first).id.objectID
      let tag = try #require(try store.fetch(Todo.Tag.all).rows.first).id.objectID
      let missing = try #require(ObjectID("0190163d-8694-739b-aea5-966c26f8ad91"))
      let form = try forms.open("task", object: task, none)
      let kept = try record(of: form)
      forms.drop(form)
      for json in ["null", "[]", "{}", #"{"form": "task", "object": "x"}"#, #"{"form": 1, "object": 2, "steps": 3}"#] {
        #expect(throws: (any Error).self) { try FormRecord(JSONValue(parsing: json)) }
      }
      func refuses(_ id: String = Self.id, _ change: (inout FormRecord) -> Void) {
        var record = kept
        change(&record)
        #expect(throws: (any Error).self) { try forms.reopen(id, record) }
      }
      refuses { $0.form = "nothing" }
      refuses { $0.object = tag }
      refuses { $0.object = missing }
      refuses { $0.position = Position(1_000) }
      refuses { $0.position = .empty }
      for id in ["", "..", "a/b", String(repeating: "a", count: 42), String(repeating: "é", count: 43)] {
        refuses(id) { _ in }
      }
      #expect(forms.count == 0)
      // Steps that are not valid are left out one by one.
      var odd = kept
      odd.steps = [
        .null, [], [.null], [["insert": "Nothing"]], [["delete": [1]]],
        [["set": .string("\(task)"), "values": ["title": "odd"]]],
      ]
      let again = try forms.reopen(Self.id, odd)
      #expect(again.refusals.count == 4)
      #expect(try again.form.context.get(task)?["title"] == "odd")
      #expect(try forms.reopen(Self.id, kept).form === again.form)
    }
  }
}
