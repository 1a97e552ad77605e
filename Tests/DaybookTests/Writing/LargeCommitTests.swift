import DaybookModel
import DaybookTestSupport
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Commits up to the limits, and beyond.
@Suite(.hangLimit, .serialized) struct LargeCommitTests {
  private static let model = Model(entities: [
    Entity(
      name: "Point",
      attributes: [
        Attribute(name: "x", type: .integer, isOptional: true),
        Attribute(name: "body", type: .string, isOptional: true),
      ])
  ])

  /// Returns a string, which events hold whole, of one character.
  private static func text(_ character: UInt8, _ count: Int) -> Value {
    .string(String(decoding: [UInt8](repeating: character, count: count), as: UTF8.self))
  }

  private func chunkCount(of position: Position, in store: Store) throws -> Int {
    try store.read { reader in
      let snapshot = reader.journal.snapshot
      var cursor = try snapshot.makeCursor(in: store.files.journalTables.journal)
      var count = 0
      var isValid = try cursor.seek(atOrAfter: JournalKey(position: position, chunk: 0).bytes.rawSpan)
      while isValid, try JournalKey(cursor.key).position == position {
        count += 1
        isValid = try cursor.moveToNext()
      }
      return count
    }
  }

  @Test func hundredsOfThousandsOfEventsAreOneCommit() throws {
    let count = 300_000
    try withTemporaryStore(Self.model) { store in
      let last = try store.write { tx in
        for number in 1..<count { try tx.insert("Point", ["x": .integer(Int64(number))]) }
        return try tx.insert("Point", ["x": 0])
      }
      #expect(try store.position == 2)
      #expect(try store.get(last)?["x"] == 0)
      let (events, size) = try store.read { reader in
        let header = try reader.journal.withCommit(at: 2) { $0.header }
        return (header.eventCount, header.bodySize)
      }
      #expect(events == count)
      #expect(size > 4 << 20)
      #expect(try chunkCount(of: 2, in: store) > size / CommitLimits.chunkSizeInBytes)
      let request = Request(entity: "Point", filter: try Filter(parsing: "x >= \(count - 10)"))
      #expect(try store.read { try $0.count(request) } == 10)
    }
  }

  /// Around the size of a chunk, one byte decides whether another chunk is needed.
  @Test func aCommitMayEndWithAChunkOrJustBesideIt() throws {
    try withTemporaryStore(Self.model) { store in
      var bodies: [ObjectID: Value] = [:]
      var counts = Set<Int>()
      for size in (CommitLimits.chunkSizeInBytes - 190)...(CommitLimits.chunkSizeInBytes - 90) {
        let body = Self.text(UInt8(65 + size % 26), size)
        bodies[try store.write { try $0.insert("Point", ["body": body]) }] = body
        counts.insert(try chunkCount(of: store.position, in: store))
      }
      #expect(counts == [1, 2])
      for (id, body) in bodies { #expect(try store.get(id)?["body"] == body) }
    }
  }

  /// A header that ends before, at or after the end of a chunk, and one of the longest message.
  @Test func aHeaderMayBeLongerThanAChunk() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    var store = try Store(at: path, model: Self.model)
    let sizes = (80...96).map { CommitLimits.chunkSizeInBytes - $0 } + [3_000_000, 16 << 20]
    for (number, size) in sizes.enumerated() {
      try store.write(message: String(repeating: "m", count: size)) { _ = try $0.insert("Point", ["x": 1]) }
      let head = try store.position
      let header = try store.read { try $0.journal.header(at: head).header }
      #expect(header.message?.utf8.count == size && header.position == head)
      // The next commit has the hash of this one, and opening the store reads its head.
      guard number % 10 == 0 || size > CommitLimits.chunkSizeInBytes else { continue }
      store.close()
      store = try Store(at: path)
      #expect(try store.position == head)
    }
    let count = UInt64(sizes.count)
    #expect(try store.undo(.last(1)).count == 1)
    #expect(try store.position.number == count + 2)
    #expect(try store.verify().isSound)
    try closeAndVerify(store)
  }

  @Test func aMillionEventsAreTheMost() throws {
    try withTemporaryStore(Self.model) { store in
      let point = try store.write { try $0.insert("Point", ["x": 0]) }
      let rows = try store.projectionRows()
      let error = #expect(throws: StoreError.self) {
        try store.write { tx in
          for number in 1...1_000_001 { try tx.set(point, ["x": .integer(Int64(number))]) }
        }
      }
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("1000000") == true)
      #expect(error?.advice == "Write it in several commits.")
      #expect(try store.position == 2)
      #expect(try store.projectionRows().firstDifference(from: rows) == nil)
      try store.write { try $0.set(point, ["x": 5]) }
      #expect(try store.position == 3)
    }
  }

  @Test func moreThan256MiBAreRefused() throws {
    try withTemporaryStore(Self.model) { store in
      let point = try store.write { try $0.insert("Point", ["x": 0]) }
      let body = Self.text(65, 30 << 20)
      var insertions = 0
      let error = #expect(throws: StoreError.self) {
        try store.write { tx in
          for _ in 0..<30 {
            try tx.insert("Point", ["body": body])
            insertions += 1
          }
        }
      }
      #expect(insertions == 8, "The commit was made on after it was too large.")
      #expect(error?.code == .tooLarge)
      #expect(error?.message.contains("\(CommitLimits.maximumSizeInBytes)") == true)
      #expect(try store.position == 2)
      #expect(try store.read { try $0.count(Request(entity: "Point")) } == 1)
      try store.write { try $0.set(point, ["x": 5]) }
      #expect(try store.position == 3)
    }
  }

  /// Returns the memory of the commit and of its layer.
  private func sizeInBytes(_ tx: borrowing Transaction) -> Int {
    tx.builder.fold.sizeInBytes + tx.builder.layer.sizeInBytes
  }

  @Test(arguments: [false, true]) func manyChangesOfALargeObjectTakeTheMemoryOfAFew(isRead: Bool) throws {
    try withTemporaryStore(Self.model) { store in
      let size = 100_000
      let point = try store.write { try $0.insert("Point", ["body": Self.text(65, size)]) }
      try store.write { tx in
        for number in 1...300 {
          try tx.set(point, ["x": .integer(Int64(number) << Int64(number % 50))])
          if isRead { #expect(try tx.get(point)?["x"] == .integer(Int64(number) << Int64(number % 50))) }
        }
        #expect(sizeInBytes(tx) < 10 * size)
      }
      #expect(try store.get(point)?["x"] == .integer(300 << 0))
      #expect(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
    }
  }

  /// A value that grows with each change does not keep the memory of all its former forms.
  @Test(arguments: [false, true]) func aValueThatGrowsTakesTheMemoryOfAFew(isRead: Bool) throws {
    try withTemporaryStore(Self.model) { store in
      let size = 100_000
      let point = try store.write { try $0.insert("Point", ["body": Self.text(65, size)]) }
      try store.write { tx in
        for number in 1...300 {
          // Links and small values move an object's bytes; its record can grow without a change of the large value.
          try tx.set(point, ["x": .integer(number < 150 ? Int64(1) << Int64(number / 3) : Int64(number))])
          if number % 100 == 0 {
            try tx.set(point, ["body": Self.text(UInt8(65 + number / 100), size + number)])
          }
          if isRead { #expect(try tx.get(point) != nil) }
        }
        #expect(sizeInBytes(tx) < 10 * size)
      }
      #expect(try store.projectionRows().firstDifference(from: store.rebuiltRows()) == nil)
    }
  }

  @Test func aCommitThatIsTooLargeLeavesTheOthersOfItsBatch() throws {
    try withTemporaryStore(Self.model) { store in
      try store.batch { batch in
        try batch.commit { try $0.insert("Point", ["x": 1]) }
        do {
          try batch.commit { tx in
            for _ in 0..<9 { try tx.insert("Point", ["body": Self.text(65, 30 << 20)]) }
          }
          Issue.record("The commit should be refused.")
        } catch let error as StoreError {
          #expect(error.code == .tooLarge)
        }
        try batch.commit { try $0.insert("Point", ["x": 2]) }
      }
      #expect(try store.position == 3)
    }
  }
}
