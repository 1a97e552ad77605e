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
