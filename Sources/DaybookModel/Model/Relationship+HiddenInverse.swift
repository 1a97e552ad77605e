extension Relationship {
  /// The name of its hidden inverse, which no declared relationship can have.
  func hiddenInverseName(of entity: String) -> String { "\(entity).\(name)" }

  /// Whether it is the hidden inverse of another one.
  package var isHidden: Bool { Relationship.isHidden(name) }

  /// Whether it has no inverse, or a hidden one.
  var isOneWay: Bool { inverse.isEmpty || Relationship.isHidden(inverse) }

  static func isHidden(_ name: String) -> Bool { name.contains(".") }
}
