import DaybookMacros

/// The second screen: one task. All that is done here and in the pick lists behind it is provisional until the screen is
/// left.
struct TaskDetail {
  let context: EditingContext
  let task: Task.ID

  init(_ task: Task.ID, in store: Store) throws {
    context = try store.makeContext()
    self.task = task
  }

  func setDue(_ due: Timestamp?) throws { try context.set(task, \.due, due) }

  func leave(saving isSaved: Bool) throws {
    guard isSaved else { return context.cancel() }
    try context.save(author: "Maria")
  }
}
