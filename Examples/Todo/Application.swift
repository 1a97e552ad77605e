import ApplicationSupport
import DaybookMacros

/// Tasks by category, with tags.
package func application() throws -> Application {
  Application(
    "todo", title: "Todo", summary: "Tasks by category, with due dates and tags.",
    model: try Model(Task.self, Category.self, Tag.self),
    files: ["todo.js": PackageResources.todo_js, "todo.css": PackageResources.todo_css],
    lists: [
      // Tasks without a category are in a section whose name is empty: there is no category that means none.
      NamedList("tasks", Task.all.sectioned(by: \.category.name).sorted(by: \.due).sorted(by: \.title)),
      NamedList("categories", Category.all.sorted(by: \.taskCount, .descending).sorted(by: \.name)),
      // Tasks without a due date are in a section whose name is empty, as those without a category have no name in it.
      NamedList("week tasks", CategoryWeek.all.sectioned(by: \.week).sorted(by: \.category.name)),
      NamedList("weeks", Week.all.sorted(by: \.week)),
    ],
    forms: [taskForm, Form("category", for: Category.self, new: { _ in Category(name: "") })],
    actions: [
      Action("delete task") { tx, input in try tx.delete(input.id("object") as Task.ID) },
      // Its tasks stay: they have no category then.
      Action("delete category") { tx, input in try tx.delete(input.id("object") as Category.ID) },
    ],
    projections: [CategoryWeeks(), Weeks()], contents: write)
}

/// A few tasks in three categories.
@Sendable private func write(_ tx: borrowing Transaction) throws {
  let home = try tx.insert(Category(name: "Home"))
  let office = try tx.insert(Category(name: "Office"))
  let garden = try tx.insert(Category(name: "Garden"))
  let phone = try tx.insert(Tag(name: "phone"))
  let urgent = try tx.insert(Tag(name: "urgent"))
  let errand = try tx.insert(Tag(name: "errand"))
  try tx.insert(Task(title: "Pay the rent", due: Timestamp("2026-12-01"), category: home, tags: [urgent]))
  try tx.insert(Task(title: "Call the plumber", category: home, tags: [phone]))
  try tx.insert(Task(title: "Send the report", due: Timestamp("2026-12-05"), category: office, tags: [phone, urgent]))
  try tx.insert(Task(title: "Prune the roses", category: garden))
  try tx.insert(Task(title: "Buy stamps", tags: [errand]))
}
