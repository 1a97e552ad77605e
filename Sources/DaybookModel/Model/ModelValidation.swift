/// Finds all faults of a model.
struct ModelValidation {
  /// The model as it was declared, or with the hidden inverses that are stored.
  let declared: Model
  /// The model with all of its hidden inverses, which follow the declared relationships of an entity.
  let model: Model
  let lookup: ModelLookup
  /// Whether entities and relationships may have names that no model of a user has: the names of Daybook's own entities
  /// (``ModelNames/ownPrefix``) and of hidden inverses (``Relationship/isHidden``).
  var allowsHidden = false
  var faults: [Fault] = []

  /// Returns all faults of the model in the order of its declarations; none if it is valid.
  static func faults(of model: Model, allowingHidden allowsHidden: Bool = false) -> [Fault] {
    // What is stored has all of them, or is damaged.
    let completed = allowsHidden ? model : model.completed()
    var validation = ModelValidation(
      declared: model, model: completed, lookup: ModelLookup(completed), allowsHidden: allowsHidden)
    validation.checkEntities()
    validation.checkEvents()
    return validation.faults
  }

  mutating func add(_ place: String, _ message: String) {
    faults.append(Fault(place, message))
  }

  private mutating func checkEntities() {
    let places = model.entities.enumerated().map { index, entity in
      entity.name.isEmpty ? "entities[\(index)]" : entity.name
    }
    for (index, entity) in model.entities.enumerated() {
      if let complaint = ModelNames.complaint(aboutEntity: entity.name, allowingOwn: allowsHidden) {
        add(places[index], complaint)
      }
      if lookup.entity(entity.name) != index { add(places[index], "the model has two entities of this name") }
    }
    checkRenames(model.entities.map { ($0.name, $0.renamedFrom) }, places: places)
    for (index, place) in places.enumerated() { checkParent(of: index, place: place) }
    for (index, place) in places.enumerated() {
      checkFields(of: index, place: place)
      checkNameAttribute(of: index, place: place)
      checkUnique(of: index, place: place)
      checkIndexes(of: index, place: place)
      checkGroups(of: index, place: place)
    }
  }

  private mutating func checkFields(of entity: Int, place: String) {
    let declared = model.entities[entity]
    let attributes = declared.attributes.enumerated().map { index, attribute in
      attribute.name.isEmpty ? "\(place).attributes[\(index)]" : "\(place).\(attribute.name)"
    }
    let relationships = declared.relationships.enumerated().map { index, relationship in
      relationship.name.isEmpty ? "\(place).relationships[\(index)]" : "\(place).\(relationship.name)"
    }
    for (index, attribute) in declared.attributes.enumerated() {
      if let complaint = ModelNames.complaint(aboutField: attribute.name) { add(attributes[index], complaint) }
      if lookup.attribute(attribute.name, of: entity) != index {
        add(attributes[index], "the entity has two attributes of this name")
      }
      check(attribute, of: entity, place: attributes[index])
    }
    for (index, relationship) in declared.relationships.enumerated() {
      let isHidden =
        relationship.isHidden && (allowsHidden || index >= self.declared.entities[entity].relationships.count)
      if !isHidden, let complaint = ModelNames.complaint(aboutField: relationship.name) {
        add(relationships[index], complaint)
      }
      if lookup.relationship(relationship.name, of: entity) != index {
        add(relationships[index], "the entity has two relationships of this name")
      }
      if lookup.attribute(relationship.name, of: entity) != nil {
        add(relationships[index], "the entity has an attribute and a relationship of this name; rename one")
      }
      check(RelationshipReference(entity: entity, relationship: index), place: relationships[index])
    }
    checkRenames(declared.attributes.map { ($0.name, $0.renamedFrom) }, places: attributes)
    checkRenames(declared.relationships.map { ($0.name, $0.renamedFrom) }, places: relationships)
  }

  /// Checks the `renamedFrom` of parts of one kind.
  mutating func checkRenames(_ things: [(name: String, from: String?)], places: [String]) {
    let numbers = ModelLookup.numbers(of: things.map(\.name))
    var takers: [String: Int] = [:]
    for (index, thing) in things.enumerated() {
      guard let from = thing.from else { continue }
      if from == thing.name {
        add(places[index], "“renamedFrom” is its own name; leave it out")
        continue
      }
      if takers.updateValue(index, forKey: from) != nil {
        add(places[index], "two things are “renamedFrom” “\(from)”; only one can be")
      }
      // The chain of former names must not return here: exchanging names needs a third name.
      var name = from
      var steps = 0
      while let number = numbers[name], let next = things[number].from, next != thing.name, steps < things.count {
        name = next
        steps += 1
      }
      if let number = numbers[name], things[number].from == thing.name {
        add(places[index], "names cannot be exchanged in one change; rename to another name first")
      }
    }
  }
}
