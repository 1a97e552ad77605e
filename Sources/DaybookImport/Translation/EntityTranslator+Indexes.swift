#if Import

import DaybookModel

extension EntityTranslator {
  /// Translates the constraints whose parts are stored.
  mutating func addUnique() {
    var seen: Set<Set<String>> = []
    for constraint in source.uniquenessConstraints where !constraint.isEmpty {
      let parts = constraint.compactMap(uniqueName)
      guard parts.count == constraint.count, Set(parts).count == parts.count, parts.count <= 16 else {
        let missing = constraint.first { uniqueName($0) == nil } ?? constraint[0]
        change(
          "unique (\(constraint.joined(separator: ", ")))", to: "not unique",
          why: "\(missing) is not a stored value of its objects", "\(source.name).\(missing)")
        continue
      }
      if seen.insert(Set(parts)).inserted { entity.unique.append(parts) }
    }
  }

  /// Returns the name of a field that can be unique, or `nil` for a derived one, a to-many, and a link of the other side.
  private func uniqueName(_ name: String) -> String? {
    if let attribute = allAttributes.first(where: { $0.source.name == name }) {
      return attribute.declaration.derivation == nil ? attribute.name : nil
    }
    guard let relationship = allRelationships.first(where: { $0.source.name == name }),
      !relationship.declaration.isMany, ownsLinks(relationship)
    else {
      return nil
    }
    return relationship.name
  }

  /// Returns whether a to-one relationship owns its links: all do but the second side of one-to-one, and a relationship
  /// that is its own inverse.
  private func ownsLinks(_ relationship: TranslatedRelationship) -> Bool {
    guard !relationship.declaration.inverse.isEmpty, let inverse = lookup.mutualInverse(of: relationship.source),
      !inverse.relationship.isToMany
    else {
      return true
    }
    return lookup.isDeclared(relationship.source, before: inverse.field)
  }

  /// Translates the indexes by values; links are indexed anyway.
  mutating func addIndexes() {
    var seen: Set<[String]> = []
    for index in source.indexes where !index.elements.isEmpty {
      guard let terms = terms(of: index), !terms.isEmpty else { continue }
      if seen.insert(terms.map(\.indexText)).inserted { entity.indexes.append(Index(terms)) }
    }
  }

  /// Returns the terms of an index, or `nil` with a report for one that Daybook cannot have.
  private mutating func terms(of index: SourceIndex) -> [SortTerm]? {
    let place = "\(source.name): the index \(index.name ?? index.elements.map(\.property).joined(separator: ", "))"
    var terms: [SortTerm] = []
    for element in index.elements {
      if element.isSpatial {
        dropped.append(DroppedPart(place, "an RTree finds regions, which Daybook's indexes do not"))
        return nil
      }
      if lookup.relationships(of: source.name).contains(where: { $0.field.name == element.property }) { continue }
      guard let attribute = allAttributes.first(where: { $0.source.name == element.property }),
        attribute.type != .data
      else {
        dropped.append(DroppedPart(place, "\(element.property) is not a value that can be sorted"))
        return nil
      }
      guard !terms.contains(where: { $0.path == [attribute.name] }) else { continue }
      terms.append(SortTerm(path: [attribute.name], element.isDescending ? .descending : .ascending))
    }
    return terms.count <= 16 ? terms : nil
  }
}

#endif
