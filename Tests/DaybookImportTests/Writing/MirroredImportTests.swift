#if Import

import Daybook
import DaybookModel
import Testing

@testable import DaybookImport

/// Imports of relationships that are their own inverses.
@Suite(.hangLimit)
struct MirroredImportTests {
  /// People with friends, perhaps a partner, and a twin whom each of them needs.
  private func source(twins: Bool = true) throws -> PlainSource {
    var person = SourceEntity(name: "Person")
    person.attributes = [.required("name", .string)]
    person.relationships = [
      .many("friends", "Person", inverse: "friends"), .one("partner", "Person", inverse: "partner"),
      .one("twin", "Person", inverse: "twin", isOptional: !twins),
    ]
    var source = try PlainSource(SourceModel(person))
    source.rows = [
      "Person": [
        1: row("Ada", ["friends": [2, 3], "partner": [4], "twin": [2]]),
        2: row("Bob", ["friends": [1], "twin": [1]]),
        3: row("Cy", ["friends": [3], "twin": [4]]),
        4: row("Di", ["partner": [1]]),
      ]
    ]
    return source
  }

  private func row(_ name: String, _ links: [String: [Int64]] = [:]) -> PlainSource.Row {
    PlainSource.Row(values: ["name": .value(.string(name))], links: links)
  }

  private func targets(_ store: Store, _ source: PlainSource, _ name: String) throws -> [Int64: Set<Int64>] {
    var found: [Int64: Set<Int64>] = [:]
    let keys = source.allRows(of: "Person").keys
    for key in keys {
      guard try store.get(source.id("Person", key)) != nil else { continue }
      let ids = try store.read { try $0.linkTargets(of: source.id("Person", key), name) }
      found[key] = Set(keys.filter { ids.contains(source.id("Person", $0)) })
    }
    return found
  }

  @Test
  func `each link is made once and shown by both objects, in one commit or several`() throws {
    let source = try source()
    for batch in [nil, 1] {
      let imported = try ImportedStore()
      let report = try imported.run(source) { $0.batchSize = batch }
      #expect(report.entities[0].relationships.map(\.linkCount) == [3, 1, 2])
      try imported.read { (store: Store) throws in
        #expect(try targets(store, source, "friends") == [1: [2, 3], 2: [1], 3: [1, 3], 4: []])
        #expect(try targets(store, source, "partner") == [1: [4], 2: [], 3: [], 4: [1]])
        #expect(try targets(store, source, "twin") == [1: [2], 2: [1], 3: [4], 4: [3]])
        var (log, count) = (try store.log(), 0)
        while let commit = try log.next() { count += commit.events.count { $0.kind == .related } }
        #expect(count == 6)
      }
      #expect(try imported.run(source).commitCount == 0)
    }
  }

  @Test
  func `a required link that no row has is listed`() throws {
    var source = try source()
    source.rows["Person"]?[5] = row("Eve")
    let imported = try ImportedStore()
    try expectError("Person.twin", "Person/p5") { try imported.run(source) }
    #expect(try imported.names() == [])
  }

  @Test
  func `a second run writes what the source changed, and keeps what the store changed`() throws {
    var source = try source(twins: false)
    let imported = try ImportedStore()
    try imported.run(source)
    let ids = (1...4).map { source.id("Person", $0) }
    try imported.write { tx in
      try tx.relate(ids[3], "friends", to: ids[1])
      try tx.unrelate(ids[0], "friends", from: ids[2])
    }
    source.rows["Person"]?[1]?.links = ["friends": [3, 4], "partner": [2], "twin": [2]]
    source.rows["Person"]?[2]?.links = [:]
    source.rows["Person"]?[4]?.links = [:]
    let report = try imported.run(source)
    #expect(report.commitCount == 1)
    #expect(report.values.isEmpty)
    try imported.read { (store: Store) throws in
      // The link of 1 and 3 is gone by the store, and the one of 2 and 4 is the store's own.
      #expect(try targets(store, source, "friends") == [1: [4], 2: [4], 3: [3], 4: [1, 2]])
      #expect(try targets(store, source, "partner") == [1: [2], 2: [1], 3: [], 4: []])
    }
    #expect(try imported.run(source).commitCount == 0)
  }

  @Test
  func `a partner that the store has given away stays`() throws {
    var source = try source(twins: false)
    let imported = try ImportedStore()
    try imported.run(source)
    let ids = (1...4).map { source.id("Person", $0) }
    try imported.write { try $0.relate(ids[3], "partner", to: ids[1]) }
    source.rows["Person"]?[1]?.links["partner"] = [3]
    source.rows["Person"]?[4]?.links["partner"] = []
    try imported.run(source)
    try imported.read { (store: Store) throws in
      #expect(try targets(store, source, "partner") == [1: [], 2: [4], 3: [], 4: [2]])
    }
    try imported.run(source) { $0.sourceWins = true }
    try imported.read { (store: Store) throws in
      #expect(try targets(store, source, "partner")[1] == [3])
      #expect(try targets(store, source, "partner")[3] == [1])
    }
  }
}

#endif
