import Daybook
import Foundation

/// Daybook makes durable commits while another process has a read transaction, and the growth of the files is measured.
final class DaybookReaderGrowth: Contestant {
  /// What becomes of the other process.
  enum Reader {
    case none
    /// It reads all the time.
    case live
    /// It is killed while it reads, before the first commit.
    case killed
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let reader: Reader
  private let count: Int
  private let settings: Settings
  private var store: Store?
  private var process: Process?

  init(_ workload: Workload, name: String, _ reader: Reader, count: Int, settings: Settings) {
    self.workload = workload
    self.name = name
    self.reader = reader
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    store = try Store(filledIn: directory, with: workload, settings: settings)
  }

  func beginRound(_ round: Int, in directory: URL) throws {
    guard reader != .none else { return }
    let (process, output) = try startingChild(["hold-reader", prepared(store).path])
    // The child prints a line when its transaction has begun.
    _ = try output.read(upToCount: 1)
    if reader == .killed {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    } else {
      self.process = process
    }
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    // Pages of a killed reader are free again after the next check; free pages are used up before a file grows.
    let clock = ContinuousClock()
    let end = clock.now + .seconds(settings.readerWaitInSeconds)
    var pass = 0
    while clock.now < end {
      try commit(pass: pass, round: round)
      pass += 1
    }
    let directory = URL(filePath: store.path)
    let before = try fileSize(below: directory)
    let elapsed = try clock.measure { try commit(pass: pass, round: round) }
    let growth = try fileSize(below: directory) - before
    return Work(
      operations: count, elapsed: elapsed, figures: [.fileBytesPerCommit: Double(growth) / Double(count)])
  }

  /// Makes the commits of a pass, each of which changes something: no two passes have the same updates.
  private func commit(pass: Int, round: Int) throws {
    let store = prepared(store)
    for update in workload.updates(count: count, round: (round + 1) * 10_000 + pass) {
      try store.write { try $0.apply(update) }
    }
  }

  func endRound(_ round: Int) {
    guard let process else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    self.process = nil
  }

  func cleanUp() {
    endRound(0)
    store?.close()
    store = nil
  }
}
