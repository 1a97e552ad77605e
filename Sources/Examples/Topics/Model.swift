import DaybookMacros

@Entity struct Category {
  @Name @Unique var name: String
  @Relationship(onDelete: .cascade) var topics: Related<Topic>
}

@Index("category.name", "changedAt:desc")
@Entity struct Topic {
  @Name var title: String
  var category: Category.ID
}
