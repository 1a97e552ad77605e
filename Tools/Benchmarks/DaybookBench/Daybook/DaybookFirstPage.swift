import Daybook
import Foundation

/// Daybook answers one question about all rows in a store just opened, where nothing is warm; opening is not counted.
final class DaybookFirstPage: Contestant {
  /// What is asked.
  enum Question {
    /// Some rows from the middle, by offset.
    case page
    /// The number of rows.
    case count
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let question: Question
  private let count: Int
  private let settings: Settings
  private var path: String?

  /// - Parameter count: How often the store is opened in a round.
  init(_ workload: Workload, name: String, _ question: Question, count: Int, settings: Settings) {
    self.workload = workload
    self.name = name
    self.question = question
    self.count = count
    self.settings = settings
  }

  func prepare(in directory: URL) throws {
    path = try Store.fill(in: directory, with: workload, settings: settings)
  }

  func run(round: Int) throws -> Work {
    var request = Request(entity: "Task", sort: [SortTerm(path: ["timestamp"])])
    if question == .page { (request.offset, request.limit) = (workload.records.count / 2, settings.fetchLimit) }
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    for _ in 0..<count {
      let store = try Store(at: prepared(path))
      // Loading the model is a part of opening.
      _ = try store.position
      let start = clock.now
      let found =
        switch question {
        case .page: try store.fetch(request).count
        case .count: try store.read { try $0.count(request) }
        }
      let elapsed = clock.now - start
      store.close()
      guard found == (question == .page ? settings.fetchLimit : workload.records.count) else {
        throw BenchmarkError.unexpectedCount(contestant: name, found)
      }
      work.add(elapsed)
    }
    return work
  }
}
