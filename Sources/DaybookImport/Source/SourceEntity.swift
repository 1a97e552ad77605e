#if Import

/// An entity, or a table, with the fields that it declares itself.
package struct SourceEntity: Hashable, Sendable {
  package var name: String
  /// The name of the entity from which it inherits fields.
  package var parent: String?
  package var isAbstract = false
  /// The name by which an earlier version declares the entity, if it differs from ``name``.
  package var renamingIdentifier: String?
  package var attributes: [SourceAttribute] = []
  package var relationships: [SourceRelationship] = []
  package var fetchedProperties: [SourceFetchRequest] = []
  /// The fields whose values are unique together, one list for each constraint.
  package var uniquenessConstraints: [[String]] = []
  package var indexes: [SourceIndex] = []
  /// The number of parts of the entity and its fields that only a report mentions.
  package var annotations = SourceAnnotations()

  package init(name: String, parent: String? = nil) {
    self.name = name
    self.parent = parent
  }
}

#endif
