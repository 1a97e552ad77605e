#if Import

/// A relationship as its source declares it.
package struct SourceRelationship: Hashable, Sendable {
  package var name: String
  /// The entity of the targets, whose descendants can be targets too.
  package var destination: String
  package var isToMany = false
  package var isOrdered = false
  /// The relationship of the destination that leads back; `nil` for a one-way relationship.
  ///
  /// Old models name an inverse that leads elsewhere: see ``SourceLookup/mutualInverse(of:)``.
  package var inverse: String?
  /// The least number of targets; 0 without a limit.
  package var minimumCount = 0
  /// The greatest number of targets; 0 without a limit.
  package var maximumCount = 0
  package var isOptional = false
  package var isTransient = false
  package var deleteRule = DeleteRule.nullify
  /// Without an inverse: the effect on the objects that lead to a target when the target is deleted.
  ///
  /// Core Data has no such rule; a foreign key of a database has one.
  package var hiddenInverseDeleteRule = DeleteRule.nullify
  /// The name by which an earlier version declares the relationship, if it differs from ``name``.
  package var renamingIdentifier: String?

  package init(name: String, destination: String) {
    self.name = name
    self.destination = destination
  }

  /// The effect on the targets when an object is deleted.
  package enum DeleteRule: Int, Hashable, Sendable, CaseIterable {
    /// Targets keep a link to an object that does not exist.
    case noAction
    /// Targets lose the link.
    case nullify
    /// Targets are deleted.
    case cascade
    /// An object with targets is not deleted.
    case deny

    /// The name of the rule in Xcode's files.
    package var name: String {
      switch self {
      case .noAction: "No Action"
      case .nullify: "Nullify"
      case .cascade: "Cascade"
      case .deny: "Deny"
      }
    }
  }
}

#endif
