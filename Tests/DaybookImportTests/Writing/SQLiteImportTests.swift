#if Import

import Daybook
import DaybookModel
import DaybookTestSupport
import GRDB
import Testing

@testable import DaybookImport

/// Imports of SQLite files, whose names the report has.
@Suite(.hangLimit)
struct SQLiteImportTests {
  private let imported: ImportedStore

  init() throws {
    imported = try ImportedStore()
    let queue = try DatabaseQueue(path: imported.directory.path("file.sqlite"))
    try queue.write { database in
      try database.execute(
        sql: """
          CREATE TABLE "the maker" (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
          CREATE TABLE car (id INTEGER PRIMARY KEY, "like" TEXT, maker_id INTEGER NOT NULL REFERENCES "the maker" (id));
          INSERT INTO "the maker" VALUES (1, 'A'), (2, 'B');
          INSERT INTO car VALUES (1, 'x', 1), (2, NULL, 2), (3, 'y', 2);
          """)
    }
    try queue.close()
  }

  private func run(_ change: (inout ImportOptions) -> Void = { _ in }) throws -> ImportReport {
    let source = try SQLiteSource(path: imported.directory.path("file.sqlite"))
    var job = ImportJob(.sqlite, [source], into: imported.path, target: source.lookup)
    job.fileNames = FileNames(source.fileNames)
    change(&job.options)
    return try job.run()
  }

  private func change(_ sql: String) throws {
    let queue = try DatabaseQueue(path: imported.directory.path("file.sqlite"))
    try queue.write { try $0.execute(sql: sql) }
    try queue.close()
  }

  @Test
  func `rows are objects, and the report has the names of the file`() throws {
    let report = try run { $0.translation.renames = ["car.like": "wish", "the maker": "Maker"] }
    #expect(report.entities.map(\.name).sorted() == ["car", "the maker"])
    #expect(report.entities.map(\.newName).sorted() == ["Maker", "car"])
    let car = try #require(report.entities.first { $0.name == "car" })
    #expect(car.attributes.map(\.name) == ["id", "like"])
    #expect(car.attributes.map(\.newName) == ["id_", "wish"])
    #expect(car.relationships.map(\.name) == ["maker_id"])
    #expect(car.relationships.map(\.linkCount) == [3])
    try imported.read { (store: Store) throws in
      let id = ObjectID(name: "car/3", in: store.id)
      let found = try #require(try store.get(id))
      #expect(found["wish"] == "y")
      #expect(found.target("maker") == ObjectID(name: "the maker/2", in: store.id))
    }
  }

  @Test
  func `a second import writes what the file has changed`() throws {
    try run()
    #expect(try run().commitCount == 0)
    try change(
      "UPDATE car SET maker_id = 1 WHERE id = 3; DELETE FROM car WHERE id = 1; INSERT INTO car VALUES (9, 'z', 2)")
    #expect(try run().commitCount == 1)
    try imported.read { (store: Store) throws in
      #expect(try store.count(Request(entity: "car")) == 3)
      let moved = try #require(try store.get(ObjectID(name: "car/3", in: store.id)))
      #expect(moved.target("maker") == ObjectID(name: "the maker/1", in: store.id))
    }
  }
}

#endif
