import DaybookMacros
import ExampleSupport

/// The first screen: all tasks by category; tasks without one are in a section of their own.
struct TaskList {
  private let tasks: EntityLiveResults<Task>
  private let view = ListView<Task>("Tasks", emptySectionTitle: "No Category") { task in
    let tags = try task.related(\.tags).map { " #\($0.name)" }.sorted().joined()
    return "\(task.due?.day ?? "----------") \(task.title)\(tags)"
  }

  init(_ store: Store) throws {
    tasks = try store.liveResults(
      of: Task.all.sectioned(by: \.category.name).sorted(by: \.due).sorted(by: \.title)
        .showing(\.title, \.due, \.tags))
    try view.show(tasks)
  }

  func refresh() throws { try view.perform(tasks.update()) }
}

private extension Timestamp {
  var day: String { String(description.prefix(10)) }
}

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

@Index("category.name", "due", "title")
@Entity struct Task {
  @Name var title: String
  var due: Timestamp?
  @Relationship(inverse: \Category.tasks) var category: Category.ID?
  @Relationship(inverse: \Tag.tasks) var tags: Related<Tag>
}

@Index("taskCount:desc", "name")
@Entity struct Category {
  @Name @Unique var name: String
  var tasks: Related<Task>
  @Derived(count: \Category.tasks) var taskCount: Int
}

@Index("taskCount:desc", "name")
@Entity struct Tag {
  @Name @Unique var name: String
  var tasks: Related<Task>
  @Derived(count: \Tag.tasks) var taskCount: Int
}
