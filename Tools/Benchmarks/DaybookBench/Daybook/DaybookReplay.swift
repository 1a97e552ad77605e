import Daybook
import Foundation

/// Daybook reads and decodes every event of its journal.
///
/// Every field and every link is decoded, but for names: like the raw engine it leaves them as the bytes that they are.
final class DaybookReplay: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let settings: Settings
  private var store: Store?

  init(_ workload: Workload, settings: Settings) {
    self.workload = workload
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try Store(filledIn: directory, with: workload, settings: settings)
  }

  func run(round: Int) throws -> Work {
    try prepared(store).read { reader in
      var tally = Tally(task: try reader.tag(of: "Task"), name: try reader.tag(ofAttribute: "name", of: "Task"))
      try reader.forEachEvent { event in
        try tally.add(event)
        return true
      }
      return Work(operations: tally.insertCount, eventCount: tally.eventCount, digest: tally.digest)
    }
  }

  func cleanUp() {
    store?.close()
    store = nil
  }

  private struct Tally {
    let task: UInt16
    let name: UInt16
    var eventCount = 0
    var insertCount = 0
    var linkCount = 0
    var nameSizeInBytes = 0
    var digest: UInt64 = 0

    mutating func add(_ event: RawEvent) throws {
      eventCount += 1
      if event.target != nil { linkCount += 1 }
      guard event.entity == task, event.kind == .inserted else { return }
      insertCount += 1
      var fields = event.fields
      while let field = try fields.next() {
        if field.tag == name {
          nameSizeInBytes += field.bytes.byteCount
          continue
        }
        switch try field.value() {
        case .date(let time): digest &+= UInt64(bitPattern: time.microseconds)
        case .boolean(true): digest &+= 1
        default: break
        }
      }
    }
  }
}

/// Daybook opens a store that has lost its projections, and so folds its whole journal into new ones.
final class DaybookRebuild: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private let settings: Settings
  private var path: String?

  init(_ workload: Workload, settings: Settings) {
    self.workload = workload
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    path = try Store.fill(in: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    try FileManager.default.removeItem(at: URL(filePath: prepared(path)).appending(path: "projections"))
  }

  func run(round: Int) throws -> Work {
    let clock = ContinuousClock()
    let start = clock.now
    let store = try Store(at: prepared(path))
    let elapsed = clock.now - start
    defer { store.close() }
    // What follows shows that the work was done, and is not a part of it.
    var work = Work(operations: 0, eventCount: 0, digest: 0, elapsed: elapsed)
    try store.read { reader in
      try reader.forEachEvent { _ in
        work.eventCount = (work.eventCount ?? 0) + 1
        return true
      }
      try reader.forEachRow(of: Request(entity: "Task")) { task, _ in
        work.operations += 1
        work.digest? &+= task.digest
        return true
      }
    }
    return work
  }
}
