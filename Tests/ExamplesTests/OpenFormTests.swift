import DaybookMacros
import DaybookModel
import DaybookTestSupport
import Testing

@testable import ApplicationSupport
@testable import Todo

/// The editing contexts behind the forms of pages.
@Suite(.hangLimit) struct OpenFormTests {
  /// A clock that a test sets.
  private final class Clock: Sendable {
    private let passed = Locked(Duration.zero)
    private let start = ContinuousClock.now

    func pass(_ time: Duration) { passed.withLock { $0 += time } }

    var now: ContinuousClock.Instant { start + passed.withLock { $0 } }
  }

  /// Runs a test on the ready-made tasks.
  private func withTasks(_ body: (OpenForms, Store, Clock) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let application = try Todo.application()
    let store = try application.openStore(in: directory.path, options: TestJournal.options())
    let clock = Clock()
    try body(OpenForms(of: application, in: store) { clock.now }, store, clock)
    try closeAndVerify(store)
  }

  private static let christmas = Timestamp(microseconds: 1798070400_000_000)
  private static let empty = try? Input(.null)

  private func open(_ forms: OpenForms, _ title: String?, in store: Store) throws -> OpenForm {
    let object = try title.map { title in
      try #require(try store.fetch(Todo.Task.where { $0.title == title }).rows.first).id.objectID
    }
    return try forms.open("task", object: object, try #require(Self.empty))
  }

  private func input(_ json: JSONValue) throws -> Input { try Input(json) }

  @Test func savingIsOneCommitAndCancellingLeavesNothing() throws {
    try withTasks { forms, store, _ in
      let head = try store.position
      let cancelled = try open(forms, nil, in: store)
      try cancelled.set(["title": "Buy ink"])
      forms.drop(cancelled)
      #expect(try store.position == head)
      #expect(forms.count == 0)
      let saved = try open(forms, nil, in: store)
      try saved.set(["title": "Buy ink"])
      try saved.set(["due": "2026-12-24"])
      try saved.perform("add category", input(["name": "Shop"]))
      #expect(try saved.save(author: "Maria") == head.next)
      let task = try #require(try store.fetch(Todo.Task.where { $0.title == "Buy ink" }).rows.first)
      #expect(try task.related(\.category)?.name == "Shop")
      #expect(try store.blame(of: task.id).lines.allSatisfy { $0.author == "Maria" })
    }
  }

  @Test func aFormIsDroppedAMinuteAfterItsLastStream() throws {
    try withTasks { forms, store, clock in
      let form = try open(forms, "Buy stamps", in: store)
      clock.pass(.seconds(59))
      #expect(try forms.form(form.id) === form)
      let stream = FormStream(form)
      form.join(stream)
      clock.pass(.seconds(600))
      #expect(try forms.form(form.id) === form)
      forms.leave(form, stream)
      clock.pass(.seconds(59))
      #expect(try forms.form(form.id) === form)
      clock.pass(.seconds(1))
      #expect(throws: (any Error).self) { try forms.form(form.id) }
      #expect(forms.count == 0)
      #expect(!form.context.hasChanges)
    }
  }

  @Test func aFormIsDroppedAfterAnHourWithoutUse() throws {
    try withTasks { forms, store, clock in
      let form = try open(forms, "Buy stamps", in: store)
      form.join(FormStream(form))
      clock.pass(.seconds(3_599))
      #expect(try forms.form(form.id) === form)
      clock.pass(.seconds(3_599))
      forms.sweep()
      #expect(forms.count == 1)
      clock.pass(.seconds(1))
      forms.sweep()
      #expect(forms.count == 0)
    }
  }

  @Test func undoLeavesTheObjectOfANewForm() throws {
    try withTasks { forms, store, _ in
      let form = try open(forms, nil, in: store)
      try form.set(["title": "Buy ink"])
      try form.undo()
      try form.undo()
      #expect(try form.context.get(form.object)?["title"] == "")
      try form.context.redo()
      #expect(try form.context.get(form.object)?["title"] == "Buy ink")
    }
  }

  @Test func aConflictIsAPartOfTheStateUntilItIsDecided() throws {
    try withTasks { forms, store, _ in
      let form = try open(forms, "Buy stamps", in: store)
      try form.set(["title": "Buy stamps here"])
      try store.write { try $0.set(form.object, ["title": "Buy stamps there", "due": .date(Self.christmas)]) }
      try form.rebase()
      let key = "\(form.object)/title"
      let state = "\(try FormState.json(of: form).text)"
      #expect(
        state.contains("\"key\": \"\(key)\"") && state.contains("Buy stamps here") && state.contains("Buy stamps there")
      )
      let error = #expect(throws: StoreError.self) { try form.save(author: nil) }
      #expect(error?.code == .conflict)
      #expect(throws: StoreError.self) { try form.resolve([:]) }
      try form.resolve([key: .mine])
      #expect(form.conflicts.isEmpty)
      // What did not conflict is taken over.
      #expect(try form.context.get(form.object)?["due"] == .date(Self.christmas))
      #expect(try form.save(author: nil) == store.position)
      #expect(try store.get(form.object)?["title"] == "Buy stamps here")
    }
  }

  @Test func aPickListHoldsItsOrderAndShowsNewRowsAtItsEnd() throws {
    try withTasks { forms, store, _ in
      let form = try open(forms, "Buy stamps", in: store)
      let stream = FormStream(form)
      #expect(try stream.news().contains("event: state"))
      try form.hold("tags", true)
      // The record knows of it, and no row moves.
      let held = try stream.news()
      #expect(held.contains("\"held\": [\"tags\"]") && !held.contains("event: difference"))
      let urgent = try #require(try store.fetch(Todo.Tag.where { $0.name == "urgent" }).rows.first)
      try form.perform("tick tag", input(["tag": .string("\(urgent.id)")]))
      let ticked = try stream.news()
      #expect(ticked.contains("\"change\": \"update\"") && !ticked.contains("\"change\": \"move\""))
      try form.perform("add tag", input(["name": "paper"]))
      #expect(try stream.news().contains("\"change\": \"insert\""))
      try form.hold("tags", false)
      let left = try stream.news()
      #expect(left.contains("\"change\": \"move\"") && !left.contains("\"change\": \"insert\""))
    }
  }

  @Test func aTakenNameIsRefusedAndTheEditsStay() throws {
    try withTasks { forms, store, _ in
      let (head, form) = (try store.position, try open(forms, "Buy stamps", in: store))
      try form.perform("add category", input(["name": "Home"]))
      #expect {
        try form.save(author: nil)
      } throws: { error in
        guard case .unique = (error as? StoreError)?.failure?.rule else { return false }
        return true
      }
      #expect(try store.position == head)
      #expect(form.context.hasChanges)
    }
  }

  @Test func aFormForAnObjectOfAnotherEntityIsRefused() throws {
    try withTasks { forms, store, _ in
      let tag = try #require(try store.fetch(Todo.Tag.all).rows.first)
      #expect(throws: StoreError.self) {
        try forms.open("task", object: tag.id.objectID, try #require(Self.empty))
      }
      #expect(throws: StoreError.self) { try forms.open("nothing", object: nil, try #require(Self.empty)) }
      #expect(forms.count == 0)
    }
  }
}
