import DaybookMacros

/// The top of an outline. Six levels, an entity each: a child belongs to exactly one parent, and goes with it.
@Entity struct RootLevel {
  @Name @Index @Attribute(.length(1...200), order: .natural) var name: String
  @Relationship(inverse: \SecondLevel.parent, onDelete: .cascade) var children: Related<SecondLevel>
}

@Entity struct SecondLevel {
  @Name @Attribute(.length(1...200), order: .natural) var name: String
  var parent: RootLevel.ID
  @Relationship(inverse: \ThirdLevel.parent, onDelete: .cascade) var children: Related<ThirdLevel>
}

@Entity struct ThirdLevel {
  @Name @Attribute(.length(1...200), order: .natural) var name: String
  var parent: SecondLevel.ID
  @Relationship(inverse: \FourthLevel.parent, onDelete: .cascade) var children: Related<FourthLevel>
}

@Entity struct FourthLevel {
  @Name @Attribute(.length(1...200), order: .natural) var name: String
  var parent: ThirdLevel.ID
  @Relationship(inverse: \FifthLevel.parent, onDelete: .cascade) var children: Related<FifthLevel>
}

@Entity struct FifthLevel {
  @Name @Attribute(.length(1...200), order: .natural) var name: String
  var parent: FourthLevel.ID
  @Relationship(inverse: \SixthLevel.parent, onDelete: .cascade) var children: Related<SixthLevel>
}

@Entity struct SixthLevel {
  @Name @Attribute(.length(1...200), order: .natural) var name: String
  var parent: FifthLevel.ID
}
