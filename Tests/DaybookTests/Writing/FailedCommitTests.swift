import DaybookModel
import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookEngine
@testable import DaybookRuntime

/// Writes whose closures catch errors, and sums that exceed their type.
@Suite(.hangLimit) struct FailedCommitTests {
  private static func model(hasSum: Bool = true) -> Model {
    var item = Entity(
      name: "Item", attributes: [Attribute(name: "name", type: .string, isOptional: true)],
      relationships: [Relationship(name: "parts", target: "Part", inverse: "item", isMany: true, deleteRule: .cascade)])
    if hasSum {
      item.attributes.append(
        Attribute(name: "total", type: nil, derivation: .sum(relationship: "parts", attribute: "size")))
    }
    // The item comes last, so that all parts in the events have the same tag with and without the sum.
    return Model(entities: [
      Entity(
        name: "Part", attributes: [Attribute(name: "size", type: .integer)],
        relationships: [Relationship(name: "item", target: "Item", inverse: "parts", isOptional: true)]),
      item,
    ])
  }

  private struct Interruption: Error {}

  private func code(_ body: () throws -> Void) throws -> StoreError.Code? {
    do {
      try body()
      return nil
    } catch let error as StoreError {
      return error.code
    }
  }

  private func isInterrupted(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      return error is Interruption
    }
  }

  /// Inserts an item with two parts whose sizes together exceed 64 bits.
  private static func overflow(_ tx: borrowing Transaction) throws -> (item: ObjectID, part: ObjectID) {
    let item = try tx.insert("Item")
    var last = item
    for _ in 0..<2 {
      last = try tx.insert("Part", ["size": .integer(.max)])
      try tx.relate(last, "item", to: item)
    }
    return (item, last)
  }

  @Test func `a sum that overflows refuses the commit, though the closure reads the object`() throws {
    try withTemporaryStore(Self.model()) { store in
      let refusal = try code {
        try store.write { tx in
          let item = try Self.overflow(tx).item
          // The sum is null while it exceeds its type.
          #expect(try tx.get(item)?["total"] == .null)
        }
      }
      #expect(refusal == .constraint)
      #expect(try store.position == 1)
      // No state of the failed commit disturbs the next one.
      let item = try store.write { tx in
        let item = try tx.insert("Item")
        try tx.relate(tx.insert("Part", ["size": 4]), "item", to: item)
        return item
      }
      #expect(try store.get(item)?["total"] == 4)
    }
  }

  @Test func `a sum may overflow inside a commit at whose end it fits`() throws {
    try withTemporaryStore(Self.model()) { store in
      let item = try store.write { tx in
        let (item, part) = try Self.overflow(tx)
        #expect(try tx.get(item)?["total"] == .null)
        try tx.set(part, ["size": -1])
        #expect(try tx.get(item)?["total"] == .integer(.max - 1))
        return item
      }
      #expect(try store.get(item)?["total"] == .integer(.max - 1))
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `a sum is refused exactly where it does not fit`(added: Int64) throws {
    try withTemporaryStore(Self.model()) { store in
      for start in [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max] {
        let refusal = try code {
          try store.write { tx in
            let item = try tx.insert("Item")
            for size in [start, added] {
              try tx.relate(tx.insert("Part", ["size": .integer(size)]), "item", to: item)
              // Read in between, so that the sum is updated and not only computed at the end.
              _ = try tx.get(item)
            }
          }
        }
        #expect((refusal == .constraint) == start.addingReportingOverflow(added).overflow, "\(start) and \(added)")
      }
    }
  }

  @Test func `a new sum that overflows refuses the model`() throws {
    try withTemporaryStore(Self.model(hasSum: false)) { store in
      _ = try store.write { try Self.overflow($0) }
      #expect(try code { try store.apply(Self.model()) } == .constraint)
      #expect(try store.position == 2)
    }
  }

  @Test func `a journal whose state breaks a rule can be opened, read, written to and backed up`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try Store(at: path, model: Self.model(hasSum: false))
    let (item, part) = try store.write { try Self.overflow($0) }
    store.close()
    // As if the sum had always been in the model without a check.
    let other = try Store(at: directory.path("other"), model: Self.model())
    let body = try other.read { reader in try reader.journal.withCommit(at: 1) { [UInt8]($0.body) } }
    other.close()
    try RawStore.rewrite(path) { $0[0] = PendingCommit(header: $0[0].header, body: body) }
    let verification = try Store.verify(at: path)
    #expect(verification.faults.contains { $0.message.contains("The sum Item.total") }, "\(verification.faults)")
    #expect(verification.isJournalWhole && verification.isJournalFoldable)
    let copy = try Store.backUp(at: path, to: directory.path("backup"))
    #expect(copy.faults.count == 1)
    try Store.restore(directory.path("backup"), to: directory.path("restored"))
    for path in [path, directory.path("restored")] {
      let store = try Store(at: path)
      #expect(try store.get(item)?["total"] == .null)
      #expect(try store.at(2).get(item)?["total"] == .null)
      try store.rebuild()
      try store.write { try $0.set(part, ["size": 0]) }
      #expect(try store.get(item)?["total"] == .integer(.max))
      #expect(try store.at(2).get(item)?["total"] == .null)
      try closeAndVerify(store)
    }
  }

  @Test func `a verb that is interrupted half way fails the commit, though the closure catches the error`() throws {
    try withTemporaryStore(Self.model()) { store in
      #expect(throws: Interruption.self) {
        try store.write { tx in
          let item = try tx.insert("Item")
          do {
            try tx.builder.perform {
              try tx.builder.set(item, [(key: "name", value: .string("half"))])
              throw Interruption()
            }
          } catch {}
          // Each later operation throws the same error.
          #expect(isInterrupted { _ = try tx.insert("Item") })
          #expect(isInterrupted { _ = try tx.get(item) })
        }
      }
      #expect(try store.position == 1)
      try store.write { _ = try $0.insert("Item") }
      #expect(try store.position == 2)
    }
  }

  @Test func `a verb that refuses has changed nothing, and the closure may continue`() throws {
    try withTemporaryStore(Self.model()) { store in
      let item = try store.write { tx in
        let item = try tx.insert("Item")
        #expect(try code { try tx.delete(ObjectID(UUID())) } == .notFound)
        #expect(try code { try tx.set(item, ["name": 7]) } == .badValue)
        #expect(try code { try tx.relate(item, "parts", to: item) } == .badValue)
        return item
      }
      #expect(try store.get(item) != nil)
    }
  }

  @Test func `an editing context keeps no step in which a verb was interrupted`() throws {
    try withTemporaryStore(Self.model()) { store in
      let context = try store.makeContext()
      #expect(throws: Interruption.self) {
        try context.edit { tx in
          do {
            try tx.builder.perform {
              _ = try tx.insert("Item")
              throw Interruption()
            }
          } catch {}
        }
      }
      #expect(!context.hasChanges)
    }
  }
}
