#if Import

import DaybookModel

/// The ways of all objects and links of an import.
struct ImportRoutes {
  private(set) var entities: [EntityRoute] = []
  private(set) var links: [LinkRoute] = []
  /// The stored parts of the sources that have no place in the imported model.
  private(set) var lost: [DroppedPart] = []
  private let translation: Translation
  private let model: Model

  /// - Parameter model: The model of the store, which has all parts of the translation.
  init(_ sources: [any ObjectSource], _ translation: Translation, in model: Model) {
    self.translation = translation
    self.model = model
    for source in sources { add(source) }
  }

  private mutating func add(_ source: any ObjectSource) {
    let match = VersionMatch(old: source.lookup, new: translation.lookup)
    var read: Set<SourceField> = []
    for entity in translation.entities {
      guard let old = match.entity(entity.source), model.entity(entity.name) != nil else { continue }
      let fields = source.attributes(of: old)
      let attributes = translation.attributes(of: entity.source)
      let declared = model.attributes(of: entity.name)
      let places = attributes.map { attribute in
        translation.lookup.attribute(attribute.source).flatMap { match.attribute($0, in: fields) }
      }
      var routes = [FieldRoute?](repeating: nil, count: fields.count)
      for (attribute, place) in zip(attributes, places) {
        if let place { read.insert(fields[place].field) }
        guard let place, let type = attribute.type,
          let stored = declared.first(where: { $0.name == attribute.name })
        else {
          continue
        }
        routes[place] = FieldRoute(
          source: fields[place].field, target: attribute.source, name: attribute.name, type: type,
          isOptional: stored.isOptional, defaultValue: stored.defaultValue, rules: stored.rules.map(RuleCheck.init))
      }
      entities.append(
        EntityRoute(source: source, sourceEntity: old, target: entity.source, name: entity.name, fields: routes))
    }
    addLinks(of: source, match)
    reportLost(source, match, read)
  }

  // MARK: Links

  private mutating func addLinks(of source: any ObjectSource, _ match: VersionMatch) {
    var done: Set<SourceField> = []
    let readable = Set(source.relationships)
    for entity in translation.entities {
      for relationship in entity.relationships where !done.contains(relationship.source) {
        let inverse = inverse(of: relationship)
        done.insert(relationship.source)
        if let inverse { done.insert(inverse.source) }
        let isSecond = inverse.map { ImportRoutes.isPreferred($0.declaration, over: relationship.declaration) } ?? false
        let (first, second) = isSecond ? (inverse, relationship) : (relationship, inverse)
        let route =
          first.flatMap { self.route($0, from: source, match, readable) }
          ?? second.flatMap { self.route($0, from: source, match, readable) }
        if let route { links.append(route) }
      }
    }
  }

  /// Returns the way of the links over one side, or `nil` if the source lacks it.
  private func route(
    _ side: TranslatedRelationship, from source: any ObjectSource, _ match: VersionMatch, _ readable: Set<SourceField>
  ) -> LinkRoute? {
    guard let field = match.relationship(side.source), readable.contains(field),
      let owner = translation.entity(side.source.entity)
    else {
      return nil
    }
    let inverse = inverse(of: side).map { other in
      LinkRoute.Inverse(target: other.source, name: other.name, isToMany: other.declaration.isMany)
    }
    return LinkRoute(
      source: source, field: field, target: side.source, entity: owner.name, targetEntity: side.declaration.target,
      name: side.name, isToMany: side.declaration.isMany, isOrdered: side.declaration.isOrdered, inverse: inverse)
  }

  /// Returns the translated inverse of a relationship, or `nil` for a one-way one.
  private func inverse(of relationship: TranslatedRelationship) -> TranslatedRelationship? {
    guard !relationship.declaration.inverse.isEmpty,
      let target = translation.entities.first(where: { $0.name == relationship.declaration.target })
    else {
      return nil
    }
    return target.relationships.first { $0.name == relationship.declaration.inverse }
  }

  private static func isPreferred(_ a: Relationship, over b: Relationship) -> Bool {
    if a.isOrdered != b.isOrdered { return a.isOrdered }
    return !a.isMany && b.isMany
  }

  // MARK: What has no place

  private mutating func reportLost(_ source: any ObjectSource, _ match: VersionMatch, _ read: Set<SourceField>) {
    // A source of the imported version has no others, and its report lists each declaration.
    guard match.old.model != match.new.model else { return }
    let known = Set(translation.entities.compactMap { match.entity($0.source) })
    for entity in source.lookup.model.entities {
      guard known.contains(entity.name) else {
        lost.append(DroppedPart(entity.name, "the imported version has no such entity"))
        continue
      }
      for attribute in entity.attributes where attribute.isStored {
        let field = SourceField(entity.name, attribute.name)
        if !read.contains(field) {
          lost.append(DroppedPart(field.description, "the imported version has no such attribute"))
        }
      }
    }
  }
}

#endif
