import Daybook
import DaybookTestSupport
import Foundation

/// The work on a store on a watched disk.
///
/// It consists of commits, rebuilds, snapshots, backups, closing and opening.
final class DiskWork {
  /// Notes with tags, a view and a constraint over them; bodies that take pages of their own, some of them large values.
  static let model = Model(entities: [
    Entity(
      name: "Note", nameAttribute: "title",
      attributes: [
        Attribute(name: "title", type: .string), Attribute(name: "size", type: .integer),
        Attribute(name: "body", type: .data, isOptional: true),
      ],
      relationships: [Relationship(name: "tag", target: "Tag", inverse: "notes", isOptional: true)],
      unique: [["title"]], indexes: [Index([SortTerm(path: ["tag", "name"]), SortTerm(path: ["size"], .descending)])]),
    Entity(
      name: "Tag", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string),
        Attribute(name: "count", type: nil, derivation: .count(relationship: "notes")),
      ],
      relationships: [Relationship(name: "notes", target: "Note", inverse: "tag", isMany: true)]),
  ])

  private let root: String
  private let seed: UInt64
  private let options: StoreOptions
  private var random: SeededRandom
  private var store: Store
  /// The servers of a replicated journal.
  private let server: MemoryServer?
  private var number: UInt64 = 0
  private var backups = 0

  /// - Parameter isReplicated: Whether the commits go through servers, which lose them when the process ends.
  init(root: String, seed: UInt64, durability: StoreOptions.Durability, isReplicated: Bool = false) throws {
    self.root = root
    self.seed = seed
    var options = StoreOptions()
    options.durability = durability
    options.bootIdentifier = "first"
    options.snapshotIntervalInEvents = 0
    self.options = options
    random = SeededRandom(seed: seed)
    server = isReplicated ? try MemoryServer(messageSizeInBytes: 100_000) : nil
    store =
      if let server {
        try Replication.create(at: root + "/store", model: Self.model, options: options.replicated(on: server.address))
      } else {
        try Store(at: root + "/store", model: Self.model, options: options)
      }
  }

  /// Returns the id of a commit, by which it is found again.
  static func commitID(_ number: UInt64) -> ObjectID { ObjectID(high: 7, low: number) }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      switch random.number(0..<100) {
      case ..<70: try commit()
      case ..<80: try batch()
      default: try other()
      }
    }
    store.close()
  }

  /// Opens the store again after every few commits, and then rebuilds it.
  func runReopening() throws {
    for _ in 0..<2 {
      for _ in 0..<4 { try commit() }
      try reopen()
      // The projections change on many pages, the journal only in its marker.
      try store.rebuild()
    }
    store.close()
  }

  /// Continues after errors, as long as the outcome of each commit is known.
  func runOnFailingDisk(steps: Int) throws {
    for step in 0..<steps {
      do {
        if step % 4 == 3 { try other() } else { try commit() }
      } catch let error as StoreError where error.code == .unknownOutcome || error.code == .closed {
        if step % 4 != 3 { say(error.code == .closed ? "not \(number) \(error.code)" : "unknown \(number)") }
        return
      } catch let error as StoreError {
        if step % 4 != 3 { say("not \(number) \(error.code)") }
      }
      number += 1
    }
    store.close()
  }

  private func commit() throws {
    let info = CommitInfo(author: "writer", commitID: Self.commitID(number))
    let position = try store.commit(info) { try change($0) }.position
    say("done \(number) \(position)")
    number += 1
  }

  private func batch() throws {
    let first = number
    let positions = try store.batch { batch in
      try (0..<4).map { _ in
        defer { number += 1 }
        return try batch.commit(CommitInfo(commitID: Self.commitID(number))) { try change($0) }.position
      }
    }
    for (index, position) in positions.enumerated() { say("done \(first + UInt64(index)) \(position)") }
  }

  private func other() throws {
    switch random.number(0...4) {
    case 0: try store.rebuild()
    case 1: try store.rebuild([.indexes, .links])
    case 2: try store.makeSnapshot()
    case 3:
      backups += 1
      try store.backUp(to: "\(root)/backup-\(backups)")
    default: try reopen()
    }
  }

  private func reopen() throws {
    store.close()
    store = try Store(at: root + "/store", options: options)
  }

  private func change(_ tx: borrowing Transaction) throws {
    try DiskWork.change(
      tx, title: "\(number)", size: random.pick([10, 10, 300, 3_000, 9_000, 30_000, 70_000, 1_200_000]))
  }

  /// Inserts a note, sometimes with a new tag, and deletes an old one.
  static func change(_ tx: borrowing Transaction, title: String, size: Int) throws {
    let note = try tx.insert(
      "Note",
      [
        "title": .string(title), "size": .integer(Int64(size)),
        "body": .data([UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)),
      ])
    let notes = try tx.fetch(Request(entity: "Note", sort: [SortTerm(path: ["size"])])).rows
    if notes.count > 20, let old = notes.last(where: { $0.id != note }) { try tx.delete(old.id) }
    let tags = try tx.fetch(Request(entity: "Tag", sort: [SortTerm(path: ["name"])])).rows
    let tag = try tags.count < 3 ? tx.insert("Tag", ["name": .string("tag \(title)")]) : tags[size % 3].id
    try tx.relate(note, "tag", to: tag)
  }
}

extension SeededRandom {
  fileprivate mutating func number(_ range: Range<Int>) -> Int { number(range.lowerBound...(range.upperBound - 1)) }
}
