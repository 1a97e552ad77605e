#if Import

/// The declarations of a source in a neutral form: the entities of a Core Data model, or the tables of a database.
///
/// Two readers produce it for Core Data, from the XML that Xcode writes and from the compiled model that a store
/// carries; a translator makes a model of Daybook from it. It has all that the source declares, including what Daybook
/// lacks, so that a report can name each part that is dropped.
///
/// Use ``SourceLookup`` for everything that follows from the declarations, such as inherited fields and inverses.
package struct SourceModel: Hashable, Sendable {
  /// The name of the version, such as `Recipes 3`; `nil` for a model outside a bundle.
  package var name: String?
  /// The identifier that the developer gave to the version, which is usually empty.
  package var identifier = ""
  /// The entities in the order of their declaration. A compiled model has no order; its reader sorts by name.
  package var entities: [SourceEntity] = []
  /// The stored fetch requests, which Daybook lacks.
  package var fetchRequests: [SourceFetchRequest] = []
  /// The named sets of entities, which Daybook lacks.
  package var configurations: [SourceConfiguration] = []

  package init(name: String? = nil) {
    self.name = name
  }

  /// The limit on the number of entities.
  package static let maximumEntityCount = 10_000
  /// The limit on the number of attributes and relationships of all entities together.
  package static let maximumFieldCount = 100_000
}

#endif
