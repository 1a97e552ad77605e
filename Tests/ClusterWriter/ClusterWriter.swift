#if JetStream

import Daybook
import DaybookJetStream
import Foundation

/// Writers in the process of a node, whose commits are timed.
///
///     ClusterWriter STORE LIST WRITERS SECONDS
///
/// Each writer inserts an item into the list, waits until the commit is acknowledged, and writes the next one. One
/// writer calls the form of `write` that blocks; several await the asynchronous one, and share messages. The process
/// prints a line of JSON: the number of commits, the time in seconds, and the median and the 99th percentile of the time
/// of a commit, in seconds. It is compiled for `Tools/measure-cluster`.
@main
struct ClusterWriter {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 4, let list = ObjectID(arguments[1]), let writers = Int(arguments[2]), writers > 0,
      let seconds = Double(arguments[3])
    else {
      FileHandle.standardError.write(Data("usage: ClusterWriter STORE LIST WRITERS SECONDS\n".utf8))
      exit(64)
    }
    var options = StoreOptions()
    options.journal = .jetStream()
    let store = try Store(at: arguments[0], options: options)
    // The first write compares the stream with the journal.
    try write("first", to: list, in: store)
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let times = try await
      (writers == 1
      ? writeAlone(to: list, in: store, until: end)
      : writeTogether(writers, to: list, in: store, until: end)).sorted()
    let duration = (ContinuousClock.now - start) / .seconds(1)
    let (median, late) = (times[times.count / 2] / .seconds(1), times[times.count * 99 / 100] / .seconds(1))
    print(#"{"count":\#(times.count),"seconds":\#(duration),"median":\#(median),"p99":\#(late)}"#)
    store.close()
  }

  private static func writeAlone(
    to list: ObjectID, in store: Store, until end: ContinuousClock.Instant
  ) throws -> [Duration] {
    var times: [Duration] = []
    while ContinuousClock.now < end {
      let start = ContinuousClock.now
      try write("\(times.count)", to: list, in: store)
      times.append(ContinuousClock.now - start)
    }
    return times
  }

  private static func writeTogether(
    _ writers: Int, to list: ObjectID, in store: Store, until end: ContinuousClock.Instant
  ) async throws -> [Duration] {
    try await withThrowingTaskGroup(of: [Duration].self) { group in
      for writer in 0..<writers {
        group.addTask {
          var times: [Duration] = []
          while ContinuousClock.now < end {
            let (start, name) = (ContinuousClock.now, "\(writer) \(times.count)")
            try await store.write { try insert(name, to: list, $0) }
            times.append(ContinuousClock.now - start)
          }
          return times
        }
      }
      var times: [Duration] = []
      for try await more in group { times += more }
      return times
    }
  }

  private static func write(_ name: String, to list: ObjectID, in store: Store) throws {
    try store.write { try insert(name, to: list, $0) }
  }

  private static func insert(_ name: String, to list: ObjectID, _ tx: borrowing Transaction) throws {
    let item = try tx.insert("Item", ["name": .string(name), "done": false])
    try tx.relate(item, "list", to: list)
  }
}

#else

/// Does nothing: without the trait there is no stream to write to.
@main
enum ClusterWriter {
  static func main() {}
}

#endif
