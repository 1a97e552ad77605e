import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Large values in editing contexts, copies, snapshots, files, and processes that grow their maps.
@Suite(.hangLimit) struct LargeValueUseTests {
  private func names(_ store: Store) throws -> [Value] {
    try store.fetch(Request(entity: "Photo", sort: [SortTerm(path: ["name"])])).rows.map { $0["name"] }
  }

  @Test func aContextHasItsValuesBeforeItIsSaved() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let context = try store.makeContext()
      let photo = try context.insert("Photo", ["name": "a", "image": PhotoStore.image(1)])
      let child = context.makeContext()
      try child.set(photo, ["image": PhotoStore.image(2), "settings": PhotoStore.settings(1)])
      #expect(try child.get(photo)?["image"].data() == PhotoStore.bytes(2))
      #expect(try context.get(photo)?["image"].data() == PhotoStore.bytes(1))
      try child.save()
      #expect(try context.get(photo)?["image"].data() == PhotoStore.bytes(2))
      #expect(try context.undo())
      #expect(try context.get(photo)?["image"].data() == PhotoStore.bytes(1))
      #expect(try context.redo())
      // A copy of a pending value refers to it.
      let image = try #require(try context.get(photo)?["image"])
      let copy = try context.insert("Photo", ["name": "b", "image": image])
      let preview = try context.preview()
      guard case .inserted(let fields, _) = preview.events.last?.content else { throw Mismatch("\(preview.events)") }
      #expect(try fields.first { $0.name == "image" }?.value.data() == PhotoStore.bytes(2))
      #expect(try store.largeValueBytes() == nil)
      try store.write { try $0.insert("Photo", ["name": "c"]) }
      try context.rebase()
      #expect(try context.get(copy)?["image"].data() == PhotoStore.bytes(2))
      try context.save()
      #expect(try names(store) == ["a", "b", "c"])
      #expect(try store.get(copy)?["image"].data() == PhotoStore.bytes(2))
      // The first image was replaced before it was saved, but its step is part of the commit.
      #expect(try context.get(photo)?["image"].data() == PhotoStore.bytes(2))
    }
  }

  @Test func aCancelledContextLeavesNoValue() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let context = try store.makeContext()
      let photo = try context.insert("Photo", ["name": "a", "image": PhotoStore.image(1)])
      let object = try #require(try context.get(photo))
      context.cancel()
      #expect(throws: StoreError.self) { try object["image"].data() }
      #expect(try store.position == 1)
      #expect(try store.largeValueBytes() == nil)
    }
  }

  @Test func aConflictIsDecidedOnAPendingValue() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let photo = try store.write { try $0.insert("Photo", ["name": "a"]) }
      let context = try store.makeContext()
      try context.set(photo, ["image": PhotoStore.image(1)])
      try store.write { try $0.set(photo, ["image": PhotoStore.image(2)]) }
      try context.save(
        resolving: .decide { conflict in
          guard case .attribute(_, let mine, _) = conflict.kind else { return .mine }
          return .value(mine)
        })
      #expect(try store.get(photo)?["image"].data() == PhotoStore.bytes(1))
    }
  }

  @Test func copiesHaveAllValues() throws {
    let directory = try TemporaryDirectory()
    let store = try Store(at: directory.path("store"), model: PhotoStore.model)
    let photo = try store.write { try $0.insert("Photo", ["name": "a", "image": PhotoStore.image(1, 2_000_000)]) }
    try store.makeSnapshot()
    try store.write { try $0.set(photo, ["image": PhotoStore.image(2), "settings": PhotoStore.settings(1)]) }
    try store.backUp(to: directory.path("backup"))
    try store.compact(to: directory.path("compact"))
    try Store.restore(directory.path("backup"), to: directory.path("restored"))
    store.close()
    for name in ["store", "compact", "restored"] {
      let copy = try Store(at: directory.path(name))
      #expect(try copy.get(photo)?["image"].data() == PhotoStore.bytes(2))
      #expect(try copy.get(photo)?["settings"].data() == PhotoStore.settings(1).data())
      #expect(try copy.at(2).get(photo)?["image"].data() == PhotoStore.bytes(1, 2_000_000))
      try closeAndVerify(copy)
    }
  }

  @Test func aFileIsAValueWithoutBeingHeld() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("image")
    func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
    try withTemporaryStore(PhotoStore.model) { store in
      try write(PhotoStore.bytes(1, 3_000_000))
      let image = try Value.data(contentsOf: path)
      #expect(image == PhotoStore.image(1, 3_000_000))
      let photo = try store.write { try $0.insert("Photo", ["name": "a", "image": image]) }
      #expect(try store.get(photo)?["image"].data() == PhotoStore.bytes(1, 3_000_000))
      try write(PhotoStore.bytes(1, 100))
      guard case .data = try Value.data(contentsOf: path) else { throw Mismatch("A small file is no reference.") }
      // A file that changes before it is written fails the write.
      try write(PhotoStore.bytes(2, 3_000_000))
      let changing = try Value.data(contentsOf: path)
      try write(PhotoStore.bytes(3, 3_000_000))
      let error = #expect(throws: StoreError.self) { try store.write { try $0.set(photo, ["image": changing]) } }
      #expect(error?.code == .notFound || error?.code == .inputOutput)
      #expect(try store.position == 2)
      #expect(try store.largeValueBytes() == 3_000_000)
    }
    #expect(throws: StoreError.self) { try Value.data(contentsOf: directory.path("none")) }
  }

  @Test func piecesOfAStreamAreAValue() async throws {
    let bytes = PhotoStore.bytes(1, 1_500_000)
    let stream = AsyncThrowingStream<[UInt8], any Error> { stream in
      for start in stride(from: 0, to: bytes.count, by: 7_777) {
        stream.yield(Array(bytes[start..<min(start + 7_777, bytes.count)]))
      }
      stream.finish()
    }
    let value = try await Value.data(contentsOf: stream)
    #expect(value == .data(bytes) && value.isLarge)
    var joined: [UInt8] = []
    if case .large(let large) = value { try large.forEachChunk { joined += $0 } }
    #expect(joined == bytes)
  }

  @Test func valuesAreWrittenAgainAfterTheMapHasGrown() throws {
    var options = StoreOptions()
    options.journalMapSizeInBytes = 1 << 20
    options.projectionsMapSizeInBytes = 1 << 20
    try withTemporaryStore(PhotoStore.model, options: options) { store in
      let photos = try store.batch { batch in
        try (0..<6).map { number in
          let result = try batch.commit {
            try $0.insert(
              "Photo", ["name": .string("\(number)"), "image": PhotoStore.image(UInt64(number), 1_000_000)])
          }.result
          return try #require(result)
        }
      }
      for (number, photo) in photos.enumerated() {
        #expect(try store.get(photo)?["image"].data() == PhotoStore.bytes(UInt64(number), 1_000_000))
      }
      #expect(try store.largeValueBytes() == 6_000_000)
    }
  }

  @Test func valuesAreFoundByTheirDigests() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let bytes = PhotoStore.bytes(1, 1 << 20)
      let digest = Digest(hashing: bytes.rawSpan)
      #expect(try store.largeValue(digest) == nil)
      try store.write { try $0.insert("Photo", ["name": "a", "image": .data(bytes)]) }
      #expect(try store.largeValue(digest)?.size == 1 << 20)
      #expect(try store.largeValue(digest)?.bytes() == bytes)
      // The neighbours of a digest are other digests.
      #expect(
        try store.largeValue(Digest(words: (digest.words.0, digest.words.1, digest.words.2, digest.words.3 &+ 1)))
          == nil)
      #expect(
        try store.largeValue(Digest(words: (digest.words.0, digest.words.1, digest.words.2, digest.words.3 &- 1)))
          == nil)
    }
  }

  /// A fetch, a list and a difference read no bytes of values.
  @Test func nothingIsLoadedByAFetch() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      try store.write { tx in
        for number in 0..<20 {
          try tx.insert("Photo", ["name": .string("\(number)"), "image": PhotoStore.image(UInt64(number), 100_000)])
        }
      }
      let objects = try store.fetch(Request(entity: "Photo")).rows
      #expect(objects.count == 20)
      store.close()
      // The objects are still there; their values need the store.
      let error = #expect(throws: StoreError.self) { try objects[0]["image"].data() }
      #expect(error?.code == .closed)
    }
  }
}
