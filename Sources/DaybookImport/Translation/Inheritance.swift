#if Import

/// The place where entities with parents would be translated.
///
/// Daybook's model has no inheritance yet, and no relationship that is its own inverse. Such a model is refused as a
/// whole: a part of it would have other meanings.
enum Inheritance {
  /// - Throws: ``ImportError``, which names the first entities or relationships.
  static func check(_ lookup: SourceLookup, _ origin: String) throws(ImportError) {
    let children = lookup.model.entities.compactMap { entity in entity.parent.map { "\(entity.name) (of \($0))" } }
    if !children.isEmpty {
      throw ImportError(
        .usage,
        "\(origin): \(list(children)) inherit from other entities, which Daybook's models do not support yet; "
          + "move the fields of the parents into the entities in a version of the model, and import that version")
    }
    let mirrored = lookup.model.entities.flatMap { entity in
      entity.relationships.map { SourceField(entity.name, $0.name) }.filter { lookup.inverse(of: $0)?.field == $0 }
    }
    if !mirrored.isEmpty {
      throw ImportError(
        .usage,
        "\(origin): \(list(mirrored.map(\.description))) are their own inverses, which Daybook's models do not "
          + "support yet; declare a second relationship in a version of the model, and import that version")
    }
  }

  /// Returns the first names of a list, and the number of the others.
  private static func list(_ names: [String]) -> String {
    let first = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
  }
}

#endif
