import DaybookMacros
import ExampleSupport

runExample { directory in
  let store = try Store.create(
    at: "\(directory)/todo.daybook", model: Model(Task.self, Category.self, Tag.self))
  let (first, second, third) = (Timestamp("2026-03-01"), Timestamp("2026-03-02"), Timestamp("2026-03-05"))
  let (plumber, garden) = try store.write(author: "Maria") { tx in
    let home = try tx.insert(Category(name: "Home"))
    let office = try tx.insert(Category(name: "Office"))
    let garden = try tx.insert(Category(name: "Garden"))
    let phone = try tx.insert(Tag(name: "phone"))
    let urgent = try tx.insert(Tag(name: "urgent"))
    let errand = try tx.insert(Tag(name: "errand"))
    try tx.insert(Task(title: "Pay the rent", due: first, category: home, tags: [urgent]))
    try tx.insert(Task(title: "Send the report", due: third, category: office, tags: [phone, urgent]))
    try tx.insert(Task(title: "Prune the roses", category: garden))
    try tx.insert(Task(title: "Buy stamps", tags: [errand]))
    return (try tx.insert(Task(title: "Call the plumber", category: home, tags: [phone])), garden)
  }
  let tasks = try TaskList(store)

  tell("Maria opens “Call the plumber”, and ticks two tags.")
  let cancelled = try TaskDetail(plumber, in: store)
  let tags = try TagPicker(for: cancelled)
  try tags.tick(row: 2)
  try tags.tick(row: 1)

  tell("She leaves the pick list: now its rows go to where they belong.")
  try tags.lift()
  try tasks.refresh()

  tell("She leaves the task with Cancel.")
  try cancelled.leave(saving: false)
  try tasks.refresh()
  print("   The store is at position \(try store.head()), as before.")

  tell("She opens it again, sets a due date, picks Office, ticks urgent, and leaves with Save.")
  let saved = try TaskDetail(plumber, in: store)
  try saved.setDue(second)
  try CategoryPicker(for: saved).pick(row: 2)
  try TagPicker(for: saved).tick(row: 1)
  try saved.leave(saving: true)
  try tasks.refresh()
  print("   The store is at position \(try store.head()): all of it was one commit.")

  tell("She adds another category that is called Home.")
  do {
    try store.write(author: "Maria") { try $0.insert(Category(name: "Home")) }
  } catch let error as StoreError where error.code == .constraint {
    print("   Refused: there is a category of this name.")
  }

  tell("She deletes the category Garden.")
  try store.write(author: "Maria") { try $0.delete(garden) }
  try tasks.refresh()

  tell("In the end:")
  _ = try TaskList(store)
  _ = try CategoryPicker(for: TaskDetail(plumber, in: store))
}
