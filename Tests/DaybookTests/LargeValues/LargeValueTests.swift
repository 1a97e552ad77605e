import DaybookModel
import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Large values are stored once, by their digest, with the first commit that refers to them.
@Suite(.hangLimit) struct LargeValueTests {
  /// The measured claim: an image of 1 MiB that is set ten times took 19 MiB of journal when events held it whole.
  @Test func anImageThatIsSetTenTimesIsStoredOnce() throws {
    let size = 1 << 20
    let image = PhotoStore.image(1, size)
    try withTemporaryStore(PhotoStore.model) { store in
      let photo = try store.write { try $0.insert("Photo", ["name": "a"]) }
      for _ in 0..<10 {
        try store.write { try $0.set(photo, ["image": image]) }
        try store.write { try $0.set(photo, ["image": nil]) }
      }
      #expect(try store.largeValueBytes() == size)
      #expect(try store.journalRowBytes() < 16 << 10)
      let copy = try store.backUp(to: store.path + ".backup")
      #expect(copy.journalSizeInBytes < size + 256 << 10)
      try FileManager.default.removeItem(atPath: store.path + ".backup")
    }
  }

  @Test(arguments: [65_535, 65_536, 65_537, 1 << 20, (1 << 20) + 1, 3_000_000])
  func aValueIsLargeByItsSizeAlone(size: Int) throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let image = PhotoStore.image(1, size)
      let photo = try store.write { try $0.insert("Photo", ["name": "a", "image": image]) }
      let value = try #require(try store.get(photo)?["image"])
      #expect(value.isLarge == (size > LargeValue.thresholdInBytes))
      if case .large(let large) = value { #expect(large.size == size) } else { #expect(!value.isLarge) }
      #expect(value == image)
      #expect(try value.data() == PhotoStore.bytes(1, size))
      #expect(try store.largeValueBytes() == (size > LargeValue.thresholdInBytes ? size : nil))
      let format = try store.storedFormat
      #expect(format == (size > LargeValue.thresholdInBytes ? .largeValues : StoreFormat(version: 2, readableBy: 1)))
      #expect(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
    }
  }

  @Test func aValueOverTheLimitIsRefused() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let largest = try store.write {
        try $0.insert("Photo", ["name": "a", "image": PhotoStore.image(1, LargeValue.maximumSizeInBytes)])
      }
      if case .large(let value) = try store.get(largest)?["image"] {
        #expect(value.size == LargeValue.maximumSizeInBytes)
      } else {
        Issue.record("The largest value is not stored by reference.")
      }
      let error = #expect(throws: StoreError.self) {
        try store.write {
          try $0.insert("Photo", ["name": "b", "image": PhotoStore.image(1, LargeValue.maximumSizeInBytes + 1)])
        }
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("Photo.image") == true)
      #expect(try store.position == 2)
    }
  }

  @Test func settingTheSameBytesAgainIsNoChange() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let photo = try store.write {
        try $0.insert("Photo", ["name": "a", "image": PhotoStore.image(1), "settings": PhotoStore.settings(1)])
      }
      try store.write { try $0.set(photo, ["image": PhotoStore.image(1), "settings": PhotoStore.settings(1)]) }
      #expect(try store.position == 2)
      let reference = try #require(try store.get(photo)?["image"])
      try store.write { try $0.set(photo, ["image": reference]) }
      #expect(try store.position == 2)
    }
  }

  /// Nothing of a write that fails remains, and neither does a value that a later verb of the commit replaced by none.
  @Test func onlyValuesThatCommitsReferToAreStored() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      struct GivenUp: Error {}
      #expect(throws: GivenUp.self) {
        try store.write { tx in
          try tx.insert("Photo", ["name": "a", "image": PhotoStore.image(1)])
          throw GivenUp()
        }
      }
      #expect(try store.largeValueBytes() == nil)
      try store.batch { batch in
        try batch.commit { try $0.insert("Photo", ["name": "a", "image": PhotoStore.image(2, 70_000)]) }
        #expect(throws: GivenUp.self) {
          try batch.commit { tx in
            try tx.insert("Photo", ["name": "b", "image": PhotoStore.image(3, 80_000)])
            throw GivenUp()
          }
        }
        // A value of the batch that is not durable yet is known to the next commit.
        try batch.commit { try $0.insert("Photo", ["name": "c", "image": PhotoStore.image(2, 70_000)]) }
      }
      #expect(try store.largeValueBytes() == 70_000)
      #expect(try store.position == 3)
    }
  }

  @Test func aValueIsReadInTheWriteThatMadeIt() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let (photo, object, inside) = try store.write { tx in
        let photo = try tx.insert("Photo", ["name": "a", "image": PhotoStore.image(1)])
        let object = try tx.get(photo)
        return (photo, object, try object?["image"].data())
      }
      #expect(inside == PhotoStore.bytes(1))
      // Afterwards the object reads from the store.
      #expect(try object?["image"].data() == PhotoStore.bytes(1))
      // The first read of the table by this process may happen within a write.
      let image = try store.write { tx in try tx.get(photo)?["image"].data() }
      #expect(image == PhotoStore.bytes(1))
    }
  }

  @Test func aReferenceNeedsItsBytes() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let unknown = Value.large(try #require(LargeValue(sha256: .zero, size: 100_000)))
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.insert("Photo", ["name": "a", "image": unknown]) }
      }
      #expect(error?.code == .notFound)
      let photo = try store.write { try $0.insert("Photo", ["name": "a", "image": PhotoStore.image(1)]) }
      // A reference from another store brings its bytes.
      try withTemporaryStore(PhotoStore.model) { other in
        let image = try #require(try store.get(photo)?["image"])
        let copy = try other.write { try $0.insert("Photo", ["name": "copy", "image": image]) }
        #expect(try other.get(copy)?["image"].data() == PhotoStore.bytes(1))
      }
      // A digest with another size is another value.
      guard case .large(let image) = try store.get(photo)?["image"] else { throw Mismatch("no reference") }
      let wrong = Value.large(try #require(LargeValue(sha256: image.sha256, size: image.size - 1)))
      #expect(throws: StoreError.self) { try store.write { try $0.set(photo, ["image": wrong]) } }
      // The bytes of an image are not the JSON of a codable value.
      let notJSON = #expect(throws: StoreError.self) {
        try store.write { try $0.set(photo, ["settings": .large(image)]) }
      }
      #expect(notJSON?.code == .badValue)
      #expect(try store.position == 2)
    }
  }

  @Test func aUniqueAttributeRefusesALargeValue() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      try store.write { try $0.insert("Photo", ["name": "a", "key": PhotoStore.image(1, 65_536)]) }
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.insert("Photo", ["name": "b", "key": PhotoStore.image(2, 65_537)]) }
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("Photo.key is unique") == true)
    }
  }

  @Test func largeValuesAreComparedByTheirBytes() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let photo = try store.write { tx in
        try tx.insert("Photo", ["name": "b", "image": PhotoStore.image(2)])
        return try tx.insert("Photo", ["name": "a", "image": PhotoStore.image(1)])
      }
      func found(_ value: Value) throws -> [Value] {
        let filter = Filter(.path("image"), .equal, .value(value))
        return try store.fetch(Request(entity: "Photo", filter: filter)).rows.map { $0["name"] }
      }
      #expect(try found(PhotoStore.image(1)) == ["a"])
      #expect(try found(try #require(try store.get(photo)?["image"])) == ["a"])
      #expect(try found(.string(try #require(try store.get(photo)?["image"].text))) == ["a"])
      #expect(try found(PhotoStore.image(3)) == [])
      // No request sorts by data, of whatever size.
      #expect(throws: StoreError.self) {
        try store.fetch(Request(entity: "Photo", sort: [SortTerm(path: ["image"])]))
      }
    }
  }

  @Test func recordedEventsHaveLargeValues() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let page = PhotoStore.bytes(5)
      try store.write { tx in
        let photo = try tx.insert("Photo", ["name": "a"])
        try tx.record("PhotoPrinted", about: photo, ["page": .data(page)])
      }
      #expect(try store.largeValueBytes() == 200_000)
      var log = try store.log(from: 2)
      let event = try #require(try log.next()?.events.last)
      guard case .recorded(_, let fields) = event.content else { throw Mismatch("\(event)") }
      #expect(try fields.first?.value.data() == page)
    }
  }

  @Test func aCommitHasALimitOfNewBytes() throws {
    let stage = LargeValueStage(over: nil)
    let value = try #require(LargeValue(sha256: .zero, size: LargeValue.maximumSizeInBytes, source: Zeros()))
    for number in 0..<8 {
      let other = try #require(
        LargeValue(sha256: Digest(words: (UInt64(number), 0, 0, 0)), size: value.size, source: Zeros()))
      _ = try stage.stored(.large(other), as: .data)
    }
    let next = try #require(LargeValue(sha256: Digest(words: (9, 0, 0, 0)), size: 65_537, source: Zeros()))
    let error = #expect(throws: StoreError.self) { try stage.stored(.large(next), as: .data) }
    #expect(error?.code == .tooLarge)
    stage.dropCommit()
    _ = try stage.stored(.large(next), as: .data)
  }
}

/// Zeros that claim to be any value.
private struct Zeros: LargeValueSource {
  func contains(_ value: LargeValue) throws -> Bool { true }
  func chunk(_ number: Int, of value: LargeValue) throws -> [UInt8] {
    Array(repeating: 0, count: value.sizeOfChunk(number))
  }
}
