import Daybook

/// A projection that counts the tasks by their category and the period of their time: a derived row is updated for each
/// insertion, with one look-up of the task.
struct CountProjection: Projection {
  let name: String
  let version = 1
  var mode = ProjectionMode.catchUp
  /// The name of the derived entity.
  let entity: String
  /// The length of a period, in microseconds.
  let period: Int64

  /// The size of the old and the new values in a change of a row, in bytes: a number and a time each.
  static let bytesInChange = 2.0 * (1 + 8)

  /// - Parameter number: Of several independent ones in a store, which one it is.
  init(_ number: Int = 1, mode: ProjectionMode = .catchUp, period: Int64) {
    (name, entity) = ("task-counts-\(number)", "TaskCount\(number)")
    (self.mode, self.period) = (mode, period)
  }

  var entities: [DerivedEntity] {
    [
      DerivedEntity(
        Entity(
          name: entity,
          attributes: [
            Attribute(name: "category", type: .uuid), Attribute(name: "period", type: .integer),
            Attribute(name: "tasks", type: .integer, defaultValue: .integer(0)),
            Attribute(name: "last", type: .date, isOptional: true),
          ]),
        key: ["category", "period"])
    ]
  }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.inserted("Task") {
      guard let task = try commit.after.get(id), case .date(let time) = task["timestamp"] else { continue }
      try rows.update(entity, key: [task["category"], .integer(time.microseconds / period)]) {
        $0["tasks"] = .integer(try $0.integer("tasks") + 1)
        $0["last"] = .date(time)
      }
    }
  }
}

extension Workload {
  /// The length of a period of which the records have a hundred, so that there are 10,000 rows with the categories.
  var period: Int64 { max(1, Int64(records.count) * 10) }
}
