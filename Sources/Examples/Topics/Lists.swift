import DaybookMacros
import ExampleSupport

/// All categories by name, with the times that every object has.
struct CategoryList {
  private let categories: EntityLiveResults<Category>
  private let view = ListView<Category>("Categories") { category in
    "\(category.name), created \(category.createdAt.clock), changed \(category.changedAt.clock)"
  }

  init(_ store: Store) throws {
    categories = try store.liveResults(of: Category.all.sorted(by: \.name))
    try view.show(categories)
  }

  func refresh() throws { try view.perform(categories.update()) }
}

/// The topics of the category with a name, the last changed first.
struct TopicList {
  private let topics: EntityLiveResults<Topic>
  private let view: ListView<Topic>

  init(ofCategory name: String, in store: Store) throws {
    topics = try store.liveResults(
      of: Topic.where { $0.category.name == name }.sorted(by: \.changedAt, descending: true), pageSize: 20)
    view = ListView("Topics of \(name)", rowLimit: 4) { $0.title }
    try view.show(topics)
  }

  func refresh() throws { try view.perform(topics.update()) }

  /// Reads the rows in batches, like a list that the user scrolls to its end.
  func scrollToEnd() throws {
    for number in 0... {
      let batch = try topics.page(number)
      guard let first = batch.first, let last = batch.last else { return }
      print("   Batch \(number + 1) has \(batch.count) rows: \(first.title) to \(last.title)")
    }
  }

  func topic(at row: Int) throws -> Topic.ID { try topics.row(at: RowPath(section: 0, row: row)).id }
}

private extension Timestamp {
  var clock: String { String(description.dropFirst(11).prefix(5)) }
}

@Entity struct Category {
  @Name @Unique var name: String
  @Relationship(onDelete: .cascade) var topics: Related<Topic>
}

@Index("category.name", "changedAt:desc")
@Entity struct Topic {
  @Name var title: String
  var category: Category.ID
}
