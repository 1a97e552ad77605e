import ArgumentParser
import Daybook
import Foundation
import Synchronization

/// Writes objects into a new store, makes a live result, and prints the memory of the process. Only benchmarks run it.
///
/// With `--derived` it measures a projection that makes a row for each object afterwards, instead of the writing.
///
/// It is a process of its own, because memory of the peers and of other jobs would count otherwise. The objects are made
/// one by one for the same reason.
struct MeasureMemory: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "measure-memory", shouldDisplay: false)

  @Argument var path: String
  @Argument var rows: Int
  @Flag var derived = false

  func run() throws {
    var options = StoreOptions()
    let copies = CopyProjection(mode: .catchUp)
    if derived { (options.projections, options.followsProjections) = ([copies], false) }
    var store = try Store(at: path, model: Store.benchmarkModel, options: options)
    let category = try store.write { try $0.insert("Category", ["name": .string("Category")]) }
    if derived {
      try ingest(into: store, category: category)
      // LMDB keeps the memory of the pages that were changed until the store is closed.
      store.close()
      store = try Store(at: path, options: options)
    }
    let peak = PeakMemory()
    let clock = ContinuousClock()
    let elapsed = try clock.measure {
      if derived {
        try store.projection(copies.name).catchUp()
      } else {
        try ingest(into: store, category: category)
      }
    }
    let peakBytes = peak.stop()
    let results = try store.liveResults(of: Request(entity: "Task", sort: [SortTerm(path: ["timestamp"])]))
    _ = try results.rows(in: 0..<50)
    // Snapshots that are due are made by now, and not in the background of the measurement.
    try store.makeSnapshots()
    sleep(1)
    let usage = MemoryUsage(seconds: elapsed.inSeconds, restingBytes: privateMemory(), peakBytes: peakBytes)
    withExtendedLifetime(results) {}
    store.close()
    try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(usage))
  }

  private func ingest(into store: Store, category: ObjectID) throws {
    var random = SplitMix64(seed: 1)
    for flush in stride(from: 0, to: rows, by: 10_000) {
      try store.batch { batch in
        for start in stride(from: flush, to: min(flush + 10_000, rows), by: 1_000) {
          try batch.commit { tx in
            for _ in start..<min(start + 1_000, rows) {
              let microseconds = 1_735_689_600_000_000 + Int64(random.next() % UInt64(rows * 1_000))
              let id = try tx.insert(
                "Task",
                [
                  "name": .string(String(random.next(), radix: 16)), "isDone": .boolean(random.next() % 2 == 0),
                  "timestamp": .date(Timestamp(microseconds: microseconds)),
                ])
              try tx.relate(id, "category", to: category)
            }
          }
        }
      }
    }
  }
}

/// The largest memory of the process since it was made, from a look every 20 milliseconds.
private final class PeakMemory: Sendable {
  private let state = Mutex((peak: privateMemory(), isStopped: false))

  init() {
    Thread.detachNewThread { [self] in
      while note() { usleep(20_000) }
    }
  }

  func stop() -> Int? {
    _ = note()
    return state.withLock { state in
      state.isStopped = true
      return state.peak
    }
  }

  private func note() -> Bool {
    let present = privateMemory()
    return state.withLock { state in
      if let present { state.peak = max(state.peak ?? 0, present) }
      return !state.isStopped
    }
  }
}

/// The resident memory of this process that is not a page of a file, in bytes, or `nil` if the system does not provide
/// it.
private func privateMemory() -> Int? {
  // Only Linux has this file. Unlike smaps_rollup it is read in no time, however large the map is.
  guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
  let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
  return line?.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
}
