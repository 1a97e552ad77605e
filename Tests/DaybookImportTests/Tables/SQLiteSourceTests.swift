#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import GRDB
import Testing

@testable import DaybookImport

@Suite(.hangLimit)
struct SQLiteSourceTests {
  /// Makes a file with SQL.
  private func make(_ sql: String, in directory: TemporaryDirectory, _ name: String = "file.sqlite") throws -> String {
    let path = directory.path(name)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
    return path
  }

  private func source(_ sql: String, _ options: SQLiteOptions = SQLiteOptions()) throws -> SQLiteSource {
    let directory = try TemporaryDirectory()
    return try withExtendedLifetime(directory) {
      try SQLiteSource(path: try make(sql, in: directory), options: options)
    }
  }

  private func objects(_ source: SQLiteSource, _ entity: String) throws -> [(name: String, values: [Value])] {
    var all: [(name: String, values: [Value])] = []
    try source.forEachObject(of: entity) { object in
      let values = object.values.map { value in if case .value(let value) = value { value } else { Value.null } }
      all.append((source.objectName(object.key), values))
    }
    return all
  }

  private func links(_ source: SQLiteSource, _ entity: String, _ name: String) throws -> [String] {
    var all: [String] = []
    let notes = try source.forEachLink(of: SourceField(entity, name)) { link in
      all.append("\(source.objectName(link.source)) > \(source.objectName(link.target))")
    }
    return all + notes.map { "\($0.count) dangling, first \($0.first ?? "none")" }
  }

  private func type(_ declared: String, _ values: String...) throws -> SourceAttributeType {
    let insert = values.isEmpty ? "" : "INSERT INTO t (x) VALUES \(values.map { "(\($0))" }.joined(separator: ","));"
    let source = try source("CREATE TABLE t (k INTEGER PRIMARY KEY, x \(declared)); \(insert)")
    try source.forEachObject(of: "t") { object in #expect(object.faults.isEmpty, "\(declared) \(values)") }
    return try #require(source.lookup.attribute(SourceField("t", "x"))).type
  }

  @Test
  func `types follow from the declaration and all values`() throws {
    #expect(try type("INTEGER", "1", "NULL") == .integer64)
    #expect(try type("INTEGER", "1", "'x'") == .string)
    #expect(try type("INTEGER", "1", "1.5") == .double)
    #expect(try type("INTEGER", "9007199254740993", "1.5") == .decimal)
    #expect(try type("BOOLEAN", "0", "1", "NULL") == .boolean)
    #expect(try type("BOOLEAN", "0", "2") == .integer64)
    #expect(try type("BOOLEAN", "'true'") == .string)
    #expect(try type("DATETIME", "'2026-01-02'", "'2026-01-02 03:04:05'") == .date)
    #expect(try type("DATETIME", "'soon'") == .string)
    #expect(try type("TIMESTAMP", "1700000000") == .integer64)
    #expect(try type("TEXT", "'2026-01-02'") == .string)
    #expect(try type("DECIMAL(10,2)", "1", "2.50") == .decimal)
    #expect(try type("NUMERIC", "1") == .decimal)
    #expect(try type("NUMERIC", "1e300") == .double)
    #expect(try type("NUMERIC", "'n/a'", "1") == .string)
    #expect(try type("VARCHAR(20)", "12") == .string)
    #expect(try type("REAL", "1") == .double)
    #expect(try type("REAL", "9e999") == .double)
    #expect(try type("BLOB", "x'00'", "x''") == .binary)
    #expect(try type("BLOB", "x'00'", "'text'") == .binary)
    #expect(try type("TEXT", "CAST(x'ff' AS TEXT)") == .binary)
    #expect(try type("TEXT", "CAST(x'610062' AS TEXT)") == .string)
    #expect(try type("UUID", "'0190163d-8694-739b-aea5-966c26f8ad91'") == .uuid)
    #expect(try type("UUID", "x'0190163d8694739baea5966c26f8ad91'") == .uuid)
    #expect(try type("UUID", "'x'") == .string)
    #expect(try type("", "1", "2") == .integer64)
    #expect(try type("", "'a'", "1") == .string)
    #expect(try type("STRING", "'a'") == .string)
    #expect(
      try type("INT") == .integer64 && type("TEXT") == .string && type("DATE") == .date && type("BOOL") == .boolean)
    #expect(
      try type("DOUBLE") == .double && type("NUMERIC") == .decimal && type("BLOB") == .binary && type("") == .string)
  }

  @Test
  func `values are exact`() throws {
    let source = try source(
      """
      CREATE TABLE t (k INTEGER PRIMARY KEY, d DECIMAL, s, b TEXT, z BLOB);
      INSERT INTO t VALUES (1, 0.1, 'a', CAST(x'610062' AS TEXT), x'00ff'), (2, 12345678901234567, 7, 'é', 1.5), (-3, -2.50, 0.1, '', NULL);
      """)
    let all = try objects(source, "t")
    #expect(all.map(\.name) == ["t/-3", "t/1", "t/2"])
    #expect(all[0].values == [-3, .decimal(Decimal(string: "-2.5")!), "0.1", "", .null])
    #expect(all[1].values == [1, .decimal(Decimal(string: "0.1")!), "a", "a\u{0}b", .data([0, 0xff])])
    #expect(all[2].values == [2, .decimal(Decimal(string: "12345678901234567")!), "7", "é", .data(Array("1.5".utf8))])
    #expect(source.notes().map(\.place) == ["t.s", "t.z"])
  }

  @Test
  func `UTF-16 is read`() throws {
    let source = try source(
      """
      PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (k TEXT PRIMARY KEY, x TEXT);
      INSERT INTO t VALUES ('é', '😀'), ('b', 'x');
      """)
    #expect(try objects(source, "t").map(\.name) == ["t/b", "t/é"])
    #expect(try objects(source, "t").map(\.values) == [["b", "x"], ["é", "😀"]])
  }

  @Test
  func `keys have one name each`() throws {
    let source = try source(
      """
      CREATE TABLE plain (x); INSERT INTO plain VALUES ('a'), ('b');
      CREATE TABLE code (c TEXT PRIMARY KEY); INSERT INTO code VALUES ('01'), ('1'), ('a,b'), ('x''00'''), (x'00'), (NULL), (NULL), ('"q');
      CREATE TABLE loose (c PRIMARY KEY); INSERT INTO loose VALUES (1), ('1'), (1.5), ('1.5'), ('a');
      CREATE TABLE pair (a INT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID; INSERT INTO pair VALUES (1, 'x'), (2, 'x,1'), (1, 'y');
      CREATE TABLE shadowed (rowid TEXT, x); INSERT INTO shadowed VALUES ('r', 1);
      """)
    #expect(try objects(source, "plain").map(\.name) == ["plain/1", "plain/2"])
    #expect(
      Set(try objects(source, "code").map(\.name))
        == [
          "code/01", "code/1", "code/a,b", "code/\"x'00'\"", "code/x'00'", "code/rowid 6", "code/rowid 7",
          "code/\"\\\"q\"",
        ])
    #expect(
      Set(try objects(source, "loose").map(\.name)) == [
        "loose/1", "loose/\"1\"", "loose/1.5", "loose/\"1.5\"", "loose/a",
      ])
    #expect(try objects(source, "pair").map(\.name) == ["pair/x,1", "pair/\"x,1\",2", "pair/y,1"])
    #expect(try objects(source, "shadowed").map(\.name) == ["shadowed/1"])
    #expect(source.lookup.entity("pair")?.uniquenessConstraints == [["b", "a"]])
    try expectError("all names of its row number", "t") {
      _ = try self.source("CREATE TABLE t (rowid, _rowid_, oid)")
    }
  }

  @Test
  func `foreign keys become relationships`() throws {
    let source = try source(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, boss_id REFERENCES PERSON, code TEXT UNIQUE);
      CREATE TABLE task (id INTEGER PRIMARY KEY, ownerID INTEGER NOT NULL REFERENCES person(id) ON DELETE CASCADE,
        person_id INTEGER REFERENCES person ON DELETE SET NULL, person TEXT, reviewer TEXT REFERENCES person(code),
        ghost_id INTEGER REFERENCES ghost(id), bad_id INTEGER REFERENCES person(name));
      INSERT INTO person VALUES (1, 'Ann', NULL, 'A'), (2, 'Bob', 1, 'B'), (3, 'Cy', 9, NULL);
      INSERT INTO task VALUES (10, 1, 2, 'x', 'B', 5, 'Ann'), (11, 7, NULL, 'y', 'Q', 6, 'Bob'), (12, 8, NULL, 'z', NULL, NULL, NULL);
      """)
    let task = try #require(source.lookup.entity("task"))
    #expect(task.attributes.map(\.name) == ["id_", "person", "ghost_id", "bad_id"])
    #expect(task.relationships.map(\.name) == ["owner", "person_", "reviewer"])
    #expect(task.relationships.map(\.isOptional) == [false, true, true])
    #expect(task.relationships.map(\.hiddenInverseDeleteRule) == [.cascade, .nullify, .deny])
    #expect(source.origin(of: "task.person_") == "person_id" && source.origin(of: "task.id_") == "id")
    #expect(try links(source, "person", "boss") == ["person/2 > person/1", "1 dangling, first person/3"])
    #expect(try links(source, "task", "owner") == ["task/10 > person/1", "2 dangling, first task/11"])
    #expect(try links(source, "task", "person_") == ["task/10 > person/2"])
    #expect(try links(source, "task", "reviewer") == ["task/10 > person/2", "1 dangling, first task/11"])
    #expect(source.notes().count == 2)
    #expect(source.notes()[0].message.contains("ghost") && source.notes()[1].message.contains("unique columns"))
  }

  @Test
  func `tables of two keys become relationships of many to many`() throws {
    let sql = """
      CREATE TABLE "Order" ("Order ID" INTEGER PRIMARY KEY, note TEXT);
      CREATE TABLE Product (code TEXT PRIMARY KEY);
      CREATE TABLE "Order Details" ("Order ID" INT NOT NULL REFERENCES "Order", product_id TEXT NOT NULL REFERENCES Product,
        quantity INT NOT NULL DEFAULT 1, PRIMARY KEY ("Order ID", product_id));
      CREATE TABLE OrderTag (OrderId INT REFERENCES "Order" ON DELETE CASCADE, ProductId TEXT REFERENCES Product, PRIMARY KEY (ProductId, OrderId)) WITHOUT ROWID;
      CREATE TABLE Friend (a_id TEXT REFERENCES Product, b_id TEXT REFERENCES Product, PRIMARY KEY (a_id, b_id));
      INSERT INTO "Order" VALUES (1, 'x'), (2, 'y'); INSERT INTO Product VALUES ('p'), ('q');
      INSERT INTO "Order Details" VALUES (1, 'q', 3), (2, 'p', 1); INSERT INTO OrderTag VALUES (1, 'p'), (1, 'q'), (2, 'q'), (3, 'q');
      INSERT INTO Friend VALUES ('p', 'q'), ('q', 'q');
      """
    let source = try source(sql)
    #expect(source.lookup.model.entities.map(\.name) == ["Order", "Order_Details", "Product"])
    let details = try #require(source.lookup.entity("Order_Details"))
    #expect(
      details.relationships.map(\.name) == ["Order", "product"] && details.attributes.map(\.name) == ["quantity"])
    #expect(details.uniquenessConstraints == [["Order", "product"]] && details.attributes[0].defaultValue == 1)
    #expect(try objects(source, "Order_Details").map(\.name) == ["Order Details/1,q", "Order Details/2,p"])
    #expect(
      try links(source, "Order_Details", "Order") == ["Order Details/1,q > Order/1", "Order Details/2,p > Order/2"])
    #expect(source.lookup.entity("Order")?.relationships.map(\.name) == ["Products"])
    #expect(source.lookup.entity("Order")?.relationships.map(\.deleteRule) == [.nullify])
    #expect(source.lookup.entity("Product")?.relationships.map(\.name) == ["bs", "as", "Orders"])
    #expect(source.lookup.entity("Product")?.relationships.map(\.deleteRule) == [.deny, .deny, .deny])
    #expect(
      try links(source, "Order", "Products")
        == ["Order/1 > Product/p", "Order/1 > Product/q", "Order/2 > Product/q", "1 dangling, first OrderTag/q,3"])
    #expect(
      try links(source, "Product", "Orders") == ["Product/p > Order/1", "Product/q > Order/1", "Product/q > Order/2"])
    #expect(try links(source, "Product", "bs") == ["Product/p > Product/q", "Product/q > Product/q"])
    #expect(try links(source, "Product", "as") == ["Product/q > Product/p", "Product/q > Product/q"])
    #expect(source.origin(of: "Order_Details") == "Order Details" && source.origin(of: "Order.Order_ID") == "Order ID")
  }

  @Test
  func `composite foreign keys are one relationship`() throws {
    var options = SQLiteOptions()
    options.inverses = true
    let source = try source(
      """
      CREATE TABLE room (house INT, number INT, name TEXT, PRIMARY KEY (house, number));
      CREATE TABLE bed (k INTEGER PRIMARY KEY, house INT, number INT, place INT,
        FOREIGN KEY (house, number) REFERENCES room, UNIQUE (house, number, place), UNIQUE (house, place));
      INSERT INTO room VALUES (1, 2, 'a'), (1, 3, 'b'); INSERT INTO bed VALUES (1, 1, 3, 0), (2, 1, 2, 1), (3, 1, NULL, 2), (4, 1, 4, 3);
      """, options)
    let swapped = try self.source(
      """
      CREATE TABLE p (a INT, b INT, PRIMARY KEY (b, a)); CREATE TABLE c (k INTEGER PRIMARY KEY, x, y, FOREIGN KEY (x, y) REFERENCES p);
      INSERT INTO p VALUES (1, 2); INSERT INTO c VALUES (1, 2, 1), (2, 1, 2);
      """)
    // Without columns, the primary key counts in its own order.
    #expect(try links(swapped, "c", "p") == ["c/1 > p/2,1", "1 dangling, first c/2"])
    #expect(source.lookup.entity("bed")?.relationships.map(\.name) == ["room"])
    #expect(source.lookup.entity("bed")?.uniquenessConstraints == [["k"], ["room", "place"]])
    #expect(source.lookup.entity("room")?.relationships.map(\.name) == ["beds"])
    #expect(try links(source, "bed", "room") == ["bed/1 > room/1,3", "bed/2 > room/1,2", "1 dangling, first bed/4"])
    #expect(try links(source, "room", "beds") == ["room/1,2 > bed/2", "room/1,3 > bed/1"])
    #expect(source.notes().map(\.message).contains { $0.contains("part of a foreign key") })
  }

  @Test
  func `what is not a plain table is skipped with a word`() throws {
    let source = try source(
      """
      CREATE TABLE t (k INTEGER PRIMARY KEY AUTOINCREMENT, a INT, g INT GENERATED ALWAYS AS (a + 1), s INT AS (a) STORED);
      CREATE VIEW v AS SELECT * FROM t;
      CREATE VIRTUAL TABLE words USING fts5(text);
      CREATE VIRTUAL TABLE boxes USING rtree(id, a, b);
      CREATE UNIQUE INDEX some ON t (a) WHERE a > 3; CREATE UNIQUE INDEX caseless ON t (a COLLATE NOCASE);
      CREATE INDEX plain ON t (a DESC); INSERT INTO t (a) VALUES (5);
      """)
    #expect(source.lookup.model.entities.map(\.name) == ["t"])
    #expect(source.lookup.entity("t")?.attributes.map(\.name) == ["k", "a"])
    #expect(
      source.lookup.entity("t")?.indexes == [
        SourceIndex(name: "plain", elements: [.init(property: "a", isDescending: true)])
      ])
    #expect(source.lookup.entity("t")?.uniquenessConstraints == [["k"], ["a"]])
    let skipped = source.notes().filter { $0.kind == .skippedTable }.map(\.place)
    #expect(
      skipped.contains("v") && skipped.contains("words") && skipped.contains("words_data")
        && skipped.contains("boxes_node"))
    #expect(skipped.contains("sqlite_sequence"))
    #expect(source.notes().filter { $0.kind == .general }.map(\.place).sorted() == ["t", "t", "t.g", "t.s"])
  }

  @Test
  func `names of tables and columns are quoted`() throws {
    let source = try source(
      """
      CREATE TABLE "a""b" ("k ""y" TEXT PRIMARY KEY, "select" INT, [x]]y] INT, "ü" INT);
      INSERT INTO "a""b" VALUES ('v', 1, 2, 3);
      """.replacingOccurrences(of: "[x]]y]", with: "\"x]y\""))
    #expect(source.lookup.entity("a_b")?.attributes.map(\.name) == ["k_y", "select", "x_y", "ü"])
    #expect(try objects(source, "a_b").map(\.values) == [["v", 1, 2, 3]])
  }

  @Test
  func `names that differ in bytes only are refused, and the case of other letters counts`() throws {
    try expectError("different bytes") { _ = try self.source("CREATE TABLE t (\"\u{e9}\" INT, \"e\u{301}\" INT)") }
    try expectError("different bytes") {
      _ = try self.source("CREATE TABLE \"\u{e9}\" (a); CREATE TABLE \"e\u{301}\" (a)")
    }
    let source = try source(
      "CREATE TABLE t (k INTEGER PRIMARY KEY, \"É\" INT REFERENCES t, é INT); INSERT INTO t VALUES (1, 1, 7)")
    #expect(try objects(source, "t").map(\.values) == [[1, 7]])
    #expect(try links(source, "t", "É") == ["t/1 > t/1"])
  }

  @Test(.enabled(if: Python.path != nil, "there is no python3"))
  func `the functions and collations of an application are not needed`() throws {
    let directory = try TemporaryDirectory()
    let script = """
      import sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      db.create_collation("LOCALIZED", lambda a, b: (a > b) - (a < b))
      db.create_function("own", 1, lambda x: x, deterministic=True)
      db.executescript('''
        CREATE TABLE a (k TEXT COLLATE LOCALIZED PRIMARY KEY, x INT CHECK (own(x) > 0));
        CREATE TABLE b (k INTEGER PRIMARY KEY, a_id TEXT REFERENCES a);
        CREATE INDEX i ON b (own(k));
        INSERT INTO a VALUES ('q', 1), ('p', 2); INSERT INTO b VALUES (1, 'p'), (2, 'z');
      ''')
      db.commit()
      """
    _ = try Python.run(script: script, [directory.path("file.sqlite")])
    let source = try SQLiteSource(path: directory.path("file.sqlite"))
    #expect(try objects(source, "a").map(\.name) == ["a/p", "a/q"])
    #expect(try links(source, "b", "a") == ["b/1 > a/p", "1 dangling, first b/2"])
  }

  @Test
  func `given types win, and values that do not fit are faults`() throws {
    var options = SQLiteOptions()
    options.types = ["t.x": .integer, "t.y": .date]
    let source = try source(
      "CREATE TABLE t (k INTEGER PRIMARY KEY, x TEXT, y TEXT); INSERT INTO t VALUES (1, '7', '2026-01-02'), (2, 'no', 'soon');",
      options)
    var faults: [String] = []
    try source.forEachObject(of: "t") { object in faults += object.faults.map { "\($0.field) \($0.was)" } }
    #expect(faults == ["t.x no", "t.y soon"])
    options.types = ["t.z": .integer]
    try expectError("t.z") { _ = try self.source("CREATE TABLE t (k)", options) }
  }

  @Test
  func `a reading inside another one is allowed, and errors of the caller pass`() throws {
    struct Stop: Error {}
    let source = try source(
      "CREATE TABLE t (k INTEGER PRIMARY KEY, t_id REFERENCES t); INSERT INTO t VALUES (1, 2), (2, 1);")
    var count = 0
    try source.forEachObject(of: "t") { _ in _ = try source.forEachLink(of: SourceField("t", "t")) { _ in count += 1 } }
    #expect(count == 4)
    #expect(throws: Stop.self) { try source.forEachObject(of: "t") { _ in throw Stop() } }
  }
}

#endif
