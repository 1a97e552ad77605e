import DaybookMacros
import ExampleSupport

runExample { directory in
  let store = try Store.create(at: "\(directory)/outline.daybook", model: Model(RootLevel.self, SecondLevel.self))
  let roots = try RootList(store)

  tell("Ada taps +, types “Plants”, and cancels.")
  let cancelled = try NameForm(adding: RootLevel(name: ""), to: store)
  try cancelled.type("Plants")
  cancelled.cancel()
  try roots.refresh()
  print("   The store is at position \(try store.head()): nothing but the model was ever written.")

  tell("She adds three roots.")
  var ids: [String: RootLevel.ID] = [:]
  for name in ["Plants", "Animals", "Minerals"] {
    let form = try NameForm(adding: RootLevel(name: ""), to: store)
    try form.type(name)
    try form.save()
    ids[name] = form.object
    try roots.refresh()
  }
  guard let minerals = ids["Minerals"], let animals = ids["Animals"] else { return }

  tell("She renames Minerals, and cancels.")
  let undecided = try NameForm(editing: minerals, in: store)
  try undecided.type("Rocks")
  undecided.cancel()
  try roots.refresh()

  tell("She renames Minerals, and saves.")
  let decided = try NameForm(editing: minerals, in: store)
  try decided.type("Stones")
  try decided.save()
  try roots.refresh()

  tell("She opens Animals.")
  let children = try ChildList(of: animals, in: store)
  for name in ["Vertebrates", "Insects"] {
    let form = try NameForm(adding: SecondLevel(name: "", root: animals), to: store)
    try form.type(name)
    try form.save()
    try children.refresh()
  }

  tell("She sorts a cat in, five levels below Vertebrates.")
  guard var parent = try store.fetch(SecondLevel.where { $0.name == "Vertebrates" }).rows.first?.id else { return }
  for name in ["Mammals", "Carnivores", "Cats", "Lynxes", "Iberian lynx"] {
    let form = try NameForm(adding: SecondLevel(name: name, parent: parent), to: store)
    try form.save()
    parent = form.object
  }
  try children.refresh()
  print("   There are \(try store.count(RootLevel.all)) roots and \(try store.count(SecondLevel.all)) below them.")

  tell("She deletes Animals.")
  let question = try DeleteQuestion(deleting: animals, in: store)
  print("   Delete “Animals” and \(question.count - 1) below it?")
  try question.confirm()
  try roots.refresh()
  try children.refresh()
  print("   There are \(try store.count(RootLevel.all)) roots and \(try store.count(SecondLevel.all)) below them.")
}
