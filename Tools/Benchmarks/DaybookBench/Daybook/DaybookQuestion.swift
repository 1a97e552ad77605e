import Daybook
import Foundation

/// Daybook finds the few commits that meet a filter, among as many commits of one event as there are rows.
final class DaybookQuestion: Contestant {
  /// Which condition is asked for.
  enum Condition {
    /// The author of a few commits, which the index of the journal has.
    case author
    /// A word in the messages of the same commits, for which all commits are read.
    case message
  }

  let name: String
  let role = Role.subject
  private let workload: Workload
  private let condition: Condition
  private let count: Int
  private var store: Store?

  /// The number of commits to find.
  static let answerCount = 20

  /// - Parameter count: How often the question is asked in a round.
  init(
    _ workload: Workload, name: String, _ condition: Condition, count: Int
  ) {
    self.workload = workload
    self.name = name
    self.condition = condition
    self.count = count
  }

  func prepare(in directory: URL) throws {
    let model = Model(entities: [Entity(name: "Note", attributes: [Attribute(name: "number", type: .integer)])])
    var options = StoreOptions()
    options.snapshotIntervalInEvents = 0
    let store = try Store(at: directory.appending(path: "store").path, model: model, options: options)
    let commitCount = workload.records.count
    let step = max(1, commitCount / DaybookQuestion.answerCount)
    var number = 0
    while number < commitCount {
      try store.batch { batch in
        for _ in 0..<min(10_000, commitCount - number) {
          let isAnswer = number % step == 0 && number / step < DaybookQuestion.answerCount
          let info = CommitInfo(author: isAnswer ? "rare" : "common", message: isAnswer ? "a rare one" : "a note")
          _ = try batch.commit(info) { _ = try $0.insert("Note", ["number": .integer(Int64(number))]) }
          number += 1
        }
      }
    }
    self.store = store
  }

  func run(round: Int) throws -> Work {
    var filter = CommitFilter()
    switch condition {
    case .author: filter.author = "rare"
    case .message: filter.message = "a rare"
    }
    let clock = ContinuousClock()
    var work = Work(operations: count, elapsed: .zero)
    for _ in 0..<count {
      let start = clock.now
      var log = try prepared(store).log(where: filter)
      var found = 0
      while try log.next() != nil { found += 1 }
      work.add(clock.now - start)
      guard found == min(DaybookQuestion.answerCount, workload.records.count) else {
        throw BenchmarkError.unexpectedCount(contestant: name, found)
      }
    }
    return work
  }

  func cleanUp() {
    store?.close()
    store = nil
  }
}
