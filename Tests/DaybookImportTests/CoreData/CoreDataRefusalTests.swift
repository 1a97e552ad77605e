#if Import

import DaybookTestSupport
import Foundation
import GRDB
import Testing

@testable import DaybookImport

/// Files that are not read, with the reason in words.
@Suite(.hangLimit)
struct CoreDataRefusalTests {
  private func refused(_ words: String..., kind: ImportError.Kind, _ body: () throws -> Void) {
    #expect {
      try body()
    } throws: { error in
      guard let error = error as? ImportError else { return false }
      return error.kind == kind && words.allSatisfy { error.message.contains($0) }
    }
  }

  @Test("files that are not stores of Core Data are refused by their name")
  func foreignFiles() throws {
    let directory = try TemporaryDirectory()
    refused("absent.sqlite", "no such file", kind: .inputOutput) {
      _ = try CoreDataStore(directory.path("absent.sqlite"))
    }
    refused("directory", kind: .usage) { _ = try CoreDataStore(directory.path) }
    let empty = try directory.write("", "empty")
    refused("is empty", kind: .data) { _ = try CoreDataStore(empty) }
    let text = try directory.write(String(repeating: "no database at all\n", count: 40), "text")
    refused("is not an SQLite database", "no database at", kind: .usage) { _ = try CoreDataStore(text) }
    var random = SeededRandom(seed: 1)
    let noise = (0..<4096).map { _ in UInt8(random.number(0...255)) }
    let encrypted = try directory.write(noise, "encrypted")
    refused("SQLCipher", kind: .usage) { _ = try CoreDataStore(encrypted) }
    let xml = try directory.write("<?xml version=\"1.0\"?><database/>", "xml")
    refused("XML", kind: .usage) { _ = try CoreDataStore(xml) }
  }

  @Test("other databases are refused by their name")
  func foreignDatabases() throws {
    let directory = try TemporaryDirectory()
    for (name, sql) in [
      ("plain", "CREATE TABLE t (x)"), ("ecd", "CREATE TABLE ecdNote (__objectid INTEGER PRIMARY KEY)"),
    ] {
      let queue = try DatabaseQueue(path: directory.path(name))
      try queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }
    refused("Z_METADATA", "import sqlite", kind: .usage) { _ = try CoreDataStore(directory.path("plain")) }
    refused("encrypted-core-data", kind: .usage) { _ = try CoreDataStore(directory.path("ecd")) }
  }

  @Test("compiled models and models of Xcode 3 are refused with the way out")
  func oldModels() throws {
    let directory = try TemporaryDirectory()
    for name in ["M.mom", "M.momd/M.mom", "M.omo"] {
      let path = try directory.write("x", name)
      refused("compiled model", kind: .usage) { _ = try ModelBundle(path) }
    }
    refused("compiled model", kind: .usage) { _ = try ModelBundle(directory.path("M.momd")) }
    try directory.write("x", "Old.xcdatamodel/elements")
    refused("Xcode 3", kind: .usage) { _ = try ModelBundle(directory.path("Old.xcdatamodel")) }
    try directory.write("x", "B.xcdatamodeld/B.xcdatamodel/elements")
    try directory.write("<model><entity name=\"A\"/></model>", "B.xcdatamodeld/B 2.xcdatamodel/contents")
    refused("--version", kind: .usage) { _ = try ModelBundle(directory.path("B.xcdatamodeld")).current() }
    let named = try CoreDataImport(stores: [], model: directory.path("B.xcdatamodeld"), version: "B 2")
    #expect(named.target.model.entities.map(\.name) == ["A"])
    try directory.write(plist("B 2.xcdatamodel"), "B.xcdatamodeld/.xccurrentversion")
    let bundle = try ModelBundle(directory.path("B.xcdatamodeld"))
    #expect(bundle.oldVersions == ["B"] && bundle.currentName == "B 2")
    refused("Xcode 3", kind: .usage) { _ = try bundle.version("B") }
    try directory.write(plist("B.xcdatamodel"), "B.xcdatamodeld/.xccurrentversion")
    refused("Xcode 3", kind: .usage) { _ = try ModelBundle(directory.path("B.xcdatamodeld")).current() }
    try directory.write("<model><entity/></model>", "B.xcdatamodeld/B.xcdatamodel/contents")
    refused("no name", kind: .data) { _ = try ModelBundle(directory.path("B.xcdatamodeld")).current() }
    try directory.write(plist("C.xcdatamodel"), "B.xcdatamodeld/.xccurrentversion")
    refused("lacks", kind: .data) { _ = try ModelBundle(directory.path("B.xcdatamodeld")) }
    refused("no such file", kind: .inputOutput) { _ = try ModelBundle(directory.path("absent.xcdatamodeld")) }
  }

  private func plist(_ name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name)</string></dict></plist>
    """
  }

  @Test("a model that contradicts itself is refused with the entity")
  func contradictions() throws {
    let models = [
      ("twice", "<entity name=\"A\"/><entity name=\"A\"/>"), ("lacks", "<entity name=\"A\" parentEntity=\"B\"/>"),
      ("inherits from itself", "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>"),
      ("twice", "<entity name=\"A\"><attribute name=\"x\"/><attribute name=\"x\"/></entity>"),
      ("unknown", "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Imaginary\"/></entity>"),
      ("no name", "<entity/>"), ("no destination", "<entity name=\"A\"><relationship name=\"r\"/></entity>"),
      (
        "contains itself",
        "<entity name=\"A\"><attribute name=\"x\" attributeType=\"Composite\" composite=\"C\"/></entity>"
          + "<composite name=\"C\"><attribute name=\"y\" attributeType=\"Composite\" composite=\"C\"/></composite>"
      ),
    ]
    for (words, elements) in models {
      refused(words, kind: .data) { _ = try SourceLookup(try MadeStore.model(elements), origin: "made") }
    }
    refused("not <model>", kind: .data) { _ = try ModelFileReader.read(Array("<plist/>".utf8), name: nil, origin: "f") }
    let bomb = "<!DOCTYPE m [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><model identifier=\"&b;\"/>"
    refused("entities of its own", kind: .data) {
      _ = try ModelFileReader.read(Array(bomb.utf8), name: nil, origin: "f")
    }
  }

  @Test(
    "a -wal of another store, a cut one and a damaged one are refused; its absence shows an empty store",
    CoreDataFiles.needed)
  func logs() throws {
    let directory = try TemporaryDirectory()
    let (first, third) = (CoreDataFiles.stores[0].path, CoreDataFiles.stores[1].path)
    let path = try directory.copy(first)
    let log = try SharedData.bytes(first + "-wal")
    #expect(
      try CoreDataStore(path).metadata.identity.description.uppercased() == "8E430534-5F59-49DB-9479-C3290AE2713E")
    try directory.write(SharedData.bytes(third + "-wal"), "Bookmarks_V1.sqlite-wal")
    #expect(throws: ImportError.self) { try CoreDataStore(path) }
    for size in [1, 31, 33, 100, log.count - 1, log.count - 4096] {
      try directory.write(Array(log.prefix(size)), "Bookmarks_V1.sqlite-wal")
      if size <= 32 + 24 || (size - 32) % (4096 + 24) != 0 {
        #expect(throws: ImportError.self, "\(size)") { try CoreDataStore(path) }
      }
    }
    for place in [0, 5, 25, 40, 60, 5000] {
      var damaged = log
      damaged[place] ^= 0x10
      try directory.write(damaged, "Bookmarks_V1.sqlite-wal")
      #expect(throws: ImportError.self, "\(place)") { try CoreDataStore(path) }
    }
    try directory.write("", "Bookmarks_V1.sqlite-wal")
    #expect(try CoreDataImport(stores: [path], model: nil).objects[0].objectCounts() == ["BookmarkEntity": 0])
  }

  @Test("a store that is cut is refused", CoreDataFiles.needed, arguments: CoreDataFiles.stores)
  func cut(_ store: CoreDataFiles.Store) throws {
    let directory = try TemporaryDirectory()
    let bytes = try SharedData.bytes(store.path)
    for part in [3, 2] {
      let path = try directory.write(Array(bytes.prefix(max(512, bytes.count / part))), store.file)
      refused(store.file, kind: .data) { _ = try CoreDataImport(stores: [path], model: store.model) }
    }
  }

  @Test("a store without one of its tables is refused", CoreDataFiles.needed, arguments: CoreDataFiles.stores)
  func missingTable(_ store: CoreDataFiles.Store) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.copy(store.path)
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Y]*' ORDER BY name LIMIT 1")
      try database.execute(sql: "DROP TABLE \"\(tables[0])\"")
    }
    try queue.close()
    #expect(throws: ImportError.self) { try CoreDataImport(stores: [path], model: store.model) }
  }
}

#endif
