import Daybook
import Foundation

extension Store {
  /// The model for live results: the benchmark's, sorted by name too, and with many groups to ask for one of.
  static let liveModel = Model(entities: [
    Entity(
      name: "Task", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "timestamp", type: .date),
        Attribute(name: "isDone", type: .boolean), Attribute(name: "group", type: .integer),
      ],
      relationships: [Relationship(name: "category", target: "Category", inverse: "tasks")],
      indexes: [Index([SortTerm(path: ["name"])]), Index([SortTerm(path: ["group"]), SortTerm(path: ["timestamp"])])]),
    Entity(
      name: "Category", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "tasks", target: "Task", inverse: "category", isMany: true)]),
  ])

  /// How many groups the records are dealt out to, in turn.
  static let liveGroupCount = 10_000

  /// Makes a store of the live model that holds the workload.
  ///
  /// - Parameter options: Of these, snapshots are left out, which the peers have nothing like.
  convenience init(liveIn directory: URL, with workload: Workload, options: StoreOptions) throws {
    var options = options
    options.snapshotIntervalInEvents = 0
    try self.init(at: directory.appending(path: "store").path, model: Store.liveModel, options: options)
    try write { tx in
      for (index, category) in workload.categories.enumerated() {
        try tx.insert("Category", ["name": .string("Category \(index)")], id: ObjectID(category))
      }
    }
    try batch { batch in
      for start in stride(from: 0, to: workload.records.count, by: 1_000) {
        try batch.commit { tx in
          for index in start..<min(start + 1_000, workload.records.count) {
            try tx.insert(workload.records[index], group: index % Store.liveGroupCount)
          }
        }
      }
    }
  }
}

extension Workload {
  /// The records of the first group.
  var idsOfFirstGroup: [UUID] {
    stride(from: 0, to: records.count, by: Store.liveGroupCount).map { records[$0].id }
  }
}

extension Transaction {
  fileprivate func insert(_ record: Record, group: Int) throws {
    let id = ObjectID(record.id)
    try insert(
      "Task",
      [
        "name": .string(record.name), "timestamp": .date(Timestamp(microseconds: record.timestamp)),
        "isDone": .boolean(record.isDone), "group": .integer(Int64(group)),
      ], id: id)
    try relate(id, "category", to: ObjectID(record.categoryID))
  }
}
