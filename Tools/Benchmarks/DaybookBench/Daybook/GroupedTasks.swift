import Daybook
import Foundation

/// Tasks with a group and an amount, for jobs that group them.
enum GroupedTasks {
  /// How many groups the tasks are dealt out to.
  static let groupCount = 1_000

  static let model = model(declaring: [])

  /// The groups as the model declares them.
  static let declaration = GroupDeclaration(
    "byGroup", by: ["group"], show: ["count", "sum:amount", "average:amount"])

  static func model(declaring groups: [GroupDeclaration]) -> Model {
    Model(entities: [
      Entity(
        name: "Task", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "timestamp", type: .date),
          Attribute(name: "group", type: .integer), Attribute(name: "amount", type: .integer),
        ], groups: groups)
    ])
  }

  /// The group and the amount of a record, which follow from its scattered timestamp.
  static func values(of record: Record) -> (group: Int64, amount: Int64) {
    (record.timestamp / 1_000 % Int64(groupCount), record.timestamp % 1_000)
  }

  static func request() throws -> Request<Group<StoredObject>> {
    try Request(entity: "Task").grouped(by: ["group"], showing: ["count", "sum:amount", "average:amount"])
  }
}

extension Store {
  /// Makes a store with the tasks of a workload.
  convenience init(
    groupedIn directory: URL, with workload: Workload, declaring groups: [GroupDeclaration] = [],
    options: StoreOptions = StoreOptions()
  ) throws {
    var options = options
    options.snapshotIntervalInEvents = 0
    try self.init(
      at: directory.appending(path: "store").path, model: GroupedTasks.model(declaring: groups), options: options)
    try batch { batch in
      for start in stride(from: 0, to: workload.records.count, by: 1_000) {
        try batch.commit { tx in
          for record in workload.records[start..<min(start + 1_000, workload.records.count)] {
            let (group, amount) = GroupedTasks.values(of: record)
            try tx.insert(
              "Task",
              [
                "name": .string(record.name), "timestamp": .date(Timestamp(microseconds: record.timestamp)),
                "group": .integer(group), "amount": .integer(amount),
              ], id: ObjectID(record.id))
          }
        }
      }
    }
  }
}

/// Daybook groups all rows, with no index and nothing that is kept: one pass.
final class DaybookGroups: Contestant {
  let name = "Daybook"
  let role = Role.subject
  private let workload: Workload
  private var store: Store?

  init(_ workload: Workload) { self.workload = workload }

  func prepare(in directory: URL) throws { store = try Store(groupedIn: directory, with: workload) }

  func run(round: Int) throws -> Work {
    let groups = try prepared(store).fetch(GroupedTasks.request()).rows
    guard groups.count == min(GroupedTasks.groupCount, workload.records.count) || groups.count > 0 else {
      throw BenchmarkError.unexpectedCount(contestant: name, groups.count)
    }
    return Work(
      operations: 1, digest: groups.reduce(0) { $0 &+ UInt64($1["sum:amount"].integerValue) &* 31 })
  }

  func cleanUp() {
    store?.close()
    store = nil
  }
}

/// Daybook keeps a live result and returns its difference after each commit that changes the amount of one task.
final class DaybookLiveGroups: Contestant {
  let name: String
  let role = Role.subject
  private let workload: Workload
  private let count: Int
  private let isGrouped: Bool
  private let clock = FlushClock()
  private var store: Store?
  private var groups: LiveResults<Group<StoredObject>>?
  private var list: LiveResults<StoredObject>?

  /// - Parameter isGrouped: Whether the result is of groups; else it is the list of all tasks by amount.
  init(_ workload: Workload, name: String, isGrouped: Bool, count: Int) {
    (self.workload, self.name, self.isGrouped, self.count) = (workload, name, isGrouped, count)
  }

  func prepare(in directory: URL) throws {
    let store = try Store(groupedIn: directory, with: workload, options: clock.options)
    self.store = store
    if isGrouped {
      groups = try store.liveResults(of: GroupedTasks.request())
      _ = try groups?.count
    } else {
      list = try store.liveResults(of: Request(entity: "Task", sort: [SortTerm(path: ["amount"])]))
      _ = try list?.count
    }
  }

  func run(round: Int) throws -> Work {
    let store = prepared(store)
    var work = Work(operations: count, elapsed: .zero)
    for (number, update) in workload.updates(count: count, round: round).enumerated() {
      let amount = Value.integer(Int64(10_000 + (round + 2) * count + number))
      try store.write { try $0.set(ObjectID(update.id), ["amount": amount]) }
      let changed = try groups?.update()?.difference.rows.count ?? list?.update()?.difference.rows.count
      let elapsed = clock.timeUntilReady
      guard changed == 1 else { throw BenchmarkError.noDifference(contestant: name) }
      work.add(elapsed)
    }
    return work
  }

  func cleanUp() {
    (groups, list) = (nil, nil)
    store?.close()
    store = nil
  }
}

private extension Value {
  var integerValue: Int64 { if case .integer(let number) = self { number } else { 0 } }
}
