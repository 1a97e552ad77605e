import ApplicationSupport
import DaybookMacros
import DaybookTestSupport
import Testing

@testable import First
@testable import Todo

/// The models of the applications, and what a new store has in it.
@Suite(.hangLimit) struct ModelTests {
  @Test func aRootIsDeletedWithAllBelowItDeepestFirst() throws {
    try withStore(of: try First.application()) { store in
      let animals = try #require(try store.fetch(RootLevel.where { $0.name == "Animals" }).rows.first)
      let position = try store.write { tx in
        try tx.delete(animals.id)
        return tx.position
      }
      var log = try store.log(from: position)
      let deleted = try #require(try log.next()).events.filter { $0.kind == .deleted }.map(\.entity)
      #expect(
        deleted == [
          "SixthLevel", "FifthLevel", "FourthLevel", "ThirdLevel", "SecondLevel", "SecondLevel", "RootLevel",
        ])
      #expect(try store.count(SixthLevel.all) == 0)
    }
  }

  @Test func aChildNeedsAParentAndAName() throws {
    try withStore(of: try First.application()) { store in
      let trees = try #require(try store.fetch(SecondLevel.where { $0.name == "Trees" }).rows.first)
      #expect { try store.write { try $0.rename(trees.id, to: "") } } throws: {
        ($0 as? StoreError)?.failure?.rule == .attribute(.minimumLength(1))
      }
      let plants = try #require(try store.fetch(RootLevel.where { $0.name == "Plants" }).rows.first)
      #expect { try store.write { try $0.unrelate(trees.id, \.parent, from: plants.id) } } throws: {
        ($0 as? StoreError)?.failure?.rule == .required
      }
    }
  }

  @Test func theTasksOfADeletedCategoryHaveNone() throws {
    try withStore(of: try Todo.application()) { store in
      let garden = try #require(try store.fetch(Todo.Category.where { $0.name == "Garden" }).rows.first)
      #expect(garden.taskCount == 1)
      try store.write { try $0.delete(garden.id) }
      let sections = try store.fetch(Todo.Task.all.sectioned(by: \.category.name).sorted(by: \.title)).sections
      #expect(sections.map(\.name) == ["", "Home", "Office"])
      #expect(sections[0].rows.map(\.title) == ["Buy stamps", "Prune the roses"])
    }
  }

  /// A store is opened again with what was written, and not made again.
  @Test func aStoreIsOpenedAgain() throws {
    let directory = try TemporaryDirectory()
    let application = try Todo.application()
    let first = try application.openStore(in: directory.path, options: TestJournal.options())
    let head = try first.write { tx in
      try tx.insert(Todo.Task(title: "Buy ink"))
      return tx.position
    }
    first.close()
    let second = try application.openStore(in: directory.path, options: TestJournal.options())
    #expect(try second.position == head)
    #expect(try second.count(Todo.Task.all) == 6)
    try closeAndVerify(second)
  }

  private func withStore(of application: Application, _ body: (Store) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = try application.openStore(in: directory.path, options: TestJournal.options())
    try body(store)
    try closeAndVerify(store)
  }
}
