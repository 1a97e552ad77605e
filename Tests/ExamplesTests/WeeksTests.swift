import ApplicationSupport
import DaybookMacros
import DaybookTestSupport
import Testing

@testable import Todo

/// The weeks of Todo, which one projection counts and another one adds up.
@Suite(.hangLimit) struct WeeksTests {
  /// The key of a ``CategoryWeek``.
  private struct Part: Hashable {
    let category: Todo.Category.ID?
    let week: String?
  }

  private func withTodo(_ body: (Store) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = try Todo.application().openStore(in: directory.path, options: TestJournal.options())
    try body(store)
    try closeAndVerify(store)
  }

  @Test func `weeks are what the tasks add up to at each position`() throws {
    try Seeds.run(4) { seed in
      try withTodo { store in
        var random = SeededRandom(seed: seed)
        for _ in 0..<40 { try commit(in: store, &random) }
        for number in 2...(try store.position.number) { try check(store.at(Position(number))) }
      }
    }
  }

  private func commit(in store: Store, _ random: inout SeededRandom) throws {
    let (tasks, categories) = (
      try store.fetch(Todo.Task.all).rows.map(\.id), try store.fetch(Todo.Category.all).rows.map(\.id)
    )
    let due = random.pick([nil, Timestamp("2026-11-30"), Timestamp("2026-12-06"), Timestamp("2026-12-07")])
    let category = categories.isEmpty ? nil : random.pick(categories)
    try store.write { tx in
      switch random.number(0...9) {
      case 0: try tx.insert(Todo.Category(name: "Category \(tx.position)"))
      case 1: if let category { try tx.delete(category) }
      case 2: if !tasks.isEmpty { try tx.delete(random.pick(tasks)) }
      case 3...5:
        guard !tasks.isEmpty else { return }
        let task = random.pick(tasks)
        try tx.set(task, \.due, due)
        if let category { try tx.relate(task, \.category, to: category) }
      default:
        for number in 1...random.number(1...3) {
          try tx.insert(Todo.Task(title: "Task \(number)", due: due, category: random.pick([category, nil])))
        }
      }
    }
  }

  private func check(_ past: PastStore) throws {
    let parts = Dictionary(grouping: try past.fetch(Todo.Task.all).rows) {
      Part(category: $0.category, week: $0.due?.week)
    }.mapValues(\.count)
    let rows = try past.fetch(CategoryWeek.all).rows
    try #require(
      Dictionary(uniqueKeysWithValues: rows.map { (Part(category: $0.category, week: $0.week), $0.tasks) }) == parts)
    let weeks = Dictionary(grouping: parts) { $0.key.week }
    let sums = try past.fetch(Week.all).rows
    try #require(sums.count == weeks.count)
    for sum in sums {
      let ofWeek = (weeks[sum.week] ?? []).sorted { $0.value > $1.value }
      try #require(sum.tasks == ofWeek.reduce(0) { $0 + $1.value })
      let hasBusiest = ofWeek.count > 1 && ofWeek[0].value > ofWeek[1].value
      try #require(sum.busiest == (hasBusiest ? ofWeek[0].key.category : nil))
    }
  }

  @Test func `a list of the weeks changes by one difference with each commit`() throws {
    try withTodo { store in
      let list = try store.liveResults(of: CategoryWeek.all.sectioned(by: \.week).sorted(by: \.category.name))
      #expect(try list.sections.map(\.name) == ["", "2026-W49"])
      let plumber = try #require(try store.fetch(Todo.Task.where { $0.title == "Call the plumber" }).rows.first)
      try store.write { try $0.set(plumber.id, \.due, Timestamp("2026-12-02")) }
      let moved = try #require(try list.update())
      // The row of no date goes, and the one of the week has one more.
      #expect(!moved.isReset && moved.difference.sections.isEmpty && moved.difference.rows.count == 2)
      // A delete is previewed as before while the list is followed.
      let context = try store.makeContext()
      try context.edit { try $0.delete(plumber.id) }
      #expect(try context.preview().deleted == [plumber.id.objectID])
      try context.save()
      #expect(try list.update()?.difference.rows.count == 1)
    }
  }
}
