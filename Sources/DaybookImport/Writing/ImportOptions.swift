#if Import

/// The choices of an import.
package struct ImportOptions: Sendable {
  /// The choices of the translation.
  package var translation = TranslationOptions()
  /// The attribute that identifies the objects of an entity, by the entity's name in the source.
  package var identities: [String: String] = [:]
  /// The attributes with the times at which objects were created, by the entity's name in the source, or `*` for each one.
  package var creationTimes: [String: String] = [:]
  /// Whether rows that break rules make the rules weaker; otherwise they end the import.
  package var relaxes = false
  /// Whether nothing is written.
  package var isDryRun = false
  /// Whether the source's value wins over a change in the store.
  package var sourceWins = false
  /// The number of objects or links of one commit; `nil` for one commit for all.
  package var batchSize: Int?
  package var author: String?
  package var message: String?

  package init() {}
}

#endif
