import DaybookModel
import Testing

@testable import Daybook

/// A file system that nobody may write to.
@Suite(.enabled(if: SmallDisk.isPermitted, .init(rawValue: SmallDisk.reason)))
struct ReadOnlyDiskTests {
  private static let model = Model(entities: [
    Entity(name: "Note", attributes: [Attribute(name: "title", type: .string)])
  ])

  @Test func aStoreCannotBeOpenedOrMadeAndTheErrorSaysWhy() throws {
    let disk = try SmallDisk(sizeInBytes: 4 << 20)
    do {
      let store = try Store(at: disk.path("store"), model: Self.model)
      try store.write { try $0.insert("Note", ["title": "a"]) }
      store.close()
    }
    try disk.makeReadOnly()
    for attempt in [{ try Store(at: disk.path("store")) }, { try Store(at: disk.path("other"), model: Self.model) }] {
      let error = #expect(throws: StoreError.self) { try attempt() }
      #expect(error?.code == .inputOutput)
      #expect(error?.message.contains(disk.path) == true && error?.message.contains("read-only") == true)
      #expect("\(String(describing: error))".contains("Mount it writable"))
    }
    #expect(try disk.contents == ["store"])
  }
}
