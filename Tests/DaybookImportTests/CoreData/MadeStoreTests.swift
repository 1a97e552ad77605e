#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import GRDB
import Testing

@testable import DaybookImport

/// What no store at hand has: contradictions, dangling links, several files of one model.
@Suite(.hangLimit)
struct MadeStoreTests {
  private static let people = """
    <entity name="Person">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="desk" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Desk" inverseName="owner"/>
      <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" inverseName="friends"/>
      <relationship name="partner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="partner"/>
      <relationship name="pets" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="Pet"/>
    </entity>
    <entity name="Desk">
      <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="desk"/>
    </entity>
    <entity name="Pet">
      <attribute name="weight" optional="YES" attributeType="Decimal"/>
      <attribute name="born" optional="YES" attributeType="Date"/>
      <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="isTame" optional="YES" attributeType="Boolean"/>
      <attribute name="ratio" optional="YES" attributeType="Double"/>
      <attribute name="tag" optional="YES" attributeType="UUID"/>
      <attribute name="count" optional="YES" attributeType="Integer 32"/>
      <attribute name="note" optional="YES" attributeType="String"/>
    </entity>
    """

  private func open(_ rows: [String], joins: [String] = []) throws -> (
    objects: CoreDataObjects, directory: TemporaryDirectory
  ) {
    let directory = try TemporaryDirectory()
    let model = try MadeStore.model(MadeStoreTests.people)
    try MadeStore.make(directory.path("made.sqlite"), model, joins: joins, rows: rows)
    return (try MadeStore.open(directory.path("made.sqlite"), model), directory)
  }

  @Test("of one-to-one links that contradict, the side declared first counts")
  func oneToOne() throws {
    // Desk is 1, Person is 2, Pet is 3.
    let (objects, _) = try open([
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZDESK) VALUES (1, 3, 1), (2, 3, NULL), (3, 3, NULL), (4, 3, 4)".replacing(
        ", 3,", with: ", 2,"),
      "INSERT INTO ZDESK (Z_PK, Z_ENT, ZOWNER) VALUES (1, 1, 2), (2, 1, 2), (3, 1, 3), (4, 1, 4)",
    ])
    let (pairs, notes) = try objects.links("Person", "desk")
    #expect(pairs == ["Person/p1 Desk/p1", "Person/p2 Desk/p2", "Person/p3 Desk/p3", "Person/p4 Desk/p4"])
    #expect(notes.map(\.kind) == [.oneSidedLinks, .contradictoryLinks])
    #expect(notes.map(\.count) == [4, 1])
    let back = try objects.links("Desk", "owner").pairs
    #expect(back == ["Desk/p1 Person/p1", "Desk/p2 Person/p2", "Desk/p3 Person/p3", "Desk/p4 Person/p4"])
  }

  @Test("links to rows that do not exist are counted, not read")
  func dangling() throws {
    let (objects, _) = try open([
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZDESK) VALUES (1, 2, 9), (2, 2, 1)",
      "INSERT INTO ZDESK (Z_PK, Z_ENT) VALUES (1, 1)",
    ])
    let (pairs, notes) = try objects.links("Person", "desk")
    #expect(pairs == ["Person/p2 Desk/p1"])
    #expect(notes.contains { $0.kind == .danglingLinks && $0.count == 1 && $0.first == "Person/p1" })
  }

  @Test("a one-way to-many is read from its hidden column, in order; null order keys come last, ties by key")
  func oneWay() throws {
    let (objects, _) = try open([
      "INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 2)",
      "INSERT INTO ZPET (Z_PK, Z_ENT, Z2PETS, Z_FOK_2PETS) VALUES (1, 3, 1, NULL), (2, 3, 1, 7), (3, 3, 1, 7), (4, 3, 1, -2)",
    ])
    let (pairs, notes) = try objects.links("Person", "pets")
    #expect(pairs == ["Person/p1 Pet/p4", "Person/p1 Pet/p2", "Person/p1 Pet/p3", "Person/p1 Pet/p1"])
    #expect(notes.map(\.kind) == [.missingOrder, .equalOrder])
  }

  @Test("a relationship that is its own inverse has one join table")
  func selfInverse() throws {
    let join = "CREATE TABLE Z_2FRIENDS (Z_2FRIENDS INTEGER, Z_2FRIENDS1 INTEGER, REFLEXIVE INTEGER)"
    let (objects, _) = try open(
      ["INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 2), (2, 2)", "INSERT INTO Z_2FRIENDS VALUES (1, 2, 0)"],
      joins: [join])
    #expect(try objects.links("Person", "friends").pairs == ["Person/p1 Person/p2", "Person/p2 Person/p1"])
    #expect(objects.store.fit(objects.lookup).isExact)
  }

  @Test(
    "a link that the join table has in one direction or in both comes once from each of its objects",
    arguments: ["Z_2FRIENDS1", "REFLEXIVE"])
  func selfInverseDirections(column: String) throws {
    let (objects, _) = try open(
      [
        "INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 2), (2, 2), (3, 2)",
        "INSERT INTO Z_2FRIENDS VALUES (2, 1), (1, 2), (3, 1), (3, 3), (2, 9)",
      ], joins: ["CREATE TABLE Z_2FRIENDS (Z_2FRIENDS INTEGER, \(column) INTEGER)"])
    let (pairs, notes) = try objects.links("Person", "friends")
    #expect(
      pairs == [
        "Person/p1 Person/p2", "Person/p1 Person/p3", "Person/p2 Person/p1", "Person/p3 Person/p1",
        "Person/p3 Person/p3",
      ])
    #expect(notes.map(\.kind) == [.danglingLinks] && notes.map(\.count) == [1])
  }

  @Test("of to-one links over a relationship that is its own inverse, those that both rows have come first")
  func selfInverseToOne() throws {
    let (objects, _) = try open([
      """
      INSERT INTO ZPERSON (Z_PK, Z_ENT, ZPARTNER) VALUES
      (1, 2, 2), (2, 2, 1), (3, 2, 1), (4, 2, NULL), (5, 2, 4), (6, 2, 4), (7, 2, 7), (8, 2, 99), (9, 2, 3)
      """
    ])
    let (pairs, notes) = try objects.links("Person", "partner")
    #expect(
      pairs == [
        "Person/p1 Person/p2", "Person/p2 Person/p1", "Person/p4 Person/p5", "Person/p5 Person/p4",
        "Person/p7 Person/p7",
      ])
    #expect(notes.map(\.kind) == [.danglingLinks, .oneSidedLinks, .contradictoryLinks])
    // The rows 3, 5, 6, 8 and 9 have links that no other row has, of which the one of row 5 is read.
    #expect(notes.map(\.count) == [1, 5, 3])
  }

  @Test("rows with an entity number of another table, or none, are counted, not read")
  func strayRows() throws {
    let (objects, _) = try open(["INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 2), (2, 3), (3, NULL), (4, 'x')"])
    #expect(try objects.all("Person").count == 1)
    #expect(try objects.objectCounts() == ["Person": 1, "Desk": 0, "Pet": 0])
    let notes = try objects.notes().filter { $0.kind == .strayRows }
    #expect(notes.map(\.count) == [1, 1, 1])
    #expect(notes.contains { $0.message.contains("number 3 (Pet)") })
  }

  @Test("values that their type does not allow are null, with the reason")
  func values() throws {
    let (objects, _) = try open([
      """
      INSERT INTO ZPET (Z_PK, Z_ENT, ZWEIGHT, ZBORN, ZPHOTO, ZISTAME, ZRATIO, ZTAG, ZCOUNT, ZNOTE) VALUES
      (1, 3, 'NaN', 'soon', x'0341', 2, 'NaN', x'01', 'many', x'ff41'),
      (2, 3, 3.3333333332999993, 0.0000005, x'0141', 1, -0.0, x'000102030405060708090a0b0c0d0e0f', -5, CAST(x'610062' AS TEXT)),
      (3, 3, 9007199254740993, 1e300, x'02' || CAST('../../../etc/passwd' AS BLOB) || x'00', 0, 1, NULL, 7, ''),
      (4, 3, 5.10, 700000000, x'', NULL, 2.5, NULL, NULL, 'ä')
      """
    ])
    let pets = try objects.all("Pet")
    let fields = objects.attributes(of: "Pet").map(\.field.name)
    func value(_ row: Int, _ name: String) throws -> Value {
      guard case .value(let value) = pets[row].values[try #require(fields.firstIndex(of: name))] else { return .null }
      return value
    }
    #expect(
      pets[0].faults.map(\.kind) == [
        .notANumber, .wrongType, .unknownStorage, .notZeroOrOne, .notANumber, .wrongType, .wrongType, .invalidText,
      ])
    #expect(try value(0, "isTame") == true)
    #expect(try value(1, "weight").text == "3.3333333332999993")
    // Half a microsecond rounds to the even neighbour, before the move to 1970.
    #expect(try value(1, "born") == .date(Timestamp(microseconds: 978_307_200_000_000)))
    #expect(try value(1, "photo") == .data([0x41]))
    let zero = try value(1, "ratio")
    #expect(zero.text == "0.0")
    #expect(try value(1, "tag").text == "00010203-0405-0607-0809-0a0b0c0d0e0f")
    #expect(try value(1, "note") == .string("a\0b"))
    #expect(pets[1].faults.isEmpty)
    #expect(try value(2, "weight").text == "9007199254740993")
    #expect(pets[2].faults.map(\.kind) == [.outOfRange, .unknownStorage])
    #expect(try value(3, "weight").text == "5.1")
    #expect(try value(3, "born").text == "2023-03-08T20:26:40Z")
    #expect(try value(3, "photo") == .data([]))
  }

  @Test("two files of one model, each with the entities of its configuration, are read together")
  func configurations() throws {
    let directory = try TemporaryDirectory()
    let elements = """
      <entity name="A"><attribute name="x" attributeType="String"/></entity>
      <entity name="B"><attribute name="y" attributeType="String"/></entity>
      <configuration name="Cloud"><memberEntity name="A"/></configuration>
      <configuration name="Local"><memberEntity name="B"/></configuration>
      """
    let model = try MadeStore.model(elements)
    try directory.write("<model>\(elements)</model>", "M.xcdatamodel/contents")
    try MadeStore.make(
      directory.path("a.sqlite"), model, entities: ["A"], rows: ["INSERT INTO ZA (Z_PK, Z_ENT, ZX) VALUES (1, 1, 'a')"])
    try MadeStore.make(
      directory.path("b.sqlite"), model, entities: ["B"], rows: ["INSERT INTO ZB (Z_PK, Z_ENT, ZY) VALUES (1, 1, 'b')"])
    let source = try CoreDataImport(
      stores: [directory.path("a.sqlite"), directory.path("b.sqlite")], model: directory.path("M.xcdatamodel"))
    #expect(try source.objects.map { try $0.objectCounts() } == [["A": 1, "B": 0], ["A": 0, "B": 1]])
    #expect(try source.objects[0].notes().map(\.kind) == [.missingTable])
    // One of the two alone has a model's configuration too.
    #expect(
      try CoreDataImport(stores: [directory.path("a.sqlite")], model: directory.path("M.xcdatamodel")).objects.count
        == 1)
  }

  @Test("siblings that declare one name have columns with digits in the order of entity numbers")
  func siblings() throws {
    let directory = try TemporaryDirectory()
    let model = try MadeStore.model(
      """
      <entity name="Shape" isAbstract="YES"/>
      <entity name="Square" parentEntity="Shape"><attribute name="size" attributeType="Double"/></entity>
      <entity name="Circle" parentEntity="Shape"><attribute name="size" attributeType="String"/></entity>
      """)
    try MadeStore.make(
      directory.path("s.sqlite"), model,
      rows: ["INSERT INTO ZSHAPE (Z_PK, Z_ENT, ZSIZE, ZSIZE1) VALUES (1, 2, 'wide', NULL), (2, 3, NULL, 2.0)"])
    let objects = try MadeStore.open(directory.path("s.sqlite"), model)
    #expect(objects.layout.columns[SourceField("Circle", "size")] == "ZSIZE")
    #expect(objects.layout.columns[SourceField("Square", "size")] == "ZSIZE1")
    #expect(try objects.all("Circle").map(\.values) == [[.value("wide")]])
    #expect(try objects.all("Square").map(\.values) == [[.value(.double(2))]])
  }

  @Test("a call inside the closure of another one reads the same state")
  func reentrant() throws {
    let (objects, _) = try open([
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, ZDESK) VALUES (1, 2, 1), (2, 2, NULL)",
      "INSERT INTO ZDESK (Z_PK, Z_ENT) VALUES (1, 1)",
    ])
    var count = 0
    try objects.forEachObject(of: "Person") { _ in count += try objects.links("Person", "desk").pairs.count }
    #expect(count == 2)
  }

  @Test("an error of the closure ends the reading and is thrown unchanged")
  func closureErrors() throws {
    struct Stop: Error {}
    let (objects, _) = try open(["INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 2), (2, 2)"])
    #expect(throws: Stop.self) { try objects.forEachObject(of: "Person") { _ in throw Stop() } }
    #expect(try objects.all("Person").count == 2)
  }

  @Test("the values of a composite are not read, and a note reports it")
  func composite() throws {
    let directory = try TemporaryDirectory()
    let model = try MadeStore.model(
      """
      <entity name="Task"><attribute name="place" optional="YES" attributeType="Composite" composite="Point"/></entity>
      <composite name="Point"><attribute name="lat" attributeType="Double"/></composite>
      """)
    try MadeStore.make(directory.path("c.sqlite"), model, rows: ["INSERT INTO ZTASK (Z_PK, Z_ENT) VALUES (1, 1)"])
    let objects = try MadeStore.open(directory.path("c.sqlite"), model)
    #expect(try objects.all("Task").map(\.values) == [[]])
    #expect(try objects.notes().map(\.place) == ["Task.place"])
  }

  @Test("a transaction in progress is not read, in either mode of SQLite", arguments: ["delete", "wal"])
  func unfinishedTransaction(_ mode: String) throws {
    let directory = try TemporaryDirectory()
    let model = try MadeStore.model(MadeStoreTests.people)
    let rows =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
      + "INSERT INTO ZPET (Z_PK, Z_ENT, ZNOTE) SELECT i, 3, printf('%0200d', i) FROM n"
    try MadeStore.make(directory.path("live.sqlite"), model, rows: [rows])
    let queue = try DatabaseQueue(path: directory.path("live.sqlite"))
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA journal_mode = \(mode); PRAGMA cache_size = 5; PRAGMA wal_autocheckpoint = 0")
      try database.execute(sql: "UPDATE ZPET SET ZNOTE = 'first' WHERE Z_PK = 1")
      try database.execute(
        sql: "BEGIN IMMEDIATE; UPDATE ZPET SET ZNOTE = 'second' || ZNOTE; DELETE FROM ZPET WHERE Z_PK > 50")
      for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) where !name.hasSuffix("-shm") {
        try directory.write(SharedData.bytes(directory.path(name)), "copy/\(name)")
      }
      try database.execute(sql: "ROLLBACK")
    }
    try queue.close()
    let path = directory.path("copy/live.sqlite")
    let suffix = mode == "wal" ? "-wal" : "-journal"
    let before = try SharedData.bytes(path + suffix)
    #expect(before.count > 8192)
    let objects = try MadeStore.open(path, model)
    let pets = try objects.all("Pet")
    let note = try #require(objects.attributes(of: "Pet").firstIndex { $0.field.name == "note" })
    #expect(pets.count == 2000)
    #expect(pets[0].values[note] == .value("first"))
    #expect(
      !pets.contains { if case .value(.string(let text)) = $0.values[note] { text.hasPrefix("second") } else { false } }
    )
    #expect(try SharedData.bytes(path + suffix) == before)
    #expect(try objects.notes().contains { $0.message.contains("not committed") } == (mode == "wal"))
  }
}

#endif
