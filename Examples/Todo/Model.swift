import DaybookMacros

@Index("category.name", "due", "title")
@Entity struct Task {
  @Name @Attribute(.length(1...200)) var title: String
  var due: Timestamp?
  @Relationship(inverse: \Category.tasks) var category: Category.ID?
  @Relationship(inverse: \Tag.tasks) var tags: Related<Tag>
}

@Index("taskCount:desc", "name")
@Entity struct Category {
  @Name @Unique @Attribute(.length(1...60)) var name: String
  var tasks: Related<Task>
  @Derived(count: \Category.tasks) var taskCount: Int
}

@Index("taskCount:desc", "name")
@Entity struct Tag {
  @Name @Unique @Attribute(.length(1...60)) var name: String
  var tasks: Related<Task>
  @Derived(count: \Tag.tasks) var taskCount: Int
}

/// How many tasks of a category are due in a week. A projection counts them.
@Index("week", "category.name")
@Entity struct CategoryWeek {
  /// `nil` for the tasks that have no category.
  @Key var category: Category.ID?
  /// An ISO week, such as `2026-W49`; `nil` for the tasks without a due date.
  @Key var week: String?
  var tasks = 0
}

/// How many tasks are due in a week, with the category that has more of them than any other.
@Entity struct Week {
  @Key var week: String?
  var tasks = 0
  var busiest: Category.ID?
}
