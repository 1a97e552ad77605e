/// Resolves the names of a model to the numbers of the declarations.
///
/// The model may be wrong: of several parts with one name the first is found, and a name that refers to nothing throws
/// the complaint to show. Validation collects these complaints; the builder, which runs after it, causes none.
///
/// An entity has the fields of its ancestors too: their numbers follow its own, the nearest ancestor's first.
struct ModelLookup {
  /// The model as it was declared.
  let declared: Model
  /// The model in which each entity has the fields of its ancestors after its own.
  let model: Model
  /// The numbers of the ancestors of each entity, the parent first; they end before one that would be there twice.
  let ancestors: [[Int]]
  /// Where the attributes of each entity are declared.
  let attributeOrigins: [[Origin]]
  /// Where the relationships of each entity are declared.
  let relationshipOrigins: [[Origin]]
  private let entityByName: [String: Int]
  private let attributesByName: [[String: Int]]
  private let relationshipsByName: [[String: Int]]

  /// The reason why a name was not found, and the remedy.
  struct Complaint: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  /// The declaration of a field: the number of the entity, and the number there.
  struct Origin: Hashable {
    let entity: Int
    let number: Int
  }

  init(_ declared: Model) {
    self.declared = declared
    let entityByName = ModelLookup.numbers(of: declared.entities.map(\.name))
    self.entityByName = entityByName
    let parents = declared.entities.map { $0.parent.flatMap { entityByName[$0] } }
    let ancestors = parents.indices.map { ModelLookup.ancestors(of: $0, parents) }
    self.ancestors = ancestors
    var model = declared
    var (attributes, relationships): ([[Origin]], [[Origin]]) = ([], [])
    for (number, entity) in declared.entities.enumerated() {
      attributes.append(entity.attributes.indices.map { Origin(entity: number, number: $0) })
      relationships.append(entity.relationships.indices.map { Origin(entity: number, number: $0) })
      for ancestor in ancestors[number] {
        let inherited = declared.entities[ancestor]
        model.entities[number].attributes += inherited.attributes
        attributes[number] += inherited.attributes.indices.map { Origin(entity: ancestor, number: $0) }
        model.entities[number].relationships += inherited.relationships
        relationships[number] += inherited.relationships.indices.map { Origin(entity: ancestor, number: $0) }
      }
    }
    self.model = model
    (attributeOrigins, relationshipOrigins) = (attributes, relationships)
    attributesByName = model.entities.map { ModelLookup.numbers(of: $0.attributes.map(\.name)) }
    relationshipsByName = model.entities.map { ModelLookup.numbers(of: $0.relationships.map(\.name)) }
  }

  private static func ancestors(of entity: Int, _ parents: [Int?]) -> [Int] {
    var ancestors: [Int] = []
    var next = parents[entity]
    while let number = next, number != entity, !ancestors.contains(number) {
      ancestors.append(number)
      next = parents[number]
    }
    return ancestors
  }

  static func numbers(of names: [String]) -> [String: Int] {
    Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func entity(_ name: String) -> Int? { entityByName[name] }
  func attribute(_ name: String, of entity: Int) -> Int? { attributesByName[entity][name] }
  func relationship(_ name: String, of entity: Int) -> Int? { relationshipsByName[entity][name] }

  subscript(_ reference: RelationshipReference) -> Relationship {
    model.entities[reference.entity].relationships[reference.relationship]
  }

  /// Returns the reference to a relationship in the entity that declares it.
  func origin(of reference: RelationshipReference) -> RelationshipReference {
    let origin = relationshipOrigins[reference.entity][reference.relationship]
    return RelationshipReference(entity: origin.entity, relationship: origin.number)
  }

  /// Returns the inverse relationship, whether or not it names this one as its inverse.
  ///
  /// The target itself declares it, and none of the target's ancestors.
  func inverse(of reference: RelationshipReference) -> RelationshipReference? {
    let relationship = self[reference]
    guard let target = entity(relationship.target),
      let inverse = self.relationship(relationship.inverse, of: target),
      inverse < declared.entities[target].relationships.count
    else { return nil }
    return RelationshipReference(entity: target, relationship: inverse)
  }

  /// Returns whether the links of a relationship belong to its side, by the declarations alone.
  ///
  /// They belong to the side that is not hidden, or else to the to-one side; of two sides alike to the ordered one, or else
  /// to the one declared first. A relationship that is its own inverse owns its links.
  func isOwner(_ reference: RelationshipReference) -> Bool {
    let reference = origin(of: reference)
    guard let other = inverse(of: reference) else { return true }
    let (here, there) = (self[reference], self[other])
    if here.isHidden != there.isHidden { return there.isHidden }
    if here.isMany != there.isMany { return !here.isMany }
    if here.isOrdered != there.isOrdered { return here.isOrdered }
    return (reference.entity, reference.relationship) <= (other.entity, other.relationship)
  }

  /// Returns whether a relationship is its own inverse.
  func isMirrored(_ reference: RelationshipReference) -> Bool { inverse(of: reference) == origin(of: reference) }
}

extension ModelLookup {
  /// Resolves the source of a derived attribute.
  func derivation(_ derivation: Derivation, of entity: Int) throws(Complaint) -> ResolvedDerivation {
    let (kind, relationshipName, attributeName) = derivation.parts
    let owner = model.entities[entity].name
    guard let number = relationship(relationshipName, of: entity) else {
      throw Complaint("\(owner) has no relationship “\(relationshipName)” to derive from")
    }
    let relationship = model.entities[entity].relationships[number]
    guard relationship.isMany else {
      throw Complaint("“\(relationshipName)” is to-one; an attribute is derived from a to-many relationship")
    }
    guard let attributeName else { return ResolvedDerivation(kind: kind, relationship: number, attribute: nil) }
    guard let target = self.entity(relationship.target), let source = attribute(attributeName, of: target) else {
      throw Complaint("\(relationship.target) has no attribute “\(attributeName)” to derive from")
    }
    let attribute = model.entities[target].attributes[source]
    guard attribute.derivation == nil else {
      throw Complaint("\(relationship.target).\(attributeName) is itself derived; derive from a stored attribute")
    }
    if let type = attribute.type, !kind.sources.contains(type) {
      let allowed = kind.sources.map(\.rawValue).joined(separator: ", ")
      throw Complaint(
        "\(relationship.target).\(attributeName) is \(type.nounPhrase); this can be derived from \(allowed)")
    }
    return ResolvedDerivation(kind: kind, relationship: number, attribute: source)
  }

  /// Returns the type and order of an attribute's values, or `nil` if its declaration is wrong.
  func values(of attribute: Int, of entity: Int) -> (type: AttributeType, order: StringOrder)? {
    let declared = model.entities[entity].attributes[attribute]
    guard let derivation = declared.derivation else { return declared.type.map { ($0, declared.order) } }
    // A wrong derivation is reported where it is declared.
    guard let resolved = try? self.derivation(derivation, of: entity) else { return nil }
    guard let source = resolved.attribute else { return (.integer, .codepoint) }
    guard let target = self.entity(model.entities[entity].relationships[resolved.relationship].target) else {
      return nil
    }
    let attribute = model.entities[target].attributes[source]
    return attribute.type.map { ($0, attribute.order) }
  }
}

/// The look-ups in a validated model.
///
/// ``ModelValidation`` made each of them before, so all succeed; a failure here is a mistake in it, and traps.
extension ModelLookup {
  func valid<Found>(_ find: () throws(Complaint) -> Found) -> Found {
    do throws(Complaint) {
      return try find()
    } catch {
      preconditionFailure("a validated model did not resolve: \(error.message)")
    }
  }

  func validEntity(_ name: String) -> Int {
    guard let number = entity(name) else { preconditionFailure("a validated model lacks the entity “\(name)”") }
    return number
  }

  func validAttribute(_ name: String, of entity: Int) -> Int {
    guard let number = attribute(name, of: entity) else {
      preconditionFailure("a validated model lacks the attribute “\(name)”")
    }
    return number
  }

  func validValues(of attribute: Int, of entity: Int) -> (type: AttributeType, order: StringOrder) {
    guard let values = values(of: attribute, of: entity) else {
      preconditionFailure("an attribute of a validated model has no type")
    }
    return values
  }

  func validInverse(of reference: RelationshipReference) -> RelationshipReference {
    guard let inverse = inverse(of: reference) else {
      preconditionFailure("a relationship of a validated model has no inverse")
    }
    return inverse
  }
}
