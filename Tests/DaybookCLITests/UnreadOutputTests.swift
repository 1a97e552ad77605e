#if Command

import DaybookTestSupport
import Foundation
import LMDB
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Commands whose output is not read: they hold no transaction, and lose no output.
///
/// They share a store, which takes long to fill, so they run one after the other.
@Suite(.hangLimit, .serialized) struct UnreadOutputTests {
  private let kitchen: Kitchen
  private static let count = 3_500
  private static let shared = Result { try fill() }

  init() throws { kitchen = try Self.shared.get() }

  private static func fill() throws -> Kitchen {
    let kitchen = try Kitchen()
    var options = StoreOptions()
    options.durability = .relaxed
    let store = try Store(at: kitchen.store, options: options)
    try store.write { tx in
      let tag = try tx.insert("Tag", ["name": "all"], id: Self.tag)
      for number in 0..<Self.count {
        let recipe = try tx.insert(
          "Recipe",
          [
            "name": .string("recipe \(number) \(String(repeating: "m", count: 40))"),
            "note": .string(String(repeating: "n", count: 90)),
          ],
          id: ObjectID(high: 1, low: UInt64(number)))
        let ingredient = try tx.insert("Ingredient", ["name": "salt"], id: ObjectID(high: 3, low: UInt64(number)))
        try tx.relate(ingredient, "recipe", to: recipe)
        try tx.relate(recipe, "tags", to: tag)
      }
    }
    try store.write { tx in
      try tx.set(ObjectID(high: 3, low: 1), ["amount": .string(String(repeating: "b", count: 300_000))])
    }
    // A day each, for the activity.
    try store.batch { batch in
      for day in 0..<Self.count {
        let time = Timestamp(microseconds: 1_000_000_000_000_000 + Int64(day) * 86_400_000_000)
        try batch.commit(CommitInfo(happenedAt: time)) {
          try $0.set(ObjectID(high: 1, low: 2), ["servings": .integer(Int64(day + 2))])
        }
      }
    }
    store.close()
    return kitchen
  }

  private static let tag = ObjectID(high: 2, low: 1)

  /// The commands that print much, each with a text that is near the start of its output.
  private static let commands: [(arguments: [String], mark: String)] = [
    (["fetch", "Recipe", "--jsonl"], "\n"), (["fetch", "Recipe", "--json"], "{"), (["fetch", "Recipe"], "\n"),
    (["fetch", "Recipe", "--jsonl", "--at", "2"], "\n"), (["tree"], "\n"),
    (["tree", "--paths", "--show", "note"], "\n"),
    (["log", "--jsonl"], "\n"), (["log", "--json"], "{"), (["log"], "\n"), (["export"], "\n"),
    (["get", "\(tag)"], "\n"), (["get", "\(tag)", "--json"], "{"),
    (["blame", "\(ObjectID(high: 3, low: 1))", "--json"], "{"),
    (["diff", "Recipe", "--from", "1"], "\n"), (["diff", "Recipe", "--from", "1", "--json"], "{"),
    (["replay"], "\n"), (["replay", "--jsonl"], "\n"), (["replay", "Recipe"], "\n"),
    (["replay", "Recipe", "--jsonl"], "\n"),
    (["activity", "--json"], "{"), (["log", "--object", "\(ObjectID(high: 1, low: 2))", "--jsonl"], "\n"),
    (["watch", "Recipe", "--jsonl", "--rows", "--count", "1"], "{"),
    (["watch", "Recipe", "--from", "1", "--count", "1"], "\n"),
  ]

  @Test(arguments: commands.indices)
  func filesStopGrowingWhileTheOutputOfACommandIsNotRead(index: Int) throws {
    let (command, mark) = Self.commands[index]
    let arguments = [command[0], kitchen.store] + command.dropFirst()
    // What `watch` prints depends on the commits below.
    let whole = command[0] == "watch" ? nil : try CommandRun(arguments).output
    var options = StoreOptions()
    options.durability = .relaxed
    let store = try Store(at: kitchen.store, options: options)
    defer { store.close() }
    let run = try RunningCommand(arguments)
    // The command writes more than a pipe can hold.
    let first = try run.text(through: mark)
    let environments = [store.files.journalEnvironment, store.keeper.projectionsEnvironment]
    let deadline = ContinuousClock.now + .seconds(20)
    // A command reads its next pages until the pipe is full.
    var silence = 0
    while silence < 50, ContinuousClock.now < deadline {
      silence = environments.contains { $0.info.liveReaderCount > 0 } ? 0 : silence + 1
      usleep(10_000)
    }
    #expect(environments.allSatisfy { $0.info.liveReaderCount == 0 }, "\(command)")
    let growth = try growth(of: store, in: environments)
    #expect(growth < 1 << 20, "\(command)")
    let end = try run.end()
    #expect(end.status == 0)
    guard let whole else { return }
    let isWhole = first + end.output == whole
    #expect(isWhole, "\(command)")
    // More than the pipe and the first read hold.
    #expect(whole.utf8.count > 135_000, "\(command): \(whole.utf8.count)")
  }

  /// Makes 200 commits, after some that use up free pages, and returns how much the files grow.
  private func growth(of store: Store, in environments: [Environment]) throws -> Int {
    func size() -> Int { environments.reduce(0) { $0 + $1.info.usedSizeInBytes } }
    func write(_ count: Int) throws {
      for _ in 0..<count {
        let value = Value.integer(.random(in: 0..<1 << 50))
        try store.write { try $0.set(ObjectID(high: 1, low: 3), ["servings": value]) }
      }
    }
    try write(50)
    let before = size()
    try write(200)
    return size() - before
  }

  @Test func statsNameTheOldestReader() throws {
    let store = try Store(at: kitchen.store)
    defer { store.close() }
    #expect(try !kitchen.output("stats").contains("oldest reader"))
    try store.files.withJournal { _ in
      let process = ProcessInfo.processInfo.processIdentifier
      let head = try store.position
      let text = try kitchen.output("stats")
      #expect(text.contains("process \(process), for 0 s at least, at position \(head) at most"), "\(text)")
      let json = try JSONSerialization.jsonObject(with: Data(kitchen.output("stats", "--json").utf8)) as? [String: Any]
      let oldest = try #require(json?["oldestReader"] as? [String: Any])
      #expect(oldest["process"] as? Int == Int(process))
      #expect(oldest["position"] as? Int == Int(head.number))
      #expect(try #require(oldest["seconds"] as? Double) >= 0)
    }
  }

  @Test func aCommandEndsWhenItsReaderGoesAway() throws {
    let run = try kitchen.start("fetch", "Recipe", "--jsonl")
    _ = try run.line()
    run.closeOutput()
    #expect(try run.end().status == 0)
  }

  @Test func aStoreIsReadWhereAddressSpaceIsShort() throws {
    let run = try shell("ulimit -v 4000000; $DAYBOOK fetch '\(kitchen.store)' Recipe --limit 1 --jsonl | wc -l")
    #expect(run.output.trimmingCharacters(in: .whitespacesAndNewlines) == "1", "\(run.errors)")
  }
}

#endif
