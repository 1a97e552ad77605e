import Daybook
import Foundation

extension Store {
  /// The model of a record: a name, a time that the rows are sorted by, a flag, and one category.
  ///
  /// Beside the four trees of the baseline there is a fifth, the timeline that every entity has.
  static let benchmarkModel = Model(entities: [
    Entity(
      name: "Task", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "timestamp", type: .date),
        Attribute(name: "isDone", type: .boolean),
      ],
      relationships: [Relationship(name: "category", target: "Category", inverse: "tasks")],
      indexes: [Index([SortTerm(path: ["timestamp"])])]),
    Entity(
      name: "Category", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
      relationships: [Relationship(name: "tasks", target: "Task", inverse: "category", isMany: true)]),
  ])

  /// Makes a store with the workload's categories.
  ///
  /// - Parameters:
  ///   - keepsSnapshots: Whether snapshots are made in the background, which the peers have nothing like.
  ///   - options: The other options.
  convenience init(
    benchmarking workload: Workload, in directory: URL, keepsSnapshots: Bool = false,
    options: StoreOptions = StoreOptions()
  ) throws {
    var options = options
    if !keepsSnapshots { options.snapshotIntervalInEvents = 0 }
    try self.init(at: directory.appending(path: "store").path, model: Store.benchmarkModel, options: options)
    try write { tx in
      for (index, category) in workload.categories.enumerated() {
        try tx.insert("Category", ["name": .string("Category \(index)")], id: ObjectID(category))
      }
    }
  }

  /// Writes all records, so many to a commit and so many commits to a flush.
  func ingest(
    _ records: [Record], commitSize: Int, commitsPerFlush: Int,
    _ insert: (borrowing Transaction, Record) throws -> Void = { try $0.insert($1) }
  ) throws {
    for flush in stride(from: 0, to: records.count, by: commitSize * commitsPerFlush) {
      try batch { batch in
        let end = min(flush + commitSize * commitsPerFlush, records.count)
        for start in stride(from: flush, to: end, by: commitSize) {
          try batch.commit { tx in
            for record in records[start..<min(start + commitSize, end)] { try insert(tx, record) }
          }
        }
      }
    }
  }

  /// Makes a store that holds the workload.
  convenience init(filledIn directory: URL, with workload: Workload, settings: Settings) throws {
    try self.init(benchmarking: workload, in: directory)
    try ingest(
      workload.records, commitSize: settings.commitSize, commitsPerFlush: settings.commitsPerTransaction)
  }

  /// Makes a store that holds the workload, closes it, and returns its path.
  static func fill(in directory: URL, with workload: Workload, settings: Settings) throws -> String {
    let store = try Store(filledIn: directory, with: workload, settings: settings)
    store.close()
    return store.path
  }
}

extension Transaction {
  fileprivate func insert(_ record: Record) throws {
    let id = ObjectID(record.id)
    try insert(
      "Task",
      [
        "name": .string(record.name), "timestamp": .date(Timestamp(microseconds: record.timestamp)),
        "isDone": .boolean(record.isDone),
      ], id: id)
    try relate(id, "category", to: ObjectID(record.categoryID))
  }

  func apply(_ update: Update) throws {
    try set(
      ObjectID(update.id),
      ["name": .string(update.name), "timestamp": .date(Timestamp(microseconds: update.timestamp))])
  }
}

extension StoredObject {
  /// What the object adds to a digest.
  var digest: UInt64 {
    guard case .date(let time) = self["timestamp"], case .boolean(let isDone) = self["isDone"] else { return 0 }
    return UInt64(bitPattern: time.microseconds) &+ (isDone ? 1 : 0)
  }
}
