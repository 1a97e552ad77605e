import Daybook
import Foundation

extension Store {
  /// The model for projections that count: a record is one event, as its category is a value and not a link.
  static let plainModel = Model(entities: [
    Entity(
      name: "Task", nameAttribute: "name",
      attributes: [
        Attribute(name: "name", type: .string), Attribute(name: "timestamp", type: .date),
        Attribute(name: "isDone", type: .boolean), Attribute(name: "category", type: .uuid),
      ],
      indexes: [Index([SortTerm(path: ["timestamp"])])])
  ])

  /// Makes an empty store of the plain model, which keeps no snapshots.
  convenience init(plainIn directory: URL, knowing projections: [any Projection] = []) throws {
    var options = StoreOptions()
    options.snapshotIntervalInEvents = 0
    options.projections = projections
    try self.init(at: directory.appending(path: "store").path, model: Store.plainModel, options: options)
  }

  /// Writes all records into a store of the plain model, many commits to a flush.
  func ingestPlain(_ workload: Workload, settings: Settings) throws {
    try ingest(workload.records, commitSize: settings.commitSize, commitsPerFlush: settings.commitsPerTransaction) {
      try $0.insertPlain($1)
    }
  }
}

extension Transaction {
  fileprivate func insertPlain(_ record: Record) throws {
    try insert(
      "Task",
      [
        "name": .string(record.name), "timestamp": .date(Timestamp(microseconds: record.timestamp)),
        "isDone": .boolean(record.isDone), "category": .uuid(ObjectID(record.categoryID)),
      ], id: ObjectID(record.id))
  }
}
