#if Server

import Daybook
import DaybookTestSupport

/// Random commits of dishes, for tests of streams.
enum FeedTestModel {
  static let model = Model(entities: [
    Entity(
      name: "Dish", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "kind", type: .string),
        Attribute(name: "rank", type: .integer),
      ])
  ])

  /// Makes one random commit, which may have no effect on a result.
  static func write(_ store: Store, _ ids: inout [ObjectID], _ random: inout SeededRandom) throws {
    var (known, draw) = (ids, random)
    try store.write { tx in
      for _ in 0..<draw.number(1...3) {
        if known.isEmpty || draw.isTrue(percent: known.count < 30 ? 40 : 10) {
          known.append(try tx.insert("Dish", values(&draw)))
        } else if draw.isTrue(percent: 25) {
          try tx.delete(known.remove(at: draw.number(0..<known.count)))
        } else {
          try tx.set(draw.pick(known), values(&draw))
        }
      }
    }
    (ids, random) = (known, draw)
  }

  /// Makes random commits, at most 4,000, until it is stopped.
  static func startWriting(to store: Store, seed: UInt64) -> FeedTestWriter {
    FeedTestWriter(
      task: Task {
        var (ids, random) = ([ObjectID](), SeededRandom(seed: seed))
        while !Task.isCancelled, try store.position.number < 4_000 {
          try write(store, &ids, &random)
          try? await Task.sleep(for: .milliseconds(random.isOneIn(3) ? random.number(0...3) : 0))
        }
      })
  }

  /// Inserts dishes under the name that the rank has after a renaming, for streams that end with a difference.
  static func startRenaming(_ store: Store) -> Task<Void, any Error> {
    Task {
      for number in 0..<20 {
        try await store.write { _ = try $0.insert("Dish", ["name": .string("Z \(number)"), "kind": "a", "place": 5]) }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  private static func values(_ random: inout SeededRandom) -> [String: Value] {
    [
      "name": .string("dish \(random.number(0...50))"), "kind": .string(random.pick(["", "a", "b", "c", "d"])),
      "rank": .integer(Int64(random.number(0...9))),
    ]
  }

  /// Requests as clients send them, with all kinds of windows, sections and orders.
  static let queries = [
    "", "sort=name", "section=kind&sort=rank:desc", "section=kind:desc&sort=rank&limit=5&offset=2",
    "where=rank%20%3E%203&sort=rank&sort=name:desc", "where=rank%20%3C%207&section=name.initial&sort=name&limit=7",
    "sort=rank&limit=3&offset=4&counts=true", "section=kind&counts=true&sort=name",
    "section=kind:nils-last&sectionOrder=c,b&sort=rank:desc", "section=name.initial:other-last&show=name,kind,rank",
    "show=rank&show=name,kind&sort=kind:desc:nils-first&sort=rank&limit=8",
  ]
}

/// Commits that are made while a stream is read.
struct FeedTestWriter {
  fileprivate let task: Task<Void, any Error>

  /// - Throws: The error of a commit.
  func stop() async throws {
    task.cancel()
    try await task.value
  }
}

#endif
