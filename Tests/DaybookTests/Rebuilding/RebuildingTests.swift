import DaybookModel
import DaybookTestSupport
import DaybookTools
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

@Suite(.hangLimit) struct RebuildingTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path("store") }

  init() throws {
    directory = try TemporaryDirectory()
    try BusyStore.make(at: directory.path("store"))
  }

  /// Returns all rows of the built-in tables, whatever their generation.
  private func rows(_ store: Store) throws -> [TableName: [[UInt8]]] {
    let names = try store.keeper.projectionsEnvironment.withSnapshot {
      try #require(try store.keeper.currentProjections.state(in: $0)).tableNames
    }
    let tables = try store.keeper.projectionsEnvironment.openTables(names)
    return try store.keeper.projectionsEnvironment.withSnapshot { snapshot in
      var rows: [TableName: [[UInt8]]] = [:]
      for (name, table) in zip(TableName.allCases, tables) {
        var cursor = try snapshot.makeCursor(in: #require(table))
        while try cursor.moveToNext() {
          rows[name, default: []].append([UInt8](cursor.key))
          rows[name, default: []].append([UInt8](cursor.value))
        }
      }
      return rows
    }
  }

  private func generations(_ store: Store) throws -> [UInt64] {
    try store.keeper.projectionsEnvironment.withSnapshot {
      try #require(try store.keeper.currentProjections.state(in: $0)).generations
    }
  }

  @Test func aRebuildTakesEffectWhereverTheMapBecomesFull() throws {
    for size in stride(from: 64 << 10, through: 320 << 10, by: 4 << 10) {
      var options = StoreOptions()
      options.durability = .relaxed
      options.projectionsMapSizeInBytes = size
      let store = try Store(at: directory.path("\(size)"), model: CrashRun.model, options: options)
      try store.write { tx in
        for number in 0..<200 { try tx.insert("Note", ["title": .string("\(number)"), "size": 1]) }
      }
      let before = try generations(store)
      try store.rebuild()
      let after = try generations(store)
      #expect(zip(before, after).allSatisfy { $0 < $1 }, "a map of \(size) bytes: \(before), \(after)")
      store.close()
    }
  }

  @Test func theResultIsTheSameByteForByte() throws {
    let store = try Store(at: path)
    let before = try rows(store)
    let generation = try generations(store)
    var activities: Set<String> = []
    try store.rebuild { activities.insert($0.activity) }
    #expect(try rows(store) == before)
    #expect(try generations(store) != generation)
    #expect(try store.verify().faults == [])
  }

  @Test(arguments: TableName.allCases) func oneProjectionIsRebuiltAlone(table: TableName) throws {
    let store = try Store(at: path)
    let before = try rows(store)
    let old = try generations(store)
    try store.rebuild(StoreTables(named: table.name))
    let new = try generations(store)
    for other in TableName.allCases {
      #expect((new[other.rawValue] == old[other.rawValue]) == (other != table))
    }
    #expect(try rows(store) == before)
    #expect(try store.verify().faults == [])
  }

  @Test func aSmallMemoryGivesTheSameRows() throws {
    var options = StoreOptions()
    options.rebuildMemoryInBytes = 1_000
    let store = try Store(at: path, options: options)
    let before = try rows(store)
    try store.rebuild()
    #expect(try rows(store) == before)
  }

  @Test func unknownNamesAreRefusedWithTheKnownOnes() throws {
    let error = #expect(throws: StoreError.self) { try StoreTables(named: "nothing") }
    #expect(error?.code == .notFound)
    #expect(error?.description.contains("objects, links, views, unique, counts") == true)
  }

  @Test func damagedRowsAreMended() throws {
    try RawStore.change(path, "projections") { transaction in
      for name in try transaction.tableNames() where TableName(ofTable: name) != nil {
        let table = try #require(try transaction.openTable(name, create: false))
        try transaction.clear(table)
        try transaction.put([1, 2, 3], [4, 5], in: table)
      }
    }
    #expect(try !Store.verify(at: path).isSound)
    let store = try Store(at: path)
    try store.rebuild()
    #expect(try store.verify().faults == [])
  }

  @Test func damagedPagesAreMended() throws {
    let file = "\(path)/projections/data.mdb"
    let bytes = try #require(FileManager.default.contents(atPath: file))
    // All pages after those that are checked at each opening.
    let handle = try #require(FileHandle(forWritingAtPath: file))
    for page in 2..<bytes.count / 4_096 where page % 2 == 0 {
      try handle.seek(toOffset: UInt64(page * 4_096))
      try handle.write(contentsOf: Data(count: 4_096))
    }
    try handle.close()
    #expect(try !Store.verify(at: path).isSound)
    var options = StoreOptions()
    options.checksProjectionPages = true
    let store = try Store(at: path, options: options)
    try store.rebuild()
    #expect(try store.verify().faults == [])
  }

  @Test func readersSeeWholeTablesThroughout() throws {
    let store = try Store(at: path)
    let expected = try store.fetch(Request(entity: "Recipe")).rows.count
    let isDone = Flag()
    let wrong = Locked<String?>(nil)
    let readers = (0..<2).map { _ in
      Thread {
        while !isDone.isSet {
          do {
            let count = try store.read { try $0.fetch(Request(entity: "Recipe")).rows.count }
            if count != expected { wrong.withLock { $0 = "\(count) objects instead of \(expected)" } }
          } catch {
            wrong.withLock { $0 = "\(error)" }
          }
        }
      }
    }
    for reader in readers { reader.start() }
    for _ in 0..<10 { try store.rebuild() }
    isDone.set()
    while readers.contains(where: { !$0.isFinished }) { Thread.sleep(forTimeInterval: 0.01) }
    #expect(wrong.withLock { $0 } == nil)
    #expect(try store.verify().faults == [])
  }

  @Test func aReaderKeepsTheOldTablesUntilItEnds() throws {
    let store = try Store(at: path)
    let expected = try store.fetch(Request(entity: "Recipe")).rows.map(\.id)
    let done = DispatchSemaphore(value: 0)
    try store.read { reader in
      let before = try reader.fetch(Request(entity: "Recipe")).rows.map(\.id)
      #expect(before == expected)
      Thread {
        try? store.rebuild()  // A failure would appear in the generation.
        done.signal()
      }.start()
      done.wait()
      let after = try reader.fetch(Request(entity: "Recipe")).rows.map(\.id)
      #expect(after == expected)
    }
    #expect(try store.fetch(Request(entity: "Recipe")).rows.map(\.id) == expected)
    #expect(try store.verify().faults == [])
  }

  @Test func whatAnInterruptedRebuildLeftIsDropped() throws {
    try RawStore.change(path, "projections") { transaction in
      for name in ["objects.7", "views.8"] {
        let table = try #require(try transaction.openTable(name, create: true))
        try transaction.put([1], [2], in: table)
      }
    }
    let store = try Store(at: path)
    try store.rebuild()
    #expect(try store.verify().faults == [])
    store.close()
    let names = try Environment.open(at: "\(path)/projections").withSnapshot { try $0.tableNames() }
    #expect(names.count == 6)
  }

  @Test func theFileOfAKilledRebuildIsRemoved() throws {
    let left = "\(path)/projections.new"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    for name in ["data.mdb", "lock.mdb", "other"] {
      try Data("not a data file".utf8).write(to: URL(fileURLWithPath: "\(left)/\(name)"))
    }
    let store = try Store(at: path)
    let before = try rows(store)
    try store.rebuild()
    #expect(try FileKind(ofFileAt: left) == nil)
    #expect(try rows(store) == before)
    #expect(try store.verify().faults == [])
  }

  @Test func aFailedRebuildLeavesTheOldTables() throws {
    struct Stop: Error {}
    let store = try Store(at: path)
    let before = try rows(store)
    let generation = try generations(store)
    #expect(throws: Stop.self) {
      try store.writer.write { session in
        try session.rebuild(TableName.allCases)
        throw Stop()
      }
    }
    #expect(try generations(store) == generation)
    #expect(try rows(store) == before)
    #expect(try store.write { try $0.insert("Kind", ["name": "goes on"]) } != .zero)
    #expect(try store.verify().faults == [])
  }

  @Test func aRebuildOfEverythingLeavesNoBytesOfRemovedRows() throws {
    let (path, secret) = (directory.path("own"), "the name that nobody shall find")
    let projection = ActivityProjection()
    let store = try Store(at: path, model: FeedModel.model, options: .knowing(projection))
    func file() throws -> FileIdentity? { try FileIdentity(ofFileAt: "\(path)/projections/data.mdb") }
    func holdsSecret() throws -> Bool {
      let bytes = try #require(FileManager.default.contents(atPath: "\(path)/projections/data.mdb"))
      return bytes.range(of: Data(secret.utf8)) != nil
    }
    let ids = try store.insertRecipes("a", "b")
    try store.write { tx in
      for number in 0..<300 { try tx.insert("Recipe", ["name": .string("recipe \(number)")]) }
    }
    let gone = try store.insertRecipes(secret)[0]
    try store.write { try $0.rename(ids[0], to: "\(secret) again") }
    try store.write { tx in
      try tx.delete(gone)
      try tx.rename(ids[0], to: "c")
    }
    try store.projection(projection.name).catchUp()
    #expect(try holdsSecret())
    let (before, first) = (try rows(store), try file())
    let position = try store.checkpoint(of: projection.name)
    try store.rebuild(.objects)
    #expect(try file() == first)
    try store.rebuild()
    #expect(try file() != first)
    #expect(try !holdsSecret())
    #expect(try rows(store) == before)
    #expect(try FileKind(ofFileAt: "\(path)/projections.new") == nil)
    // The rows of a projection of users are where they were, and follow the head.
    #expect(try store.checkpoint(of: projection.name) == position)
    try store.insertRecipes("d")
    try store.projection(projection.name).catchUp()
    #expect(try store.checkpoint(of: projection.name) == store.position)
    // Another process gives them the next file, though it knows no projection of users.
    let second = try file()
    let process = try Process.run(URL(fileURLWithPath: DamageLaboratory.findCommand()), arguments: ["rebuild", path])
    process.waitUntilExit()
    #expect(try process.terminationStatus == 0 && file() != second)
    #expect(try store.count(Request(entity: "Recipe")) == 303)
    try store.write { try $0.rename(ids[1], to: "e") }
    #expect(try store.get(ids[1])?["name"] == "e")
    try store.projection(projection.name).catchUp()
    #expect(try store.verify().isSound)
    try closeAndVerify(store)
  }
}
