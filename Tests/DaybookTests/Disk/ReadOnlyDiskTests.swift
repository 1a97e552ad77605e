import DaybookModel
import DaybookTestSupport
import DaybookTools
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// A file system that is mounted read-only.
@Suite(.hangLimit, .enabled(if: SmallDisk.isPermitted, .init(rawValue: SmallDisk.reason)))
struct ReadOnlyDiskTests {
  private static let model = Model(entities: [
    Entity(
      name: "Note", attributes: [Attribute(name: "title", type: .string)],
      indexes: [Index([.init(path: ["title"])])])
  ])

  private let disk: SmallDisk

  init() throws {
    disk = try SmallDisk(sizeInBytes: 16 << 20)
  }

  /// Makes a store with two commits of notes and closes it.
  private func fillDisk() throws -> (head: Position, hash: Digest) {
    let store = try Store(at: disk.path("store"), model: Self.model)
    defer { store.close() }
    for title in ["b", "a"] { try store.write { try $0.insert("Note", ["title": .string(title)]) } }
    let statistics = try store.statistics()
    return (statistics.head, statistics.hash)
  }

  @Test func aStoreIsReadThereAndWritesAreRefused() throws {
    let end = try fillDisk()
    try disk.makeReadOnly()
    let store = try Store(at: disk.path("store"))
    #expect(store.isReadOnly)
    #expect(store.path == disk.path("store"))
    let request = Request(entity: "Note", sort: [SortTerm(path: ["title"])])
    #expect(try store.fetch(request).rows.map { $0["title"] } == ["a", "b"])
    #expect(try store.at(2).fetch(request).rows.map { $0["title"] } == ["b"])
    #expect(try store.liveResults(of: request).count == 2)
    let statistics = try store.statistics()
    #expect(statistics.head == end.head && statistics.hash == end.hash)

    let note = try #require(try store.fetch(request).rows.first)
    var larger = Self.model
    larger.entities[0].attributes.append(Attribute(name: "body", type: .string, isOptional: true))
    let refusals: [() throws -> Void] = [
      { try store.write { try $0.set(note.id, ["title": "c"]) } },
      { _ = try store.apply(larger) },
      { try store.subscription("reader").acknowledge(2) },
    ]
    for refused in refusals {
      let error = #expect(throws: StoreError.self) { try refused() }
      #expect(error?.code == .readOnly && error?.message.contains(disk.path) == true, "\(String(describing: error))")
    }
    #expect(try store.position == end.head)
    store.close()
    #expect(try disk.contents == ["store"])
  }

  @Test func aStoreIsVerifiedAndCopiedFromThere() throws {
    let end = try fillDisk()
    try disk.makeReadOnly()
    let result = try Store.verify(at: disk.path("store"))
    #expect(result.isSound && result.head == end.head && result.hash == end.hash)
    #expect(result.notes.contains { $0.contains("read-only") })
    let directory = try TemporaryDirectory()
    let backup = try Store.backUp(at: disk.path("store"), to: directory.path("backup"))
    #expect(backup.head == end.head && backup.hash == end.hash)
    for (kind, copy) in [
      ("restored", { try Store.restore(directory.path("backup"), to: directory.path("restored")) }),
      ("compact", { try Store.compact(at: disk.path("store"), to: directory.path("compact")) }),
    ] {
      #expect(try copy().hash == end.hash)
      let store = try Store(at: directory.path(kind))
      defer { store.close() }
      try store.write { try $0.insert("Note", ["title": "c"]) }
      #expect(try store.read { try $0.count(Request(entity: "Note")) } == 3)
    }
  }

  /// A file system that is mounted twice, where another process has the store open through the writable mount.
  @Test func aStoreThatIsInUseThroughAnotherMountIsRefused() throws {
    _ = try fillDisk()
    let directory = try TemporaryDirectory()
    try SmallDisk.run("mount", "--bind", disk.path, directory.path)
    defer { try? SmallDisk.run("umount", "-l", directory.path) }
    try SmallDisk.run("mount", "-o", "remount,ro,bind", directory.path)
    // The lock is all that this process sees of another one that has the journal open.
    let holder = Process()
    let output = Pipe()
    holder.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    holder.arguments = [
      "flock", "--no-fork", "--shared", disk.path("store/journal"), "sh", "-c", "echo locked; exec sleep 60",
    ]
    holder.standardOutput = output
    try holder.run()
    _ = try output.fileHandleForReading.read(upToCount: 1)
    let error = #expect(throws: StoreError.self) { try Store(at: directory.path("store")) }
    #expect(error?.code == .busy && error?.message.contains("read-only") == true)
    // It has become the sleeping program, which inherited a mask of signals from a thread that blocks most of them.
    kill(holder.processIdentifier, SIGKILL)
    holder.waitUntilExit()
    let reader = try Store(at: directory.path("store"))
    defer { reader.close() }
    #expect(try reader.read { try $0.count(Request(entity: "Note")) } == 2)
  }

  @Test func aStoreCannotBeMadeAndTheErrorSaysWhy() throws {
    try disk.makeReadOnly()
    let error = #expect(throws: StoreError.self) { try Store(at: disk.path("other"), model: Self.model) }
    #expect(error?.code == .inputOutput)
    #expect(error?.message.contains(disk.path) == true && error?.message.contains("read-only") == true)
    #expect("\(String(describing: error))".contains("Mount it writable"))
    #expect(try disk.contents == [])
  }
}
