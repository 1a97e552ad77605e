import ApplicationSupport
import DaybookMacros

/// Categories, and the topics of each: the topic that was changed last comes first.
package func application() throws -> Application {
  Application(
    "topics", title: "Topics", summary: "Questions and answers by category, the last change first.",
    model: try Model(Category.self, Topic.self),
    files: ["topics.js": PackageResources.topics_js, "topics.css": PackageResources.topics_css],
    lists: [
      NamedList("categories", Category.all.sorted(by: \.name)),
      NamedList("topics") { input in topics(of: try input.id("category")) },
      NamedList("topic") { input in
        let id: Topic.ID = try input.id("topic")
        return Topic.where { $0.id == id }
      },
    ],
    forms: [
      Form("category", for: Category.self, new: { _ in Category(name: "") }),
      Form(
        "topic", for: Topic.self, new: { input in Topic(title: "", category: try input.id("category")) },
        lists: [FormList("categories") { _ in Category.all.sorted(by: \.name) }],
        actions: [
          FormAction("move") { tx, topic, input in try tx.relate(topic, \.category, to: input.id("category")) }
        ]),
    ],
    actions: [
      Action("delete topic") { tx, input in try tx.delete(input.id("object") as Topic.ID) },
      // Its topics go with it, by the delete rule of the model, and the page asks before.
      Action("delete category") { tx, input in try tx.delete(input.id("object") as Category.ID) },
    ],
    contents: write)
}

/// The topics of a category, newest change first.
///
/// It names the category by its identity: a new name of the category changes nothing in the list.
func topics(of category: Category.ID) -> Request<Record<Topic>> {
  Topic.where { $0.category == category }.sorted(by: \.changedAt, .descending)
}

/// Three categories, with enough topics in one of them to scroll.
@Sendable private func write(_ tx: borrowing Transaction) throws {
  let swift = try tx.insert(Category(name: "Swift"))
  let databases = try tx.insert(Category(name: "Databases"))
  try tx.insert(Category(name: "Gardening"))
  let subjects = [
    "actors", "closures", "enumerations", "generics", "key paths", "macros", "optionals", "protocols",
    "result builders",
  ]
  for question in ["What are", "When not to use", "How to test", "What is the price of", "Who understands"] {
    for subject in subjects {
      try tx.insert(Topic(title: "\(question) \(subject)?", contents: "Nothing is written here yet.", category: swift))
    }
  }
  try tx.insert(
    Topic(
      title: "What is a journal?", contents: "All that ever happened, in order. Everything else is folded from it.",
      category: databases))
  try tx.insert(
    Topic(
      title: "What is a difference?", contents: "What leads from a list at one position to the list at another.",
      category: databases))
}
