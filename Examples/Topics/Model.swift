import DaybookMacros

@Entity struct Category {
  @Name @Unique @Attribute(.length(1...80), order: .natural) var name: String
  @Relationship(inverse: \Topic.category, onDelete: .cascade) var topics: Related<Topic>
  @Derived(count: \Category.topics) var topicCount: Int
}

/// The index keeps the topics of each category by their last change: the first batch costs the same with any number.
@Index("category", "changedAt:desc")
@Entity struct Topic {
  @Name @Attribute(.length(1...200)) var title: String
  var contents: String?
  var category: Category.ID
}
