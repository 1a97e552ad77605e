import DaybookModel
import DaybookTestSupport
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Large values that an earlier version stored whole stay as they are, and equal references to the same bytes.
@Suite(.hangLimit) struct WholeValueTests {
  private let image = PhotoStore.bytes(1, 200_000)

  @Test func theyStayReadableAndEqual() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let photo = try store.insertWhole("old", image: image)
      #expect(try store.storedFormat == StoreFormat(version: 2, readableBy: 1))
      #expect(try store.largeValueBytes() == nil)
      #expect(try store.get(photo)?["image"] == .data(image))
      let rows = try store.projectionRows()
      #expect(try store.rebuiltRows().firstDifference(from: rows) == nil)
      // Setting the same bytes again is no change, whichever form they have.
      try store.write { try $0.set(photo, ["image": .data(image)]) }
      try store.write { try $0.set(photo, ["image": Value(bytes: image)]) }
      #expect(try store.position == 2)
      #expect(try store.projectionRows().firstDifference(from: rows) == nil)
      #expect(try store.storedFormat == StoreFormat(version: 2, readableBy: 1))
    }
  }

  @Test func aChangeKeepsTheOldBytesInItsEvent() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let photo = try store.insertWhole("old", image: image)
      let rows = try store.projectionRows()
      try store.write { try $0.set(photo, ["image": PhotoStore.image(2)]) }
      #expect(try store.largeValueBytes() == 200_000)
      #expect(try store.storedFormat == .largeValues)
      #expect(try store.at(2).get(photo)?["image"] == .data(image))
      // Undoing writes the old value by reference.
      let undone = try store.undo(.commit(3))[0].position
      #expect(undone == 4)
      #expect(try store.get(photo)?["image"] == .data(image))
      #expect(try store.get(photo)?["image"].data() == image)
      #expect(try store.largeValueBytes() == 400_000)
      #expect(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
      #expect(try store.projectionRows().firstDifference(from: rows) != nil)
      try store.write { try $0.delete(photo) }
      #expect(try store.at(2).get(photo)?["image"] == .data(image))
      #expect(try store.at(4).get(photo)?["image"].data() == image)
    }
  }

  @Test func bothFormsAreFoundByTheSameFilter() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      try store.insertWhole("old", image: image)
      try store.write { try $0.insert("Photo", ["name": "new", "image": .data(image)]) }
      let filter = Filter(.path("image"), .equal, .value(.data(image)))
      let found = try store.fetch(Request(entity: "Photo", filter: filter, sort: [SortTerm(path: ["name"])]))
      #expect(found.rows.map { $0["name"] } == ["new", "old"])
      // A list of values is looked up by hash.
      let list = [.data(image)] + (0..<20).map { PhotoStore.image(UInt64($0 + 10), 70_000) }
      #expect(Set(list).contains(try Value(bytes: image)))
      let references = try (0..<20).map { try Value(bytes: PhotoStore.bytes(UInt64($0 + 10), 70_000)) }
      #expect(Set(references + [try Value(bytes: image)]).contains(Value.data(image)))
    }
  }

  /// Returns the model of the photos with unique images.
  private func uniqueImages() -> Model {
    var model = PhotoStore.model
    model.entities[0].unique.append(["image"])
    return model
  }

  @Test func uniquenessComparesBothFormsByTheirBytes() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      let old = try store.insertWhole("old", image: image)
      let new = try store.write { try $0.insert("Photo", ["name": "new", "image": .data(image)]) }
      let error = #expect(throws: StoreError.self) { try store.apply(uniqueImages()) }
      #expect(error?.code == .constraint)
      try store.write { try $0.set(new, ["image": PhotoStore.image(2)]) }
      try store.apply(uniqueImages())
      #expect(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
      // The constraint is looked up for either form, and for each object.
      for form in [.data(image), try Value(bytes: image)] {
        let filter = Filter(.path("image"), .equal, .value(form))
        #expect(try store.fetch(Request(entity: "Photo", filter: filter)).rows.map(\.id) == [old])
      }
      let filter = Filter(.path("image"), .equal, .value(PhotoStore.image(2)))
      #expect(try store.fetch(Request(entity: "Photo", filter: filter)).rows.map(\.id) == [new])
      // Each form leaves the constraint with its object.
      try store.write { tx in
        try tx.rename(old, to: "older")
        try tx.delete(old)
        try tx.delete(new)
      }
      #expect(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
    }
  }

  @Test func twoWholeValuesWithTheSameBytesAreNotUnique() throws {
    try withTemporaryStore(PhotoStore.model) { store in
      try store.insertWhole("a", image: image)
      try store.insertWhole("b", image: image)
      #expect(throws: StoreError.self) { try store.apply(uniqueImages()) }
    }
  }

  private func builtInState(_ transaction: borrowing WriteTransaction, _ table: Table) throws -> [UInt8] {
    let key = BuiltInTablesState.key
    let found = try transaction.snapshot.unsafeValue(for: key.rawSpan, in: table)
    return [UInt8](try #require(found).unsafeSpan)
  }

  /// Rows of constraints had all bytes of a whole value in their digest before version 4 of the projections, and derived
  /// sums of doubles were not exact before version 5.
  @Test(arguments: [3, 4] as [UInt8]) func projectionsOfAnEarlierVersionAreBuiltAgain(version: UInt8) throws {
    try withTemporaryStore(uniqueImages()) { store in
      let photo = try store.insertWhole("old", image: image)
      let rows = try store.projectionRows()
      store.close()
      try RawStore.change(store.path, "projections") { transaction in
        let table = try #require(try transaction.openTable(BuiltInTablesState.tableName, create: false))
        var state = try builtInState(transaction, table)
        #expect(state[0] == UInt8(BuiltInTablesState.version))
        state[0] = version
        try transaction.put(BuiltInTablesState.key, state, in: table)
      }
      let again = try Store(at: store.path)
      #expect(try again.get(photo)?["image"] == .data(image))
      #expect(try again.projectionRows().firstDifference(from: rows) == nil)
      again.close()
    }
  }
}
