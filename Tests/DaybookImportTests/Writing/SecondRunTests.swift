#if Import

import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookImport

/// A second import of a source into the same store.
@Suite(.hangLimit)
struct SecondRunTests {
  private let imported: ImportedStore
  private var source: PlainSource

  init() throws {
    imported = try ImportedStore()
    source = try PlainSource.projects()
    try imported.run(source)
  }

  private func value(_ entity: String, _ key: Int64, _ name: String) throws -> Value? {
    try imported.read { try $0.get(source.id(entity, key))?[name] }
  }

  private func targets(_ entity: String, _ key: Int64, _ name: String) throws -> [ObjectID] {
    try imported.read { store in try store.read { try $0.linkTargets(of: source.id(entity, key), name) } }
  }

  @Test
  func `without a change there is no commit`() throws {
    let head = try imported.head
    let report = try imported.run(source)
    #expect(report.commitCount == 0)
    #expect(report.head == head)
    #expect(report.entities[0].objectCount == 1)
    #expect(try imported.head == head)
  }

  @Test
  mutating func `what the source changed is written in one commit`() throws {
    let head = try imported.head
    source.rows["Project"]?[1]?.values["title"] = "Hut"
    source.rows["Task"]?[14] = PlainSource.Row(values: ["title": "Door"], links: ["tags": [31]])
    source.rows["Project"]?[1]?.links["tasks"] = [12, 14, 10]
    source.rows["Task"]?[11] = nil
    source.rows["Task"]?[10]?.links["tags"] = []
    let report = try imported.run(source)
    #expect(report.values.isEmpty)
    #expect(try imported.head == head.next)
    #expect(try value("Project", 1, "title") == "Hut")
    #expect(try value("Task", 11, "title") == nil)
    #expect(try targets("Project", 1, "tasks") == [12, 14, 10].map { source.id("Task", $0) })
    #expect(try targets("Task", 10, "tags") == [])
    #expect(try targets("Task", 14, "tags") == [source.id("Tag", 31)])
    let again = try imported.run(source)
    #expect(again.commitCount == 0 && again.entities.allSatisfy { $0.changes == ObjectChanges() })
    let changes = report.entities.map { [$0.changes?.inserted, $0.changes?.changed, $0.changes?.deleted] }
    #expect(changes == [[0, 1, 0], [1, 0, 1], [0, 0, 0], [0, 0, 0]])
    #expect(report.text.contains("Task: 3 objects, 1 inserted, 1 deleted\n"))
  }

  @Test
  func `names that an import gave are kept by the next one`() throws {
    let store = try ImportedStore()
    try store.run(source) { $0.translation.renames = ["Project.size": "rooms", "Person": "Owner"] }
    let again = try store.run(source)
    #expect(again.commitCount == 0, "\(again.text)")
    #expect(try store.read { try $0.require(source.id("Project", 1))["rooms"] } == 3)
    // A new name wins, which is another attribute then.
    let other = try store.run(source) { $0.translation.renames = ["Project.size": "area"] }
    #expect(other.commitCount > 0)
    #expect(try store.read { try $0.require(source.id("Project", 1))["area"] } == 3)
    #expect(try store.run(source).commitCount == 0)
  }

  @Test
  mutating func `what the store changed stays`() throws {
    let (project, tag) = (source.id("Project", 1), source.id("Tag", 31))
    let (first, last) = (source.id("Task", 12), source.id("Task", 11))
    try imported.write { tx in
      try tx.set(project, ["size": 8])
      try tx.unrelate(last, "tags", from: tag)
      try tx.relate(project, "tasks", to: first, at: .after(last))
      try tx.insert("Tag", ["name": "own"])
    }
    // Another change makes a commit, after which the store's own changes must still be known as such.
    for title in ["Hut", "Barn"] {
      source.rows["Project"]?[1]?.values["title"] = .value(.string(title))
      let report = try imported.run(source)
      #expect(report.commitCount == 1)
      #expect(report.values.isEmpty)
    }
    #expect(try value("Project", 1, "title") == "Barn")
    #expect(try value("Project", 1, "size") == 8)
    #expect(try targets("Task", 11, "tags") == [source.id("Tag", 30)])
    #expect(try targets("Project", 1, "tasks") == [10, 11, 12].map { source.id("Task", $0) })
    #expect(try imported.read { try $0.count(Request(entity: "Tag")) } == 3)
  }

  @Test
  mutating func `what both changed is a conflict`() throws {
    let project = source.id("Project", 1)
    try imported.write { tx in
      try tx.set(project, ["size": 8])
      try tx.unrelate(project, "owner", from: source.id("Person", 20))
    }
    source.rows["Person"]?[21] = PlainSource.Row(values: ["name": "Bob"])
    source.rows["Project"]?[1]?.values["size"] = 9
    source.rows["Project"]?[1]?.links["owner"] = [21]
    let report = try imported.run(source)
    #expect(report.values.map(\.count) == [1, 1])
    #expect(report.values.first?.was == "9")
    #expect(report.values.first?.became == "8")
    #expect(try value("Project", 1, "size") == 8)
    #expect(try imported.read { try $0.get(project)?.target("owner") } == nil)
    #expect(try imported.run(source) { $0.sourceWins = true }.commitCount == 1)
    #expect(try value("Project", 1, "size") == 9)
    #expect(try imported.read { try $0.get(project)?.target("owner") } == source.id("Person", 21))
  }

  @Test
  mutating func `what was deleted stays deleted`() throws {
    try imported.write { try $0.delete(source.id("Tag", 30)) }
    #expect(try imported.run(source).commitCount == 0)
    #expect(try value("Tag", 30, "name") == nil)
    source.rows["Tag"]?[30]?.values["name"] = "oak"
    let report = try imported.run(source)
    #expect(report.values.first?.what.contains("deleted in the store") == true)
    #expect(try value("Tag", 30, "name") == nil)
    try imported.run(source) { $0.sourceWins = true }
    #expect(try value("Tag", 30, "name") == "oak")
  }

  @Test
  mutating func `a row that is gone and was changed in the store stays`() throws {
    try imported.write { try $0.set(source.id("Tag", 30), ["name": "oak"]) }
    source.rows["Tag"]?[30] = nil
    for key in [10, 11] as [Int64] { source.rows["Task"]?[key]?.links["tags"]?.removeAll { $0 == 30 } }
    let report = try imported.run(source)
    #expect(report.values.first?.what.contains("gone in the source") == true)
    #expect(try value("Tag", 30, "name") == "oak")
    try imported.run(source) { $0.sourceWins = true }
    #expect(try value("Tag", 30, "name") == nil)
  }

  @Test
  mutating func `a dry run of a second import writes nothing`() throws {
    let head = try imported.head
    source.rows["Project"]?[1]?.values["size"] = 9
    let report = try imported.run(source) { $0.isDryRun = true }
    #expect(report.head == nil)
    #expect(try imported.head == head)
  }

  @Test
  mutating func `batches give the same as one commit`() throws {
    source.rows["Project"]?[2] = PlainSource.Row(values: ["title": "Boat"], links: ["tasks": [40], "owner": [20]])
    source.rows["Task"]?[40] = PlainSource.Row(values: ["title": "Keel"], links: ["tags": [30]])
    source.rows["Task"]?[11] = nil
    source.rows["Project"]?[1]?.links["tasks"] = [10, 12]
    let report = try imported.run(source) { $0.batchSize = 1 }
    #expect(report.commitCount > 2)
    #expect(try targets("Project", 2, "tasks") == [source.id("Task", 40)])
    #expect(try targets("Project", 1, "tasks") == [10, 12].map { source.id("Task", $0) })
    #expect(try value("Task", 11, "title") == nil)
    #expect(try imported.run(source).commitCount == 0)
  }

  @Test
  func `a store of another application gets the parts that it lacks`() throws {
    let other = try ImportedStore()
    let model = Model(entities: [Entity(name: "Person", attributes: [Attribute(name: "name", type: .string)])])
    try Store.create(at: other.path, model: model).close()
    try other.write { try $0.insert("Person", ["name": "Own"]) }
    let report = try other.run(source)
    #expect(report.commitCount == 2)
    #expect(try other.read { try $0.count(Request(entity: "Person")) } == 2)
    let clash = try ImportedStore()
    let wrong = Model(entities: [Entity(name: "Person", attributes: [Attribute(name: "name", type: .integer)])])
    try Store.create(at: clash.path, model: wrong).close()
    try expectError("Person.name is an integer in the store") { try clash.run(source) }
    #expect(try clash.head == 1)
  }

  @Test
  mutating func `a commit that a rule refuses changes neither objects nor the model`() throws {
    let head = try imported.head
    var model = SourceModel.projects
    model.entities[3].attributes.append(.optional("colour", .string))
    var later = try PlainSource(model)
    later.rows = source.rows
    let wanted = later.id("Tag", 32)
    try imported.write { tx in try tx.insert("Person", ["name": "Own"], id: wanted) }
    later.rows["Tag"]?[32] = PlainSource.Row(values: ["name": "new"])
    try expectError("the store has a Person") { try imported.run(later) }
    #expect(try imported.head == head.next)
    later.rows["Tag"]?[32] = nil
    later.rows["Tag"]?[31]?.values["colour"] = "red"
    #expect(try imported.run(later).commitCount == 2)
    #expect(try value("Tag", 31, "colour") == "red")
  }
}

#endif
