#if Import

extension SourceRelationship.DeleteRule {
  /// The rule of a foreign key's `ON DELETE`.
  init(sql action: String) {
    switch action {
    case "CASCADE": self = .cascade
    case "SET NULL", "SET DEFAULT": self = .nullify
    default: self = .deny
    }
  }
}

#endif
