#if Import

import Daybook
import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

/// Imports into a store that does not exist.
@Suite(.hangLimit)
struct NewStoreTests {
  @Test
  func `objects, values and links are those of the source`() throws {
    let source = try PlainSource.projects()
    let imported = try ImportedStore()
    let report = try imported.run(source)
    #expect(report.head == 2)
    #expect(report.commitCount == 2)
    try imported.read { (store: Store) throws in
      let project = try #require(try store.get(source.id("Project", 1)))
      #expect(project["title"] == "House")
      #expect(project["size"] == 3)
      #expect(project["photo"].isNull)
      #expect(project.target("owner") == source.id("Person", 20))
      let (tasks, tags) = try store.read { reader in
        try (
          reader.linkTargets(of: project.id, "tasks"),
          Set(reader.linkTargets(of: source.id("Task", 11), "tags"))
        )
      }
      #expect(tasks == [12, 10, 11].map { source.id("Task", $0) })
      #expect(tags == [source.id("Tag", 30), source.id("Tag", 31)])
      #expect(try store.get(source.id("Task", 10))?.target("project") == project.id)
    }
  }

  @Test
  func `the identity of an object follows from the store and the row`() throws {
    // Computed with Python's uuid.uuid5.
    let namespace = try #require(ObjectID("11111111-2222-4333-8444-555555555555"))
    #expect(ObjectID(name: "Recipe/p7", in: namespace).description == "d0e7d492-91f1-5bb3-bc36-9f841adbe8fd")
    #expect(ObjectID(name: "Recipe/p7", in: namespace).isNamed)
  }

  @Test
  func `commits have the metadata of the import`() throws {
    let source = try PlainSource.projects()
    let imported = try ImportedStore()
    try imported.run(source) { options in
      options.author = "ada"
      options.message = "move in"
    }
    try imported.read { (store: Store) throws in
      var log = try store.log()
      var commits: [Commit] = []
      while let commit = try log.next() { commits.append(commit) }
      #expect(commits.map(\.isModel) == [true, false])
      for commit in commits {
        #expect(commit.author == "ada")
        #expect(commit.message == "move in")
        #expect(commit.metadata["import"] == .some("coredata"))
        #expect(commit.metadata["source"] == .some(.string(source.identity?.description ?? "")))
      }
      #expect(commits[0].correlation != nil)
      #expect(commits[0].correlation == commits[1].correlation)
    }
  }

  @Test
  func `several commits give the same store as one`() throws {
    let source = try PlainSource.projects()
    let (one, several) = (try ImportedStore(), try ImportedStore())
    try one.run(source)
    let report = try several.run(source) { $0.batchSize = 1 }
    #expect(report.commitCount > 8)
    for entity in source.rows.keys.sorted() {
      let objects = try [one, several].map { imported in
        try imported.read { (store: Store) throws in
          try store.read { reader in
            try reader.fetch(Request(entity: entity)).rows.map { object in
              let lists = try reader.model.entity(entity)?.relationships.map { relationship in
                try reader.linkTargets(of: object.id, relationship.name)
              }
              return "\(object.id) \(object.values.map(\.value)) \(lists ?? [])"
            }.sorted()
          }
        }
      }
      #expect(objects[0] == objects[1])
    }
  }

  @Test
  func `rows that break rules are listed, and nothing is left behind`() throws {
    var source = try PlainSource.projects()
    source.rows["Project"]?[2] = PlainSource.Row()
    source.rows["Task"]?[13] = PlainSource.Row(values: ["title": "Lost"])
    let imported = try ImportedStore()
    try expectError(
      "Project.title is required, and 1 row breaks it, first Project/p2", "Task.project", "Task/p13", "--relax"
    ) {
      try imported.run(source)
    }
    #expect(try imported.names() == [])
    let report = try imported.run(source) { $0.relaxes = true }
    #expect(report.changed.map(\.what) == ["Project.title", "Task.project"])
    try imported.read { (store: Store) throws in
      #expect(try store.require(source.id("Project", 2))["title"].isNull)
      #expect(try store.get(source.id("Task", 13))?.target("project") == nil)
    }
  }

  @Test
  func `a limit that rows break counts for new values with relax`() throws {
    var model = SourceModel.projects
    model.entities[0].attributes[1].rules.maximum = .integer(2)
    var source = try PlainSource(model)
    source.rows = try PlainSource.projects().rows
    let imported = try ImportedStore()
    try expectError("Project.size has the rule maximum 2") { try imported.run(source) }
    try imported.run(source) { $0.relaxes = true }
    try imported.read { (store: Store) throws in
      #expect(try store.get(source.id("Project", 1))?["size"] == 3)
      #expect(throws: StoreError.self) {
        try store.write { tx in try tx.set(source.id("Project", 1), ["size": 4]) }
      }
    }
  }

  @Test
  func `a source that fails while it is written leaves nothing behind`() throws {
    for batch in [nil, 1] {
      var source = try PlainSource.projects()
      var passes = 0
      source.willRead = { entity in
        // Each entity is read once before anything is written.
        if entity == "Tag" { passes += 1 }
        if passes == 2 { throw ImportError(.inputOutput, "the disk is gone") }
      }
      let imported = try ImportedStore()
      try expectError("the disk is gone") { try imported.run(source) { $0.batchSize = batch } }
      #expect(try imported.names() == [])
    }
  }

  @Test
  func `a dry run writes nothing`() throws {
    let imported = try ImportedStore()
    let report = try imported.run(.projects()) { $0.isDryRun = true }
    #expect(report.head == nil)
    #expect(report.entities.map(\.objectCount) == [1, 3, 1, 2])
    #expect(try imported.names() == [])
  }

  @Test
  func `files of large values are copied, and values that are too large become null`() throws {
    var source = try PlainSource.projects()
    let imported = try ImportedStore()
    let bytes = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let path = try imported.directory.write(bytes, "photo")
    source.rows["Project"]?[1]?.values["photo"] = .file(SourceFile(path: path, sizeInBytes: bytes.count))
    source.rows["Project"]?[2] = PlainSource.Row(
      values: ["title": "Big", "photo": .file(SourceFile(path: path, sizeInBytes: 100 << 20))])
    let report = try imported.run(source)
    #expect(report.values.map(\.count) == [1])
    #expect(report.values.first?.what.hasPrefix("Project.photo: ") == true)
    try imported.read { (store: Store) throws in
      #expect(try store.get(source.id("Project", 1))?["photo"].data() == bytes)
      #expect(try store.require(source.id("Project", 2))["photo"].isNull)
    }
  }

  @Test
  func `an attribute can be the identity`() throws {
    var model = SourceModel.projects
    model.entities[2].attributes.append(.optional("key", .uuid))
    var source = try PlainSource(model)
    source.rows = try PlainSource.projects().rows
    let key = ObjectID("00000000-0000-4000-8000-000000000001") ?? .zero
    source.rows["Person"]?[20]?.values["key"] = .value(.uuid(key))
    let imported = try ImportedStore()
    try imported.run(source) { $0.identities = ["Person": "key", "Tag": "name"] }
    try imported.read { (store: Store) throws in
      #expect(try store.get(source.id("Project", 1))?.target("owner") == key)
      let names = ObjectID(name: "Tag", in: .zero)
      #expect(try store.get(ObjectID(name: "wood", in: names))?["name"] == "wood")
    }
    source.rows["Tag"]?[31]?.values["name"] = "wood"
    try expectError("two objects of Tag") {
      try ImportedStore().run(source) { $0.identities = ["Tag": "name"] }
    }
  }
}

#endif
