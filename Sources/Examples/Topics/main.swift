import DaybookMacros
import DaybookTestSupport
import ExampleSupport

runExample { directory in
  let clock = FixedClock(Timestamp("2026-03-02T08:00:00Z") ?? Timestamp(microseconds: 0))
  var options = StoreOptions()
  options.clock = clock.read
  let store = try Store.create(
    at: "\(directory)/topics.daybook", model: Model(Category.self, Topic.self), options: options)

  /// Writes a minute after the last write, so that the times are the same in each run.
  @discardableResult
  func write<Result>(_ author: String, _ body: (borrowing Transaction) throws -> Result) throws -> Result {
    clock.advance(byMicroseconds: 60_000_000)
    return try store.write(author: author, body)
  }

  let (swift, databases) = try write("Ann") { tx in
    (try tx.insert(Category(name: "Swift")), try tx.insert(Category(name: "Databases")))
  }
  for number in 1...45 {
    try write("Ann") { try $0.insert(Topic(title: "Question \(number)", category: swift)) }
  }
  try write("Ann") { try $0.insert(Topic(title: "What is a journal?", category: databases)) }

  tell("Two lists, each of the topics of one category, and the list of categories:")
  let topics = try TopicList(ofCategory: "Swift", in: store)
  let renamedTopics = try TopicList(ofCategory: "Swift 6", in: store)
  let categories = try CategoryList(store)

  tell("Jo scrolls to the end.")
  try topics.scrollToEnd()

  tell("A topic is written, and one of another category.")
  try write("Jo") { try $0.insert(Topic(title: "What is a macro?", category: swift)) }
  try topics.refresh()
  try write("Ann") { try $0.insert(Topic(title: "What is a layer?", category: databases)) }
  try topics.refresh()

  tell("The topic that was changed last goes to the other category.")
  let moved = try topics.topic(at: 0)
  try write("Ann") { try $0.relate(moved, \.category, to: databases) }
  try topics.refresh()

  tell("The category is renamed. No topic was touched, and yet all of them leave one list and come to the other.")
  try write("Ann") { try $0.rename(swift, to: "Swift 6") }
  try categories.refresh()
  try topics.refresh()
  try renamedTopics.refresh()

  tell("In the end:")
  _ = try TopicList(ofCategory: "Databases", in: store)
  _ = try CategoryList(store)
}
