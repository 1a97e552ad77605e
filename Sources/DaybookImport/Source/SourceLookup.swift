#if Import

/// A source's model with everything that follows from its declarations, found by name.
///
/// Creating it checks the model, so its methods need no errors: each parent exists, no entity inherits from itself,
/// and names are unique.
package struct SourceLookup: Sendable {
  package let model: SourceModel
  private let places: [String: Int]
  private var chains: [String: [String]] = [:]
  private var families: [String: [String]] = [:]
  private var fieldPlaces: [SourceField: Int] = [:]

  /// Checks a model and indexes it.
  ///
  /// - Parameter origin: The file of the model, for messages.
  /// - Throws: ``ImportError`` for an entity, parent or field that contradicts another one, or too many of them.
  /// - Complexity: O(*f* + *e* *d*) for *f* fields, *e* entities and the depth *d* of inheritance.
  package init(_ model: SourceModel, origin: String) throws(ImportError) {
    self.model = model
    places = try SourceLookup.places(of: model, origin)
    for entity in model.entities {
      try addChain(of: entity, origin)
      try addFields(of: entity, origin)
    }
  }

  private static func places(of model: SourceModel, _ origin: String) throws(ImportError) -> [String: Int] {
    let fieldCount = model.entities.reduce(0) { $0 + $1.attributes.count + $1.relationships.count }
    guard model.entities.count <= SourceModel.maximumEntityCount, fieldCount <= SourceModel.maximumFieldCount else {
      throw ImportError(
        .data,
        "\(origin): the model has \(model.entities.count) entities and \(fieldCount) fields, and at most "
          + "\(SourceModel.maximumEntityCount) and \(SourceModel.maximumFieldCount) are read; check that the file is a model"
      )
    }
    var places: [String: Int] = [:]
    for (place, entity) in model.entities.enumerated() {
      guard !entity.name.isEmpty, places.updateValue(place, forKey: entity.name) == nil else {
        throw ImportError(.data, "\(origin): the entity “\(entity.name)” is declared twice; remove one declaration")
      }
    }
    return places
  }

  private mutating func addChain(of entity: SourceEntity, _ origin: String) throws(ImportError) {
    var (chain, next) = ([entity.name], entity.parent)
    while let name = next {
      guard let place = places[name] else {
        throw ImportError(
          .data,
          "\(origin): the entity \(chain.last ?? "") has the parent “\(name)”, which the model lacks; "
            + "declare it, or remove the parent")
      }
      guard chain.count < SourceLookup.maximumDepth, !chain.contains(name) else {
        throw ImportError(.data, "\(origin): the entity \(entity.name) inherits from itself; remove a parent")
      }
      chain.append(name)
      next = model.entities[place].parent
    }
    chains[entity.name] = chain
    for ancestor in chain { families[ancestor, default: []].append(entity.name) }
  }

  private mutating func addFields(of entity: SourceEntity, _ origin: String) throws(ImportError) {
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    for (place, name) in names.enumerated() {
      guard !name.isEmpty, fieldPlaces.updateValue(place, forKey: SourceField(entity.name, name)) == nil else {
        throw ImportError(
          .data,
          "\(origin): the entity \(entity.name) declares “\(name)” twice or without a name; remove one declaration")
      }
    }
  }

  /// The limit on the ancestors of an entity.
  private static let maximumDepth = 100
}

// MARK: - Entities

extension SourceLookup {
  /// Returns an entity, or `nil` if the model lacks it.
  package func entity(_ name: String) -> SourceEntity? { places[name].map { model.entities[$0] } }

  /// Returns the place of an entity in the order of declaration.
  package func place(of entity: String) -> Int? { places[entity] }

  /// Returns the entity and its ancestors, the root last.
  package func chain(of entity: String) -> [String] { chains[entity] ?? [entity] }

  /// Returns the root of an entity's hierarchy, whose table holds the entity's objects.
  package func root(of entity: String) -> String { chain(of: entity).last ?? entity }

  /// Returns the entity and its descendants in the order of declaration.
  package func family(of entity: String) -> [String] { families[entity] ?? [] }

  /// Returns entities with each one after its ancestors, otherwise in their order.
  package func ancestorsFirst(_ entities: [SourceEntity]) -> [SourceEntity] {
    let ranked = entities.enumerated().map { (depth: chain(of: $1.name).count, place: $0, entity: $1) }
    return ranked.sorted { ($0.depth, $0.place) < ($1.depth, $1.place) }.map(\.entity)
  }

  /// Returns the entities without parents in the order of declaration.
  package var roots: [SourceEntity] { model.entities.filter { $0.parent == nil } }
}

// MARK: - Fields

extension SourceLookup {
  /// Returns an attribute that an entity declares itself.
  package func attribute(_ field: SourceField) -> SourceAttribute? {
    guard let entity = entity(field.entity), let place = fieldPlaces[field] else { return nil }
    return place < entity.attributes.count ? entity.attributes[place] : nil
  }

  /// Returns a relationship that an entity declares itself.
  package func relationship(_ field: SourceField) -> SourceRelationship? {
    guard let entity = entity(field.entity), let place = fieldPlaces[field] else { return nil }
    return place >= entity.attributes.count ? entity.relationships[place - entity.attributes.count] : nil
  }

  /// Returns the place of a field in the declarations of its entity, attributes first.
  package func place(of field: SourceField) -> Int? { fieldPlaces[field] }

  /// Returns the attributes of an entity's objects with the declaring entities: inherited ones first, the root's before others.
  ///
  /// Of an attribute that a child repeats, the declaration nearest to the root counts.
  package func attributes(of entity: String) -> [(field: SourceField, attribute: SourceAttribute)] {
    fields(of: entity) { owner in owner.attributes.map { ($0.name, $0) } }.map { (field: $0.0, attribute: $0.1) }
  }

  /// Returns the relationships of an entity's objects, ordered as in ``attributes(of:)``.
  package func relationships(of entity: String) -> [(field: SourceField, relationship: SourceRelationship)] {
    fields(of: entity) { owner in owner.relationships.map { ($0.name, $0) } }.map { (field: $0.0, relationship: $0.1) }
  }

  private func fields<Field>(of name: String, _ list: (SourceEntity) -> [(String, Field)]) -> [(SourceField, Field)] {
    var (found, names): ([(SourceField, Field)], Set<String>) = ([], [])
    for owner in chain(of: name).reversed() {
      for (field, declaration) in entity(owner).map(list) ?? [] where names.insert(field).inserted {
        found.append((SourceField(owner, field), declaration))
      }
    }
    return found
  }

  /// Returns whether an ancestor declares a field with the same name and kind.
  package func isRepeated(_ field: SourceField) -> Bool {
    let isAttribute = attribute(field) != nil
    return chain(of: field.entity).dropFirst().contains { ancestor in
      let inherited = SourceField(ancestor, field.name)
      return isAttribute ? attribute(inherited) != nil : relationship(inherited) != nil
    }
  }

  /// Returns the relationship that a relationship names as its inverse, or `nil` without one.
  ///
  /// The destination or one of its ancestors declares it. In old models it can name another inverse.
  package func inverse(of field: SourceField) -> (field: SourceField, relationship: SourceRelationship)? {
    guard let relationship = relationship(field), let name = relationship.inverse else { return nil }
    guard entity(relationship.destination) != nil else { return nil }
    for owner in chain(of: relationship.destination).reversed() {
      let inverse = SourceField(owner, name)
      if let declaration = self.relationship(inverse) { return (field: inverse, relationship: declaration) }
    }
    return nil
  }

  /// Returns the inverse if it names the relationship back; `nil` for a one-way relationship.
  package func mutualInverse(of field: SourceField) -> (field: SourceField, relationship: SourceRelationship)? {
    guard let inverse = inverse(of: field), let back = self.inverse(of: inverse.field) else { return nil }
    return back.field == field ? inverse : nil
  }

  /// Returns whether a relationship is its own inverse.
  package func isMirrored(_ field: SourceField) -> Bool { inverse(of: field)?.field == field }

  /// Returns whether one relationship is declared before another one.
  package func isDeclared(_ a: SourceField, before b: SourceField) -> Bool {
    func place(_ field: SourceField) -> (Int, Int) { (places[field.entity] ?? .max, fieldPlaces[field] ?? .max) }
    return place(a) < place(b)
  }
}

#endif
