import DaybookMacros

/// The top of an outline.
@Entity struct RootLevel {
  @Name @Index var name: String
  @Relationship(inverse: \SecondLevel.root, onDelete: .cascade) var children: Related<SecondLevel>
}

/// A node below a root, or below another node of its kind, at any depth.
@Entity struct SecondLevel {
  @Name var name: String
  var root: RootLevel.ID?
  var parent: SecondLevel.ID?
  @Relationship(onDelete: .cascade) var children: Related<SecondLevel>
}
