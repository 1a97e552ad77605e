#if Import

/// The choices of a translation.
package struct TranslationOptions: Sendable {
  /// Names in place of the source's, by `Entity` or `Entity.field` of the source.
  package var renames: [String: String] = [:]
  /// The only entities to import, by their names in the source; empty for all.
  package var only: Set<String> = []
  /// The required fields that become optional, because rows lack them.
  package var relaxed: Set<SourceField> = []

  package init() {}
}

#endif
