import Daybook

/// A projection with a derived row for each task, which has the same values and the same orders.
struct CopyProjection: Projection {
  static let entity = "TaskCopy"

  let name = "task-copies"
  let version = 1
  var mode = ProjectionMode.inline

  var entities: [DerivedEntity] {
    [
      DerivedEntity(
        Entity(
          name: Self.entity,
          attributes: [
            Attribute(name: "name", type: .string, defaultValue: .string("")),
            Attribute(name: "timestamp", type: .date, isOptional: true),
            Attribute(name: "isDone", type: .boolean, defaultValue: .boolean(false)),
          ],
          relationships: [Relationship(name: "task", target: "Task")],
          indexes: [Index([SortTerm(path: ["timestamp"])])]),
        key: ["task"])
    ]
  }

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    for id in commit.inserted("Task") + commit.changed("Task") {
      guard let task = try commit.after.get(id) else { continue }
      try rows.put(
        Self.entity, key: [.uuid(id)],
        ["name": task["name"], "timestamp": task["timestamp"], "isDone": task["isDone"]])
    }
  }
}
