#if Macros

import DaybookMacros
import DaybookTestSupport
import Foundation
import Testing

@Entity public struct Setting: Hashable {
  @Name @Unique public var key: String
  public var value = 0
  public var changes: [String] = []
}

@Entity private struct Secret {
  var word: String
  private(set) var tries = 0 {
    didSet { if tries > 3 { word = "" } }
  }

  init(guessing word: String) { self.word = word }
}

/// An application's entities before and after a change.
private enum First {
  @Entity struct Task: Hashable {
    var title: String
    var isDone = false
    var list: List.ID?
  }

  @Entity struct List: Hashable {
    @Name var title: String
    var tasks: Related<Task>
  }
}

private enum Second {
  @Entity("Todo", renamedFrom: "Task") struct Task: Hashable {
    @Name @Attribute(renamedFrom: "title", order: .caseInsensitive) var name: String
    var isDone = false
    var priority = 1
    @Relationship(renamedFrom: "list") var project: Project.ID?
  }

  @Entity(renamedFrom: "List") struct Project: Hashable {
    @Name @Attribute(renamedFrom: "title") var name: String
    @Relationship(onDelete: .cascade) var tasks: Related<Task>
  }
}

@Suite(.hangLimit) struct EntityUseTests {
  @Test func entitiesMayBePublicOrPrivateAndHaveTheirOwnInitialisers() throws {
    try withTemporaryStore(Model(Setting.self, Secret.self)) { store in
      let (setting, secret) = try store.write { tx in
        (try tx.insert(Setting(key: "size", changes: ["new"])), try tx.insert(Secret(guessing: "x")))
      }
      #expect(try store.get(setting)?.value == Setting(key: "size", value: 0, changes: ["new"]))
      #expect(try store.get(secret)?.word == "x")
      #expect(try store.get(secret)?.tries == 0)
      try store.write { try $0.set(secret, \.tries, 4) }
      // Observers do not run while a struct is read.
      #expect(try store.get(secret)?.word == "x")
    }
  }

  @Test func aModelOfStructsEvolves() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let (list, task): (ObjectID, ObjectID)
    do {
      let store = try Store(at: path, model: Model(First.Task.self, First.List.self))
      (list, task) = try store.write { tx in
        let list = try tx.insert(First.List(title: "Home"))
        return (list.objectID, try tx.insert(First.Task(title: "clean", list: list)).objectID)
      }
      store.close()
    }
    let store = try Store(at: path)
    try store.apply(Model(Second.Task.self, Second.Project.self))
    let todo = try #require(try store.get(Second.Task.ID(task)))
    #expect(todo.value == Second.Task(name: "clean", project: Second.Project.ID(list)))
    #expect(try todo.related(\.project)?.name == "Home")
    #expect(try store.fetch(Second.Task.where { $0.project.name == "Home" }).rows.map(\.id) == [todo.id])
    // The past has the model of its time, which lacks the entity.
    let error = #expect(throws: StoreError.self) { try store.at(2).fetch(Second.Task.all) }
    #expect(error?.code == .badRequest)
    #expect(try store.at(2).get(First.Task.ID(task))?.title == "clean")
    try closeAndVerify(store)
  }

  @Test func aFlagIsACondition() throws {
    typealias Task = Second.Task
    try withTemporaryStore(Model(Task.self, Second.Project.self)) { store in
      try store.write { tx in
        for (name, isDone, priority) in [("a", true, 1), ("b", false, 2), ("c", true, 3)] {
          try tx.insert(Task(name: name, isDone: isDone, priority: priority))
        }
      }
      func names(_ request: Request<Record<Task>>) throws -> [String] {
        try store.fetch(request.sorted(by: \.name)).rows.map(\.name)
      }
      #expect(try names(Task.where { $0.isDone }) == ["a", "c"])
      #expect(try names(Task.where { !$0.isDone }) == ["b"])
      #expect(try names(Task.all.where { $0.isDone }.where { $0.priority > 1 }) == ["c"])
      #expect(try names(Task.where { $0.isDone && $0.priority > 1 }) == ["c"])
      #expect(try names(Task.where { $0.priority > 1 && $0.isDone }) == ["c"])
      #expect(try names(Task.where { $0.priority == 2 || $0.isDone }) == ["a", "b", "c"])
      #expect(try names(Task.where { $0.isDone || $0.priority == 2 }) == ["a", "b", "c"])
      #expect(try names(Task.where { $0.isDone && $0.isDone || !$0.isDone && $0.name == "b" }) == ["a", "b", "c"])
      #expect(Task.where { $0.isDone }.untyped == Task.where { $0.isDone == true }.untyped)
    }
  }

  @Test func valuesAreComparedWithoutTheTargetsOfToManyRelationships() {
    let (flour, sugar) = (Ingredient.ID(ObjectID(UUID())), Ingredient.ID(ObjectID(UUID())))
    let cake = Recipe(name: "Cake", ingredients: [flour])
    #expect(cake == Recipe(name: "Cake", ingredients: [flour, sugar]))
    #expect(Set([cake, Recipe(name: "Cake")]).count == 1)
    #expect(cake != Recipe(name: "Pie", ingredients: [flour]))
    #expect(cake != Recipe(name: "Cake", servings: 5, ingredients: [flour]))
    #expect(cake != Recipe(name: "Cake", type: RecipeType.ID(ObjectID(UUID())), ingredients: [flour]))
    #expect(Set([cake, Recipe(name: "Pie")]).count == 2)
  }

  @Test func aPropertyThatTheModelLacksIsNull() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: Model(First.Task.self, First.List.self))
    let id = try store.write { try $0.insert(First.Task(title: "clean")) }
    let error = #expect(throws: StoreError.self) { try store.get(Later.Task.ID(id.objectID)) }
    #expect(error?.message == "The model by which \(id) is read has no attribute Task.priority.")
    #expect(error?.advice?.contains("make it optional") == true)
    #expect(try store.get(Latest.Task.ID(id.objectID))?.note == nil)
  }
}

private enum Later {
  @Entity struct Task {
    var title: String
    var priority = 1
  }
}

private enum Latest {
  @Entity struct Task {
    var title: String
    var note: String?
  }
}

#endif
