import DaybookMacros
import ExampleSupport

/// The tags to pick from, the most used ones first.
///
/// Counts are as they would be if the task were saved, and no row leaves its place while the user ticks.
struct TagPicker {
  private let detail: TaskDetail
  private let tags: EntityEditingResults<Tag>
  private let view: ListView<Tag>

  init(for detail: TaskDetail) throws {
    self.detail = detail
    tags = try detail.context.results(of: Tag.all.sorted(by: \.taskCount, descending: true).sorted(by: \.name))
    view = ListView("Pick tags") { tag in
      let isTicked = try detail.context.targets(of: detail.task, \.tags).contains(tag.id)
      return "[\(isTicked ? "x" : " ")] \(tag.name) (\(tag.taskCount))"
    }
    try view.show(tags)
    try tags.freezeOrder()
  }

  /// Ticks the tag of a row, or removes the tick.
  func tick(row: Int) throws {
    let (context, task) = (detail.context, detail.task)
    let tag = try tags.row(at: RowPath(section: 0, row: row)).id
    if try context.targets(of: task, \.tags).contains(tag) {
      try context.unrelate(task, \.tags, from: tag)
    } else {
      try context.relate(task, \.tags, to: tag)
    }
    try view.perform(tags.update())
  }

  func lift() throws { try view.perform(tags.thawOrder()) }
}

/// The categories to pick from, the most used ones first.
struct CategoryPicker {
  private let detail: TaskDetail
  private let categories: EntityEditingResults<Category>
  private let view = ListView<Category>("Pick a category") { "\($0.name) (\($0.taskCount))" }

  init(for detail: TaskDetail) throws {
    self.detail = detail
    categories = try detail.context.results(
      of: Category.all.sorted(by: \.taskCount, descending: true).sorted(by: \.name))
    try view.show(categories)
  }

  func pick(row: Int) throws {
    let category = try categories.row(at: RowPath(section: 0, row: row)).id
    try detail.context.relate(detail.task, \.category, to: category)
    try view.perform(categories.update())
  }
}
