#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import GRDB
import Testing

@testable import DaybookImport

@Suite(.hangLimit)
struct SQLiteDamageTests {
  private static let sql = """
    PRAGMA page_size = 512; PRAGMA foreign_keys = OFF;
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE, boss_id INTEGER REFERENCES person);
    CREATE TABLE tag (name TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE person_tag (person_id INTEGER REFERENCES person, tag_name TEXT REFERENCES tag, PRIMARY KEY (person_id, tag_name));
    CREATE INDEX names ON person (name);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO person SELECT i, 'name ' || i, '2026-01-02', i / 2 FROM n;
    INSERT INTO tag VALUES ('a'), ('b'), (hex(randomblob(400)));
    INSERT INTO person_tag SELECT id, t FROM person, (SELECT name AS t FROM tag LIMIT 2);
    """

  private func make(_ directory: TemporaryDirectory, mode: String = "delete") throws -> String {
    let path = directory.path("file.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode);" + Self.sql) }
    try queue.close()
    return path
  }

  private func readAll(_ path: String) throws -> Int {
    let source = try SQLiteSource(path: path)
    var count = 0
    for entity in source.lookup.model.entities { try source.forEachObject(of: entity.name) { _ in count += 1 } }
    for field in source.relationships { _ = try source.forEachLink(of: field) { _ in count += 1 } }
    return count
  }

  @Test
  func `the source is never touched, and a write-ahead log is read`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("live #1?.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;" + Self.sql)
    }
    let copy = try TemporaryDirectory()
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + end, toPath: copy.path("file.sqlite") + end)
    }
    let before = try copy.contents()
    #expect(before.count == 2)
    let count = try readAll(copy.path("file.sqlite"))
    #expect(try copy.contents() == before && count == 63 + 59 + 240)
    try queue.close()
    // Closing moves the log into the file, whose header still has the mode of logs.
    let closed = try directory.contents()
    #expect(closed.count == 1)
    #expect(try readAll(path) == count)
    #expect(try directory.contents() == closed)
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: copy.path("file.sqlite"))
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: copy.path)
    #expect(try readAll(copy.path("file.sqlite")) == count)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: copy.path)
  }

  @Test
  func `a journal beside the file is rolled back`() throws {
    let directory = try TemporaryDirectory()
    let path = try make(directory)
    let queue = try DatabaseQueue(path: path)
    let copy = try TemporaryDirectory()
    let count = try readAll(path)
    try queue.writeWithoutTransaction { database in
      // Pages in excess of the cache are written before the commit.
      try database.execute(
        sql:
          "PRAGMA foreign_keys = OFF; PRAGMA cache_size = 1; BEGIN; UPDATE person SET name = name || hex(randomblob(200)); DELETE FROM tag"
      )
      for end in ["", "-journal"] {
        try FileManager.default.copyItem(atPath: path + end, toPath: copy.path("file.sqlite") + end)
      }
      try database.execute(sql: "ROLLBACK")
    }
    let before = try copy.contents()
    #expect(before.count == 2)
    #expect(try readAll(copy.path("file.sqlite")) == count)
    #expect(try copy.contents() == before)
  }

  @Test
  func `files of other kinds are refused in words`() throws {
    let directory = try TemporaryDirectory()
    try expectError("no such file", "absent") { _ = try SQLiteSource(path: directory.path("absent")) }
    #expect(try importError { _ = try SQLiteSource(path: directory.path("absent")) }?.kind == .inputOutput)
    try expectError("is a directory") { _ = try SQLiteSource(path: directory.path) }
    try expectError("empty") { _ = try SQLiteSource(path: try directory.write([])) }
    try expectError("a,b,c", "csv") { _ = try SQLiteSource(path: try directory.write(Array("a,b,c\n1,2,3\n".utf8))) }
    var random = SeededRandom(seed: 1)
    let noise = (0..<4_096).map { _ in UInt8(random.number(0...255)) }
    try expectError("encrypted", "SQLCipher") { _ = try SQLiteSource(path: try directory.write(noise)) }
    try expectError("cut or damaged") {
      _ = try SQLiteSource(path: try directory.write(Array("SQLite format 3\0".utf8)))
    }
    let holder = try TemporaryDirectory()
    let plain = try SharedData.bytes(try make(holder))
    // As with SQLCipher's plain header: only the first bytes are readable.
    try expectError("encrypted") {
      _ = try SQLiteSource(
        path: try directory.write(Array(plain[..<16] + [2, 0, 1, 1, 64, 32, 32]) + noise.dropFirst(23)))
    }
  }

  @Test
  func `every truncated file is refused`() throws {
    let holder = try TemporaryDirectory()
    let plain = try SharedData.bytes(try make(holder))
    let directory = try TemporaryDirectory()
    for size in stride(from: 0, to: plain.count, by: 131) {
      let path = try directory.write(Array(plain[..<size]))
      if try importError({ _ = try readAll(path) }) == nil { Issue.record("\(size) of \(plain.count) bytes were read") }
    }
    let whole = try directory.write(plain)
    #expect(try importError { _ = try readAll(whole) } == nil)
  }

  @Test
  func `a damaged file is read or refused`() throws {
    let holder = try TemporaryDirectory()
    let plain = try SharedData.bytes(try make(holder))
    let directory = try TemporaryDirectory()
    var refused = 0
    for seed in Seeds.list(Rounds.of(300)) {
      var random = SeededRandom(seed: seed)
      var bytes = plain
      for _ in 0..<random.number(1...8) {
        let place = random.number(0...1) == 0 ? random.number(0...(plain.count - 1)) : random.number(0...1_600)
        bytes[place] = UInt8(random.number(0...255))
      }
      let path = try directory.write(bytes)
      if try importError({ _ = try readAll(path) }) != nil { refused += 1 }
    }
    #expect(refused > 0 || Seeds.given != nil)
  }

  @Test
  func `a damaged write-ahead log is read or refused`() throws {
    let holder = try TemporaryDirectory()
    let path = holder.path("file.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0;" + Self.sql)
    }
    let files = try ["", "-wal"].map { try SharedData.bytes(path + $0) }
    let directory = try TemporaryDirectory()
    for seed in Seeds.list(Rounds.of(50)) {
      var random = SeededRandom(seed: seed)
      _ = try directory.write(random.damaged(files[0]), "file")
      _ = try directory.write(random.damaged(files[1]), "file-wal")
      _ = try importError { _ = try readAll(directory.path("file")) }
    }
    try queue.close()
  }
}

#endif
