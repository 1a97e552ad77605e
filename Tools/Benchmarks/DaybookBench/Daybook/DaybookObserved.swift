import Daybook
import Foundation
import Observation

/// Daybook shows a list of all rows, sorted by name, on the main actor; each commit renames a row.
///
/// What is timed is the way from the end of the commit's flush until the main actor has the new counts and the rows of a
/// screen, as a view reads them when it is drawn again.
final class DaybookObserved: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let clock = FlushClock()
  private var store: Store?
  private var list: ObservedResults<StoredObject>?

  /// The rows of a screen.
  private static let screen = 20

  init(_ workload: Workload, name: String, count: Int) {
    self.workload = workload
    self.name = name
    self.count = count
  }

  func prepare(in directory: URL) async throws {
    let store = try Store(liveIn: directory, with: workload, options: clock.options)
    self.store = store
    list = try await MainActor.run {
      try ObservedResults(of: Request(entity: "Task", sort: [SortTerm(path: ["name"])]), in: store)
    }
  }

  func run(round: Int) async throws -> Work {
    let (store, list) = (prepared(store), prepared(list))
    let updates = workload.updates(count: count, round: round)
    let isDrawn = DispatchSemaphore(value: 1)
    Thread.detachNewThread {
      for update in updates {
        isDrawn.wait()
        // The main actor goes to sleep meanwhile.
        usleep(300)
        do {
          try store.write { try $0.set(ObjectID(update.id), ["name": .string(update.name)]) }
        } catch {
          fatalError("A commit failed: \(error)")
        }
      }
    }
    return try await DaybookObserved.drawn(list, updates.count, clock) { isDrawn.signal() }
  }

  @MainActor private static func drawn(
    _ list: ObservedResults<StoredObject>, _ count: Int, _ clock: FlushClock, _ next: () -> Void
  ) async throws -> Work {
    var work = Work(operations: count, elapsed: .zero)
    var (drawn, last) = (0, list.position)
    for await position in Observations({ list.position }) where position > last {
      last = position
      let middle = list.count / 2
      let rows = try (middle..<min(list.count, middle + screen)).map { try list.row(at: RowPath(section: 0, row: $0)) }
      let elapsed = clock.elapsed
      guard !rows.isEmpty, list.lastChange?.difference.rows.count == 1 else {
        throw BenchmarkError.noDifference(contestant: "Daybook")
      }
      work.add(elapsed)
      drawn += 1
      next()
      if drawn == count { break }
    }
    return work
  }

  func cleanUp() {
    list = nil
    store?.close()
    store = nil
  }
}
