import Daybook
import Foundation

/// The first rows of groups that the model declares, or of the list of all objects.
final class DaybookGroupPage: Contestant {
  /// Which rows are read, and when.
  enum Page {
    /// The list in order of creation, in a store that has answered before.
    case list
    /// The groups in such a store.
    case groups
    /// The groups in a store just opened; opening is not counted.
    case firstGroups
  }

  let name: String
  let role: Role
  private let workload: Workload
  private let page: Page
  private let count: Int
  private let settings: Settings
  private var path: String?

  /// - Parameter count: How often the page is read in a round.
  init(_ workload: Workload, name: String, _ page: Page, count: Int, settings: Settings) {
    (self.workload, self.name, self.page, self.count, self.settings) = (workload, name, page, count, settings)
    role = page == .list ? .peer : .subject
  }

  func prepare(in directory: URL) throws {
    let store = try Store(groupedIn: directory, with: workload, declaring: [GroupedTasks.declaration])
    path = store.path
    store.close()
  }

  func run(round: Int) throws -> Work {
    var store = try Store(at: prepared(path))
    defer { store.close() }
    _ = try read(store)
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    for _ in 0..<count {
      if page == .firstGroups {
        store.close()
        store = try Store(at: prepared(path))
        // Loading the model is a part of opening.
        _ = try store.position
      }
      let start = clock.now
      let found = try read(store)
      let elapsed = clock.now - start
      guard found == settings.fetchLimit else { throw BenchmarkError.unexpectedCount(contestant: name, found) }
      work.add(elapsed)
    }
    return work
  }

  private func read(_ store: Store) throws -> Int {
    guard page != .list else {
      var request = Request(entity: "Task", sort: [SortTerm(path: ["createdAt"])])
      request.limit = settings.fetchLimit
      return try store.fetch(request).rows.count
    }
    var request = try GroupedTasks.request()
    request.limit = settings.fetchLimit
    return try store.fetch(request).rows.count
  }
}
