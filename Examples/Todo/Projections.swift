import DaybookMacros

/// Counts the tasks of each category by the week in which they are due.
///
/// It is inline: a list of the weeks moves with the commit that moves a task. When a category is deleted, the same commit
/// takes the link from its tasks, so they are counted under no category from then on.
struct CategoryWeeks: Projection {
  let name = "category-weeks"
  let version = 1
  let mode = ProjectionMode.inline
  let entities: [DerivedEntity] = [.init(CategoryWeek.self)]

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    let changed = commit.changed(Task.self)
    for id in commit.deleted(Task.self) + changed { try count(commit.before.require(id), -1, in: rows) }
    for id in commit.inserted(Task.self) + changed { try count(commit.after.require(id), 1, in: rows) }
  }

  private func count(_ task: Record<Task>, _ difference: Int, in rows: borrowing DerivedRows) throws {
    let key = CategoryWeek.key(category: task.category, week: task.due?.week)
    try rows.update(key) { $0.tasks += difference }
    if try rows.get(key)?.tasks == 0 { try rows.delete(key) }
  }
}

/// Adds up the weeks over all categories, from the rows of ``CategoryWeeks``.
struct Weeks: Projection {
  let name = "weeks"
  let version = 1
  let mode = ProjectionMode.inline
  let reads = ["category-weeks"]
  let entities: [DerivedEntity] = [.init(Week.self)]

  func apply(_ commit: borrowing AppliedCommit, to rows: borrowing DerivedRows) throws {
    var weeks: Set<String?> = []
    for id in commit.deleted(CategoryWeek.self) { weeks.insert(try commit.before.require(id).week) }
    for id in commit.inserted(CategoryWeek.self) + commit.changed(CategoryWeek.self) {
      weeks.insert(try commit.after.require(id).week)
    }
    for week in weeks {
      let parts = try commit.after.fetch(CategoryWeek.where { $0.week == week }.sorted(by: \.tasks, .descending)).rows
      if parts.isEmpty {
        try rows.delete(Week.key(week: week))
      } else {
        let total = parts.reduce(0) { $0 + $1.tasks }
        let hasBusiest = parts.count > 1 && parts[0].tasks > parts[1].tasks
        try rows.put(Week(week: week, tasks: total, busiest: hasBusiest ? parts[0].category : nil))
      }
    }
  }
}
