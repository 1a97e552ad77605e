#if Import

import Daybook
import DaybookModel
import DaybookTestSupport
import Testing

@testable import DaybookImport

/// Random sources that are imported again and again into a store that changes too, against a plain model of the merge.
@Suite(.hangLimit)
struct RandomImportTests {
  private static let runCount = Rounds.of(60, "DAYBOOK_IMPORT_RUNS")

  /// An item with two values, an owner and tags; owners and tags have the same values, and tags have peers. Items with even keys are books and
  /// the others pens, which inherit one value and declare the other.
  private static var model: SourceModel {
    var item = SourceEntity(name: "Item")
    item.isAbstract = true
    item.attributes = [.optional("a", .integer64)]
    item.relationships = [.one("owner", "Owner", inverse: "items"), .many("tags", "Tag", inverse: "items")]
    var book = SourceEntity(name: "Book", parent: "Item")
    book.attributes = [.optional("b", .string)]
    var pen = SourceEntity(name: "Pen", parent: "Item")
    pen.attributes = [.optional("b", .string)]
    var owner = SourceEntity(name: "Owner")
    owner.attributes = [.optional("a", .integer64), .optional("b", .string)]
    owner.relationships = [.many("items", "Item", inverse: "owner")]
    var tag = SourceEntity(name: "Tag")
    tag.attributes = [.optional("a", .integer64), .optional("b", .string)]
    tag.relationships = [.many("items", "Item", inverse: "tags"), .many("peers", "Tag", inverse: "peers")]
    return SourceModel(pen, item, book, owner, tag)
  }

  /// Returns the entity of the row with a key.
  private static func entity(_ entity: String, _ key: Int64) -> String {
    entity == "Item" ? key % 2 == 0 ? "Book" : "Pen" : entity
  }

  @Test
  func `imports give what a plain model of the merge gives`() throws {
    try SeededRandom.run(Self.runCount) { random in
      var source = try PlainSource(Self.model)
      let imported = try ImportedStore()
      var merge = PlainMerge()
      for _ in 0..<random.number(2...6) {
        RandomImportTests.change(&source, &random)
        let wins = random.isOneIn(4)
        let batch = random.isOneIn(4) ? random.number(1...3) : nil
        try imported.run(source) { options in
          options.sourceWins = wins
          options.batchSize = batch
        }
        merge.take(source, sourceWins: wins)
        try RandomImportTests.compare(imported, source, merge, random.seed)
        try RandomImportTests.changeStore(imported, source, &merge, &random)
        try RandomImportTests.compare(imported, source, merge, random.seed)
      }
      let before = try imported.head
      try imported.run(source)
      merge.take(source, sourceWins: false)
      let after = try imported.head
      let again = try imported.run(source)
      #expect(again.commitCount == 0, "seed \(random.seed): \(before), \(after)")
    }
  }

  // MARK: Changes

  private static func value(_ random: inout SeededRandom) -> [String: SourceValue] {
    var values: [String: SourceValue] = [:]
    if random.isTrue(percent: 80) { values["a"] = .value(.integer(Int64(random.number(0...3)))) }
    if random.isTrue(percent: 80) { values["b"] = .value(.string(random.pick(["", "x", "y"]))) }
    return values
  }

  private static func change(_ source: inout PlainSource, _ random: inout SeededRandom) {
    for entity in ["Item", "Owner", "Tag"] {
      for key in 1...4 as ClosedRange<Int64> where random.isTrue(percent: 40) {
        if random.isOneIn(4) {
          source.rows[Self.entity(entity, key), default: [:]][key] = nil
        } else {
          source.rows[Self.entity(entity, key), default: [:]][key, default: PlainSource.Row()].values = value(&random)
        }
      }
    }
    let (owners, tags) = (Array((source.rows["Owner"] ?? [:]).keys), Array((source.rows["Tag"] ?? [:]).keys))
    for key in source.allRows(of: "Item").keys.sorted() {
      let entity = entity("Item", key)
      var links = source.rows[entity]?[key]?.links ?? [:]
      if random.isTrue(percent: 30) {
        links["owner"] = owners.isEmpty || random.isOneIn(3) ? [] : [random.pick(owners.sorted())]
      }
      if random.isTrue(percent: 30) { links["tags"] = tags.sorted().filter { _ in random.isOneIn(2) } }
      links = links.mapValues { $0 }
      links["owner"]?.removeAll { !owners.contains($0) }
      links["tags"]?.removeAll { !tags.contains($0) }
      source.rows[entity]?[key]?.links = links
    }
    for tag in tags.sorted() {
      var peers = source.rows["Tag"]?[tag]?.links["peers"] ?? []
      if random.isTrue(percent: 30) { peers = tags.sorted().filter { _ in random.isOneIn(3) } }
      source.rows["Tag"]?[tag]?.links["peers"] = peers.filter { tags.contains($0) }
    }
  }

  private static func changeStore(
    _ imported: ImportedStore, _ source: PlainSource, _ merge: inout PlainMerge, _ random: inout SeededRandom
  ) throws {
    var changed = merge
    try imported.write { tx in
      for object in merge.present.keys.sorted() where random.isTrue(percent: 25) {
        guard changed.present[object] != nil else { continue }
        let id = source.id(object.entity, object.key)
        switch random.number(0...3) {
        case 0:
          try tx.delete(id)
          changed.delete(object)
        case 1:
          let values = PlainMerge.values(value(&random))
          try tx.set(id, values)
          changed.present[object]?.values = values
        case 2 where object.entity == "Item":
          guard let owner = changed.first("Owner", &random) else { continue }
          try tx.relate(id, "owner", to: source.id("Owner", owner))
          changed.present[object]?.owner = owner
        case 2 where object.entity == "Tag", 3 where object.entity == "Tag":
          guard let peer = changed.first("Tag", &random) else { continue }
          let isLinked = changed.present[object]?.peers.contains(peer) == true
          if isLinked {
            try tx.unrelate(id, "peers", from: source.id("Tag", peer))
          } else {
            try tx.relate(id, "peers", to: source.id("Tag", peer))
          }
          changed.link(object.key, peer, !isLinked)
        default:
          guard object.entity == "Item", let tag = changed.first("Tag", &random) else { continue }
          if changed.present[object]?.tags.contains(tag) == true {
            try tx.unrelate(id, "tags", from: source.id("Tag", tag))
            changed.present[object]?.tags.remove(tag)
          } else {
            try tx.relate(id, "tags", to: source.id("Tag", tag))
            changed.present[object]?.tags.insert(tag)
          }
        }
      }
    }
    merge = changed
  }

  private static func compare(
    _ imported: ImportedStore, _ source: PlainSource, _ merge: PlainMerge, _ seed: UInt64
  ) throws {
    try imported.readUnverified { store in
      var found: [PlainMerge.Object: PlainMerge.State] = [:]
      try store.read { reader in
        for entity in ["Item", "Owner", "Tag"] {
          for key in 1...4 as ClosedRange<Int64> {
            guard let object = try reader.object(source.id(entity, key)) else { continue }
            #expect(object.entity == Self.entity(entity, key), "seed \(seed)")
            var state = PlainMerge.State(values: ["a": object["a"], "b": object["b"]])
            if entity == "Item" {
              state.owner = (1...4).first { object.target("owner") == source.id("Owner", $0) }
              let tags = try reader.linkTargets(of: object.id, "tags")
              state.tags = Set((1...4).filter { tags.contains(source.id("Tag", $0)) })
            }
            if entity == "Tag" {
              let peers = try reader.linkTargets(of: object.id, "peers")
              state.peers = Set((1...4).filter { peers.contains(source.id("Tag", $0)) })
            }
            found[PlainMerge.Object(entity: entity, key: key)] = state
          }
        }
      }
      guard found == merge.present else {
        throw Mismatch("The store differs from the model.\nexpected: \(merge.present)\nfound:    \(found)")
      }
    }
  }
}

#endif
