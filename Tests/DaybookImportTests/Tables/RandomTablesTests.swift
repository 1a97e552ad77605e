#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

/// Random files that Python writes, against what `expected.py` reads in them.
@Suite(.hangLimit, SharedTables.withPython)
struct RandomTablesTests {
  private static let start = """
    import csv, importlib.util, json, random, sqlite3, sys
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("expected", sys.argv[3])
    expected = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(expected)
    r = random.Random(int(sys.argv[1]))
    path = sys.argv[2]

    """

  /// Runs a script that writes a file, and returns what it prints.
  private func run(_ script: String, _ seed: UInt64, _ path: String) throws -> JSONValue {
    let module = SharedTables.directory + "/expected.py"
    return try JSONValue(parsing: try Python.run(script: Self.start + script, ["\(seed)", path, module]))
  }

  @Test
  func `columns of CSV have the same types`() throws {
    let script = """
      pools = [["true", "false"], ["0", "12", "-7", "123456789012345680"], ["1.5", "-0.25", "3", "1e5", "-0"], ["2026-01-02", "2026-01-02T03:04:05Z", "2026-01-02 03:04"],
        ["0190163d-8694-739b-aea5-966c26f8ad91", "0190163D-8694-739B-AEA5-966C26F8AD91"], ["01", "x", "+1", "True", "1.", ".5", "2026-1-2", "é"]]
      width = r.randint(1, 6)
      columns = []
      for i in range(width):
          pool = list(r.choice(pools)) + ([""] if r.random() < 0.5 else [])
          if r.random() < 0.3: pool += r.choice(pools)
          columns.append(pool)
      rows = [["h%d" % i for i in range(width)]] + [[r.choice(c) for c in columns] for _ in range(r.randint(0, 12))]
      with open(path, "w", newline="", encoding="utf-8") as file:
          csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
      print(json.dumps(expected.of_csv(path)))
      """
    let directory = try TemporaryDirectory()
    for seed in Seeds.list(Rounds.of(40)) {
      let want = try run(script, seed, directory.path("file.csv"))
      let table = try CSVTable(path: directory.path("file.csv"))
      #expect(table.rowCount == want["rows"]?.integerValue.map { Int($0) }, "seed \(seed)")
      let types = want["columns"]?.elements?.compactMap { $0["type"]?.stringValue }
      #expect(table.columns.map(\.type.rawValue) == types, "seed \(seed)")
    }
  }

  @Test
  func `tables of SQLite have the same rows, links and dangling keys`() throws {
    let script = """
      # A key of two columns is always named, because its order is not the table's.
      db = sqlite3.connect(path)
      names = ["a", "b c", "Item", "log", "x-y"]
      r.shuffle(names)
      q = lambda n: '"' + n + '"'
      keys = {}
      for name in names[:r.randint(2, 5)]:
          kind = r.choice(["alias", "text", "pair", "none"])
          key = {"alias": ["id"], "text": ["code"], "pair": ["p", "q"], "none": []}[kind]
          columns = {"alias": ["id INTEGER PRIMARY KEY"], "text": ["code TEXT NOT NULL PRIMARY KEY"], "pair": ["p INT NOT NULL", "q TEXT NOT NULL"], "none": ["free"]}[kind]
          extra, references = [], []
          for number, (other, other_key) in enumerate(list(keys.items())):
              if other_key and r.random() < 0.6:
                  mine = ["%s%d_id" % (c, number) for c in other_key]
                  extra += [c + r.choice([" INT", " TEXT", ""]) for c in mine]
                  references.append("FOREIGN KEY (%s) REFERENCES %s%s ON DELETE %s" % (", ".join(mine), q(other), r.choice([""] * (len(other_key) == 1) + [" (" + ", ".join(other_key) + ")"]), r.choice(["CASCADE", "SET NULL", "NO ACTION"])))
          if kind == "alias" and r.random() < 0.4:
              extra.append("parent INT")
              references.append("FOREIGN KEY (parent) REFERENCES %s (id)" % q(name))
          tail = (["PRIMARY KEY (q, p)"] if kind == "pair" else []) + references
          rowid = " WITHOUT ROWID" if kind in ("text", "pair") and r.random() < 0.5 else ""
          db.execute("CREATE TABLE %s (%s)%s" % (q(name), ", ".join(columns + extra + ["v", "n NUMERIC"] + tail), rowid))
          width = len(columns) + len(extra) + 2
          for _ in range(r.randint(0, 40)):
              values = [r.choice([None, r.randint(0, 12), str(r.randint(0, 12)), "t%d" % r.randint(0, 9), r.random(), b"x"]) for _ in range(width)]
              for i, c in enumerate(columns):
                  values[i] = r.randint(0, 12) if "INT" in c else "t%d" % r.randint(0, 9) if "TEXT" in c else values[i]
              for i in range(len(columns), len(columns) + len(extra)):
                  values[i] = r.choice([None, r.randint(0, 12), str(r.randint(0, 12)), "t%d" % r.randint(0, 9)])
              db.execute("INSERT OR IGNORE INTO %s VALUES (%s)" % (q(name), ", ".join("?" * width)), values)
          if key: keys[name] = key
      parents = list(keys.items())
      if len(parents) > 1 and r.random() < 0.7:
          (a, ka), (b, kb) = r.sample(parents, 2)
          ca, cb = ["l" + c for c in ka], ["r" + c for c in kb]
          db.execute("CREATE TABLE links (%s, PRIMARY KEY (%s), FOREIGN KEY (%s) REFERENCES %s (%s), FOREIGN KEY (%s) REFERENCES %s (%s))" % (
              ", ".join(c + " TEXT" for c in ca + cb), ", ".join(ca + cb), ", ".join(ca), q(a), ", ".join(ka), ", ".join(cb), q(b), ", ".join(kb)))
          rows = lambda t, k: db.execute("SELECT %s FROM %s" % (", ".join(k), q(t))).fetchall()
          ra, rb = rows(a, ka), rows(b, kb)
          for _ in range(20):
              if ra and rb: db.execute("INSERT OR IGNORE INTO links VALUES (%s)" % ", ".join("?" * len(ca + cb)), r.choice(ra) + r.choice(rb))
      db.commit()
      db.close()
      print(json.dumps(expected.of_sqlite(path)))
      """
    for seed in Seeds.list(Rounds.of(40)) {
      let directory = try TemporaryDirectory()
      let want = try run(script, seed, directory.path("file.sqlite"))
      let source = try SQLiteSource(path: directory.path("file.sqlite"))
      try check(source, try #require(want["tables"]?.members), seed)
    }
  }

  private func check(_ source: SQLiteSource, _ tables: [(key: String, value: JSONValue)], _ seed: UInt64) throws {
    var found: [String: (links: Int, dangling: Int)] = [:]
    for field in source.relationships {
      var links: Set<SourceLink> = []
      var count = 0
      let notes = try source.forEachLink(of: field) { link in
        links.insert(link)
        count += 1
      }
      #expect(links.count == count, "seed \(seed): \(field) has a link twice")
      let table = source.origin(of: field.entity) ?? ""
      let name = (source.origin(of: field.description) ?? "")
      found["\(table)/\(name)"] = (count, notes.reduce(0) { $0 + $1.count })
    }
    for (table, value) in tables {
      let keys = value["foreignKeys"]?.elements ?? []
      guard value["joinTable"]?.booleanValue != true else {
        let rows = value["rows"]?.integerValue.map { Int($0) }
        for key in keys {
          #expect(found["\(key["to"]?.stringValue ?? "")/\(table)"]?.links == rows, "seed \(seed): \(table)")
        }
        continue
      }
      for key in keys {
        let name = (key["columns"]?.elements ?? []).compactMap(\.stringValue).joined(separator: ", ")
        let pair = found["\(table)/\(name)"]
        #expect(pair?.links == key["links"]?.integerValue.map { Int($0) }, "seed \(seed): \(table).\(name)")
        #expect(pair?.dangling == key["dangling"]?.integerValue.map { Int($0) }, "seed \(seed): \(table).\(name)")
      }
      try checkRows(of: table, value, source, seed)
    }
  }

  private func checkRows(of table: String, _ want: JSONValue, _ source: SQLiteSource, _ seed: UInt64) throws {
    let entity = try #require(source.lookup.model.entities.first { source.origin(of: $0.name) == table })
    var counts = entity.attributes.map { _ in 0 }
    var names: Set<String> = []
    try source.forEachObject(of: entity.name) { object in
      #expect(object.faults.isEmpty)
      names.insert(source.objectName(object.key))
      for (index, value) in object.values.enumerated() where !value.isNull { counts[index] += 1 }
    }
    #expect(names.count == want["rows"]?.integerValue.map { Int($0) }, "seed \(seed): \(table)")
    #expect(source.objectCounts()[entity.name] == names.count)
    for (attribute, count) in zip(entity.attributes, counts) {
      let column = try #require(source.origin(of: "\(entity.name).\(attribute.name)"))
      let wanted = want["columns"]?[column]?["nonNull"]?.integerValue
      #expect(wanted == Int64(count), "seed \(seed): \(table).\(column)")
    }
  }
}

#endif
