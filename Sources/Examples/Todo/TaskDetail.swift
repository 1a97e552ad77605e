import DaybookMacros

/// The second screen: one task.
///
/// All changes made here and in the pick lists are provisional until the user leaves the screen.
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
