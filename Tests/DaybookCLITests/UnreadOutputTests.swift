import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook

/// Commands whose output is not read: they hold no transaction, and lose no output.
@Suite struct UnreadOutputTests {
  private let kitchen: Kitchen
  private static let count = 4_000

  init() throws {
    kitchen = try Kitchen()
    let store = try Store(at: kitchen.store)
    try store.write { tx in
      for number in 0..<Self.count {
        try tx.insert(
          "Recipe", ["name": .string("recipe \(number)"), "note": .string(String(repeating: "n", count: 90))])
      }
    }
    store.close()
  }

  @Test(arguments: [
    ["fetch", "Recipe", "--jsonl"], ["fetch", "Recipe", "--json"], ["fetch", "Recipe"], ["tree"], ["log", "--jsonl"],
    ["export"], ["fetch", "Recipe", "--jsonl", "--at", "2"],
  ])
  func aCommandHoldsNoTransactionWhileItsOutputIsNotRead(command: [String]) throws {
    let store = try Store(at: kitchen.store)
    defer { store.close() }
    let whole = try CommandRun([command[0], kitchen.store] + command.dropFirst()).output
    let run = try RunningCommand([command[0], kitchen.store] + command.dropFirst())
    // The command writes more than a pipe can hold.
    let first = try run.line()
    let environments = [store.opened.journalEnvironment, store.opened.projectionsEnvironment]
    let deadline = ContinuousClock.now + .seconds(20)
    while environments.contains(where: { $0.info.liveReaderCount > 0 }), ContinuousClock.now < deadline {
      usleep(10_000)
    }
    #expect(environments.allSatisfy { $0.info.liveReaderCount == 0 }, "\(command)")
    let end = try run.end()
    #expect(end.status == 0)
    let isWhole = first + end.output == whole || first + "\n" + end.output == whole
    #expect(isWhole, "\(command)")
    #expect(whole.utf8.count > 200_000 || command[0] == "tree")
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
