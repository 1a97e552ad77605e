import ApplicationSupport
import DaybookMacros

/// The form of a task, with its two pick lists: all of it is pending until the person goes back to the list.
///
/// Both lists show the edits of the form: the most used first, counted as they would be if the form were saved.
let taskForm = Form(
  "task", for: Task.self, new: { _ in Task(title: "") },
  lists: [
    FormList("categories") { _ in Category.all.sorted(by: \.taskCount, .descending).sorted(by: \.name) },
    FormList("tags") { _ in Tag.all.sorted(by: \.taskCount, .descending).sorted(by: \.name) },
  ],
  actions: [
    FormAction("pick category", pickCategory), FormAction("tick tag", tickTag),
    FormAction("add category") { tx, task, input in
      try tx.relate(task, \.category, to: tx.insert(Category(name: input.text("name"))))
    },
    FormAction("add tag") { tx, task, input in
      try tx.relate(task, \.tags, to: tx.insert(Tag(name: input.text("name"))))
    },
  ])

/// Picks a category, or none if it is the one that is picked.
@Sendable private func pickCategory(_ tx: borrowing Transaction, _ task: Task.ID, _ input: Input) throws {
  let category: Category.ID = try input.id("category")
  if try tx.target(of: task, \.category) == category {
    try tx.unrelate(task, \.category, from: category)
  } else {
    try tx.relate(task, \.category, to: category)
  }
}

/// Ticks a tag, or removes the tick.
@Sendable private func tickTag(_ tx: borrowing Transaction, _ task: Task.ID, _ input: Input) throws {
  let tag: Tag.ID = try input.id("tag")
  if try tx.targets(of: task, \.tags).contains(tag) {
    try tx.unrelate(task, \.tags, from: tag)
  } else {
    try tx.relate(task, \.tags, to: tag)
  }
}
