#if Import

/// The choices of an import of rows.
package struct TableOptions: Sendable {
  /// The columns or attributes whose values identify an object: a uniqueness constraint of the entity, or the one that a new
  /// entity gets. Empty to insert each row.
  package var key: [String] = []
  /// The columns that name objects of other entities by one of their attributes.
  package var links: [TableLink] = []
  /// Whether an empty cell of a required string is the empty string; otherwise it is an error.
  package var keepsEmpty = false
  /// Whether nothing is written.
  package var isDryRun = false
  /// The number of rows of one commit; `nil` for one commit for all.
  package var batchSize: Int?
  package var author: String?
  package var message: String?

  package init() {}
}

/// A column with values of an attribute of another entity, which name its objects.
package struct TableLink: Hashable, Sendable {
  /// The name of the column, or of the attribute that it would be.
  package var column: String
  /// The entity to which the column leads.
  package var target: String
  /// The attribute of that entity, which must be unique.
  package var attribute: String

  package init(column: String, target: String, attribute: String) {
    (self.column, self.target, self.attribute) = (column, target, attribute)
  }

  /// Reads the place of the attribute, `ENTITY.ATTRIBUTE`, or returns `nil` for another text.
  package init?(column: String, place: String) {
    let parts = place.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts.contains("") else { return nil }
    self.init(column: column, target: parts[0], attribute: parts[1])
  }
}

#endif
