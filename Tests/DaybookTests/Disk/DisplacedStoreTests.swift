import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// The directory of a store is removed, moved or replaced while the store is open.
///
/// The system lets a process write to files without a name. So the store must compare its path with its file before it
/// acknowledges a commit.
@Suite(.hangLimit) struct DisplacedStoreTests {
  private static let model = Model(entities: [
    Entity(name: "Note", nameAttribute: "title", attributes: [Attribute(name: "title", type: .string)])
  ])

  enum Displacement: CaseIterable {
    case storeRemoved, journalRemoved, fileRemoved, storeMoved, parentMoved, storeReplaced, journalReplaced
    case replacedByAFile, linkToAnotherStore

    func apply(in directory: TemporaryDirectory) throws {
      let (files, path) = (FileManager.default, directory.path("parent/store"))
      let aside = directory.path("aside")
      func replace(_ part: String) throws {
        let other = try Store.create(at: directory.path("other"), model: DisplacedStoreTests.model)
        other.close()
        try files.moveItem(atPath: path + part, toPath: aside)
        try files.moveItem(atPath: directory.path("other") + part, toPath: path + part)
      }
      switch self {
      case .storeRemoved: try files.removeItem(atPath: path)
      case .journalRemoved: try files.removeItem(atPath: path + "/journal")
      case .fileRemoved: try files.removeItem(atPath: path + "/journal/data.mdb")
      case .storeMoved: try files.moveItem(atPath: path, toPath: aside)
      case .parentMoved: try files.moveItem(atPath: directory.path("parent"), toPath: aside)
      case .storeReplaced: try replace("")
      case .journalReplaced: try replace("/journal")
      case .replacedByAFile:
        try files.moveItem(atPath: path, toPath: aside)
        try Data("text".utf8).write(to: URL(fileURLWithPath: path))
      case .linkToAnotherStore:
        try replace("")
        try files.moveItem(atPath: path, toPath: directory.path("third"))
        try files.createSymbolicLink(atPath: path, withDestinationPath: directory.path("third"))
      }
    }
  }

  /// Makes a store with one note, in a directory of its own.
  private func makeStore() throws -> (directory: TemporaryDirectory, store: Store, note: ObjectID) {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: directory.path("parent"), withIntermediateDirectories: false)
    let store = try Store.create(at: directory.path("parent/store"), model: Self.model)
    let note = try store.write(author: "a") { try $0.insert("Note", ["title": "kept"]) }
    return (directory, store, note)
  }

  private static func insert(_ title: String, in store: Store) throws {
    try store.write { _ = try $0.insert("Note", ["title": .string(title)]) }
  }

  /// The kinds of writes that end with an acknowledgement.
  private let writes: [(name: String, run: (Store, ObjectID) async throws -> Void)] = [
    ("write", { store, _ in try DisplacedStoreTests.insert("lost", in: store) }),
    (
      "queued write",
      { store, _ in
        try await withThrowingTaskGroup { group in
          for number in 0..<3 {
            group.addTask { _ = try await store.write { try $0.insert("Note", ["title": .string("lost \(number)")]) } }
          }
          try await group.waitForAll()
        }
      }
    ),
    (
      "commit with an id",
      { store, _ in
        _ = try store.commit(CommitInfo(commitID: ObjectID(UUID()))) { try $0.insert("Note", ["title": "lost"]) }
      }
    ),
    ("undo", { store, _ in _ = try store.undo(.last(of: "a")) }),
    ("revert", { store, _ in _ = try store.undo(.commit(2)) }),
    (
      "model",
      { store, _ in
        var later = DisplacedStoreTests.model
        later.entities[0].attributes.append(Attribute(name: "stars", type: .integer, isOptional: true))
        _ = try store.apply(later)
      }
    ),
    (
      "editing context",
      { store, note in
        let context = try store.makeContext()
        try context.rename(note, to: "lost")
        _ = try context.save()
      }
    ),
    ("subscription", { store, _ in try store.subscription("mail").acknowledge(1) }),
  ]

  @Test(arguments: Displacement.allCases)
  func `no kind of write is acknowledged once the path leads elsewhere`(displacement: Displacement) async throws {
    for write in writes {
      let (directory, store, note) = try makeStore()
      defer { store.close() }
      try displacement.apply(in: directory)
      let error = await #expect(throws: StoreError.self, "\(write.name) after \(displacement)") {
        try await write.run(store, note)
      }
      #expect(error?.code == .displaced, "\(write.name) after \(displacement): \(String(describing: error))")
      #expect(throws: StoreError.self) { try store.checkPlace() }
      // What was open can still be read.
      #expect(try store.get(note)?["title"] == .string("kept"), "\(displacement)")
    }
  }

  @Test func `a store that is back at its path is written to again`() throws {
    let (directory, store, _) = try makeStore()
    try FileManager.default.moveItem(atPath: store.path, toPath: directory.path("aside"))
    #expect(throws: StoreError.self) { try Self.insert("lost", in: store) }
    try FileManager.default.moveItem(atPath: directory.path("aside"), toPath: store.path)
    try store.checkPlace()
    try Self.insert("new", in: store)
    try closeAndVerify(store)
  }

  /// The moment is after the last check before the commit, so only the check after the flush can find it.
  @Test func `a commit whose directory goes during its flush is not acknowledged`() throws {
    let directory = try TemporaryDirectory()
    var options = StoreOptions()
    let path = directory.path("store")
    options.probe = { moment in
      guard case .beforeJournalCommit = moment, FileManager.default.fileExists(atPath: path + "/armed") else { return }
      try? FileManager.default.moveItem(atPath: path, toPath: directory.path("aside"))
    }
    let store = try Store(at: path, model: Self.model, options: options)
    defer { store.close() }
    _ = FileManager.default.createFile(atPath: path + "/armed", contents: nil)
    let error = #expect(throws: StoreError.self) { try Self.insert("gone", in: store) }
    #expect(error?.code == .unknownOutcome)
    #expect(error?.message.contains("removed, moved or replaced") == true)
    // The store cannot find out what became of the commit, and accepts nothing more.
    #expect(throws: StoreError.self) { try Self.insert("more", in: store) }
  }

  @Test func `another store that took the place is left alone`() throws {
    let (directory, store, _) = try makeStore()
    try Displacement.storeReplaced.apply(in: directory)
    let other = try TemporaryTree.contents(of: store.path)
    #expect(throws: StoreError.self) { try store.rebuild() }
    // Whether there is anything to do depends on the history.
    _ = try? store.makeSnapshots()
    #expect(throws: StoreError.self) { try Self.insert("lost", in: store) }
    store.close()
    #expect(try TemporaryTree.contents(of: store.path) == other)
    #expect(try Store.verify(at: store.path).isSound)
  }
}

/// The files below a directory with their bytes, except the lock files.
private enum TemporaryTree {
  static func contents(of path: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) where !name.hasSuffix("lock.mdb") {
      if let data = FileManager.default.contents(atPath: "\(path)/\(name)") { files[name] = data }
    }
    return files
  }
}
