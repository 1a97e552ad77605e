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

extension Timestamp {
  var day: String { String(description.prefix(10)) }
}
