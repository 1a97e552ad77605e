#if Import

import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookImport

/// The stores at hand, against what `expected.py` reads from their tables.
@Suite(.hangLimit, CoreDataFiles.needed)
struct CoreDataStoreTests {
  @Test(
    "every value and link of a store is the one that the tables have", CoreDataFiles.withPython,
    arguments: CoreDataFiles.stores)
  func rows(_ store: CoreDataFiles.Store) throws {
    let source = try CoreDataImport(stores: [store.path], model: store.model)
    let contents =
      store.bundle == nil ? store.model : "\(store.model)/\(try #require(source.storeVersion)).xcdatamodel/contents"
    let expected = try CoreDataFiles.run("expected.py", store.path, contents, "--rows").split(separator: "\n").map(
      String.init)
    let found = try CanonicalText.lines(of: source.objects[0])
    #expect(found.count == expected.count)
    for (found, expected) in zip(found, expected) where found != expected {
      Issue.record("expected \(expected.prefix(2000))\nfound    \(found.prefix(2000))")
      break
    }
  }

  @Test("counts, checksums, orders and history are those of expected.json", arguments: CoreDataFiles.stores)
  func summary(_ store: CoreDataFiles.Store) throws {
    let source = try CoreDataImport(stores: [store.path], model: store.model)
    let objects = source.objects[0]
    let all = try JSONValue(
      parsing: SharedData.bytes("\(CoreDataFiles.root ?? "")/stores/\(store.directory)/expected.json"))
    let expected = try #require(all[store.file])
    #expect(objects.identity?.description.uppercased() == expected["storeUUID"]?.stringValue)
    #expect(source.storeVersion == store.fitting.last ?? "contents")
    let counts = try objects.objectCounts()
    #expect(counts.values.reduce(0, +) == expected["objects"]?.integerValue.map(Int.init))
    for entity in objects.lookup.model.entities {
      let own = try #require(expected["entities"]?[entity.name])
      #expect(counts[entity.name] == own["rows"]?.integerValue.map(Int.init), "\(entity.name)")
      try checkAttributes(of: entity.name, objects, try #require(own["attributes"]))
      for relationship in entity.relationships where !relationship.isTransient {
        let field = SourceField(entity.name, relationship.name)
        guard !objects.lookup.isRepeated(field) else { continue }
        try checkLinks(of: field, objects, try #require(own["relationships"]?[relationship.name], "\(field)"))
      }
    }
    let history = try objects.historyCounts()
    #expect(history?.transactionCount == expected["history"]?["transactions"]?.integerValue.map(Int.init))
    #expect(history?.deleteCount == expected["history"]?["deletes"]?.integerValue.map(Int.init))
  }

  private func checkAttributes(of entity: String, _ objects: CoreDataObjects, _ expected: JSONValue) throws {
    var texts: [[String]] = Array(repeating: [], count: objects.attributes(of: entity).count)
    try objects.forEachObject(of: entity) { object in
      for (index, value) in object.values.enumerated() where !value.isNull {
        texts[index].append(try CanonicalText.text(value))
      }
    }
    for (index, (field, attribute)) in objects.attributes(of: entity).enumerated() {
      let own = try #require(expected[field.name], "\(entity).\(field.name)")
      #expect(own["type"]?.stringValue == attribute.type.name)
      #expect(own["column"]?.stringValue == objects.layout.columns[field])
      #expect(own["nonNull"]?.integerValue.map(Int.init) == texts[index].count, "\(entity).\(field.name)")
      #expect(own["sha256"]?.stringValue == checksum(texts[index]), "\(entity).\(field.name)")
    }
  }

  private func checkLinks(of field: SourceField, _ objects: CoreDataObjects, _ expected: JSONValue) throws {
    let (pairs, _) = try objects.links(field.entity, field.name)
    #expect(expected["links"]?.integerValue.map(Int.init) == pairs.count, "\(field)")
    #expect(expected["sha256"]?.stringValue == checksum(pairs), "\(field)")
    guard let order = expected["order"] else { return }
    var lists: [String: [String]] = [:]
    for pair in pairs {
      let keys = pair.split(separator: " ").map(String.init)
      lists[keys[0], default: []].append(keys[1])
    }
    for (source, targets) in lists {
      #expect(order[source]?.elements?.compactMap(\.stringValue) == targets, "\(field) of \(source)")
    }
  }

  private func checksum(_ lines: [String]) -> String {
    let sorted = lines.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    return "\(Digest(hashing: Array(sorted.joined(separator: [10])).rawSpan))"
  }

  @Test("links arrive sorted by source, then by order key", arguments: CoreDataFiles.stores)
  func sortedLinks(_ store: CoreDataFiles.Store) throws {
    let objects = try CoreDataImport(stores: [store.path], model: store.model).objects[0]
    for field in objects.relationships {
      var links: [SourceLink] = []
      _ = try objects.forEachLink(of: field) { links.append($0) }
      let sorted = links.sorted { ($0.source, $0.order ?? .max, $0.target) < ($1.source, $1.order ?? .max, $1.target) }
      #expect(links == sorted, "\(field)")
    }
  }

  @Test("a relationship and its inverse have the same links", arguments: CoreDataFiles.stores)
  func inverses(_ store: CoreDataFiles.Store) throws {
    let objects = try CoreDataImport(stores: [store.path], model: store.model).objects[0]
    for field in objects.relationships {
      guard let inverse = objects.lookup.mutualInverse(of: field) else { continue }
      let own = try objects.links(field.entity, field.name).pairs.map { $0.split(separator: " ").map(String.init) }
      let back = try objects.links(inverse.field.entity, inverse.field.name).pairs.map {
        $0.split(separator: " ").map(String.init)
      }
      // An inverse that an ancestor declares can have more sources than this entity.
      let isSame =
        inverse.field.entity == lookupDestination(objects, field) && inverse.relationship.destination == field.entity
      if isSame { #expect(Set(own) == Set(back.map { Array($0.reversed()) }), "\(field)") }
    }
  }

  private func lookupDestination(_ objects: CoreDataObjects, _ field: SourceField) -> String? {
    objects.lookup.relationship(field)?.destination
  }

  @Test("reading changes no byte of a store, and leaves no file beside it", arguments: CoreDataFiles.stores)
  func untouched(_ store: CoreDataFiles.Store) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.copy(store.path)
    let before = try directory.contents()
    do {
      let objects = try CoreDataImport(stores: [path], model: store.model).objects[0]
      _ = try CanonicalText.lines(of: objects)
      _ = try objects.notes()
      #expect(try directory.contents() == before)
    } catch let error as CocoaError where store.directory == "messenger" {
      // The external file is not copied; the values are checked elsewhere.
      _ = error
    }
    #expect(try directory.contents() == before)
    #expect(
      before.keys.contains { $0.hasSuffix("-wal") } == FileManager.default.fileExists(atPath: store.path + "-wal"))
  }

  @Test("the copy of a store with a -wal is removed")
  func noCopiesLeft() throws {
    let store = CoreDataFiles.stores[0]
    func copies() throws -> Set<String> {
      Set(
        try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
          .filter { $0.hasPrefix("daybook-import-") })
    }
    var mine: Set<String> = []
    do {
      let before = try copies()
      let source = try CoreDataStore(store.path)
      mine = try copies().subtracting(before)
      #expect(source.schema.tables["ZBOOKMARKENTITY"] != nil)
    }
    // Other tests copy at the same time, so only copies that were made meanwhile and stay are wrong.
    for _ in 0..<50 where !mine.isDisjoint(with: try copies()) { Thread.sleep(forTimeInterval: 0.1) }
    #expect(mine.isDisjoint(with: try copies()))
  }

  @Test("values that are not a number are null, with a note")
  func notNumbers() throws {
    let store = try #require(CoreDataFiles.stores.first { $0.directory == "gallery" })
    let objects = try CoreDataImport(stores: [store.path], model: store.model).objects[0]
    var faults: [String: Int] = [:]
    try objects.forEachObject(of: "Artwork") { object in
      for fault in object.faults {
        #expect(fault.kind == .notANumber && fault.was == "NaN")
        faults[fault.field.name, default: 0] += 1
      }
    }
    #expect(faults == ["depth": 10, "diameter": 1, "height": 2, "width": 2])
  }

  @Test("an external file is a reference, and an inline value has no storage byte")
  func externalFiles() throws {
    let store = try #require(CoreDataFiles.stores.first { $0.directory == "messenger" })
    let objects = try CoreDataImport(stores: [store.path], model: store.model).objects[0]
    let index = try #require(objects.attributes(of: "User").firstIndex { $0.field.name == "imageMediumData" })
    let files = try objects.all("User").compactMap { object -> SourceFile? in
      if case .file(let file) = object.values[index] { file } else { nil }
    }
    #expect(files.map(\.sizeInBytes) == [131_072])
    let directory = try TemporaryDirectory()
    let copy = try CoreDataImport(stores: [try directory.copy(store.path)], model: store.model).objects[0]
    let faults = try copy.all("User").flatMap(\.faults)
    #expect(faults.map(\.kind) == [.fileMissing])
    #expect(faults.first?.was == "30084A1C-76CF-4976-8312-8E8EFCF6F510")
  }

  @Test(
    "tables that are not read are listed, and all rows of the others are in their hierarchy",
    arguments: CoreDataFiles.stores)
  func notes(_ store: CoreDataFiles.Store) throws {
    let objects = try CoreDataImport(stores: [store.path], model: store.model).objects[0]
    let notes = try objects.notes()
    let history = objects.store.schema.tables.keys.filter { $0.hasPrefix("A") }.sorted()
    #expect(notes.filter { $0.kind == .skippedTable }.map(\.place) == history)
    #expect(notes.filter { $0.kind != .skippedTable }.isEmpty)
    for field in objects.relationships {
      #expect(try objects.links(field.entity, field.name).notes.isEmpty, "\(field)")
    }
  }
}

#endif
