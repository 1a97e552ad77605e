import DaybookTestSupport
import Foundation
import Testing

@testable import Daybook
@testable import DaybookRuntime

/// Disks that are removed under a writer and mounted again in the same boot.
///
/// Acknowledged data must be present, and projections that were never flushed must not be trusted.
@Suite(.hangLimit, .enabled(if: PulledDisk.isPermitted, .init(rawValue: PulledDisk.reason)))
struct PulledDiskTests {
  /// The number of rounds; `DAYBOOK_PULLS` overrides it.
  private var roundCount: Int {
    Rounds.given("DAYBOOK_PULLS") ?? 5
  }

  @Test func aDiskThatIsPutBackHasAllThatWasAcknowledged() throws {
    let disk = try PulledDisk()
    var path = disk.path("store 0")
    var next: UInt64 = 0
    var acknowledged: [ObjectID: Position] = [:]
    for round in 0..<roundCount {
      if round % 10 == 0 {
        path = disk.path("store \(round % 20)")
        try? FileManager.default.removeItem(atPath: path)  // It may not exist yet.
        (next, acknowledged) = (0, [:])
        try makeStore(at: path)
      }
      let writer = KilledWriter(seed: 1, first: next)
      try writer.start(path, durability: "full", mode: "one", probe: "none", count: 1)
      Thread.sleep(forTimeInterval: 0.1 + Double(round % 7) / 50)
      try disk.pull()
      for (number, position) in try writer.end() {
        acknowledged[ObjectID(high: 1, low: number)] = position
        next = number + 1
      }
      try disk.putBack()
      try check(path, acknowledged)
    }
  }

  private func makeStore(at path: String) throws {
    let store = try Store(at: path, model: CrashRun.model)
    try store.write { tx in
      try tx.insert("Tag", ["name": "all"])
      for number in 0..<500 {
        try tx.insert("Note", ["title": .string("first \(number)"), "size": .integer(Int64(number % 7))])
      }
    }
    // Some pages of the projections are on the disk before the first shutdown.
    store.close()
  }

  private func check(_ path: String, _ acknowledged: [ObjectID: Position]) throws {
    let store = try Store(at: path)
    try store.read { reader in
      for (id, position) in acknowledged {
        let found = try reader.journal.position(ofCommitID: id)
        #expect(found == position)
      }
    }
    try closeAndVerify(store)
  }
}
