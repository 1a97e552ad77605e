import Daybook
import DaybookModel
import DaybookTestSupport

/// Models for random tests: fixed ones with every feature, and ones drawn from a seed.
enum ModelZoo {
  static func model(_ number: UInt64, _ random: inout SeededRandom) -> Model {
    switch number % 6 {
    case 0: recipes
    case 1: kitchen
    case 2: people
    default: randomModel(&random)
    }
  }

  static func valid(_ model: Model) -> Bool {
    (try? ResolvedModel(creating: model)) != nil  // The reason for an invalid model has no effect.
  }

  /// The model of the command line's documentation, with additional rules.
  static let recipes = Model(
    entities: [
      Entity(
        name: "Recipe", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string, order: .natural),
          Attribute(name: "servings", type: .integer, defaultValue: 1),
          Attribute(name: "note", type: .string, isOptional: true),
          Attribute(name: "ingredientCount", type: nil, derivation: .count(relationship: "ingredients")),
          Attribute(name: "weight", type: nil, derivation: .sum(relationship: "ingredients", attribute: "grams")),
          Attribute(name: "firstName", type: nil, derivation: .minimum(relationship: "ingredients", attribute: "name")),
        ],
        relationships: [
          Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true),
          Relationship(
            name: "ingredients", target: "Ingredient", inverse: "recipe", isMany: true, isOrdered: true,
            deleteRule: .cascade),
          Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true),
        ],
        unique: [["name"], ["type", "servings"]],
        indexes: [
          Index([.init(path: ["type", "name"]), .init(path: ["name"])]),
          Index([.init(path: ["changedAt"], .descending)]),
          Index([.init(path: ["weight"], .descending), .init(path: ["servings"])]), Index([.init(path: ["firstName"])]),
        ]),
      Entity(
        name: "RecipeType", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string, order: .caseInsensitive),
          Attribute(name: "largest", type: nil, derivation: .maximum(relationship: "recipes", attribute: "servings")),
        ],
        relationships: [
          Relationship(name: "recipes", target: "Recipe", inverse: "type", isMany: true, deleteRule: .deny)
        ]),
      Entity(
        name: "Ingredient", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "grams", type: .double, isOptional: true),
        ],
        relationships: [Relationship(name: "recipe", target: "Recipe", inverse: "ingredients")],
        indexes: [
          Index([.init(path: ["recipe", "type", "name"], .descending), .init(path: ["grams"])]),
          Index([.init(path: ["recipe", "changedAt"]), .init(path: ["name"], .descending)]),
          Index([.init(path: ["recipe", "ingredientCount"])]),
        ]),
      Entity(
        name: "Tag", nameAttribute: "name", attributes: [Attribute(name: "name", type: .string)],
        relationships: [
          Relationship(name: "recipes", target: "Recipe", inverse: "tags", isMany: true)
        ], unique: [["name"]]),
    ],
    events: [
      EventType(
        name: "RecipeCooked", about: "Recipe",
        attributes: [
          Attribute(name: "servings", type: .integer), Attribute(name: "verdict", type: .string, isOptional: true),
        ]),
      EventType(name: "Bought", about: "Ingredient"),
    ])

  /// Every type of attribute, optional and with a default, with views and constraints.
  static let kitchen: Model = {
    let types = AttributeType.allCases
    var attributes = types.map { Attribute(name: "\($0)Value", type: $0, isOptional: true) }
    attributes += types.map { Attribute(name: "\($0)Default", type: $0, isOptional: true, defaultValue: sample($0)) }
    attributes.append(Attribute(name: "folded", type: .string, isOptional: true, order: .caseInsensitive))
    attributes.append(Attribute(name: "natural", type: .string, isOptional: true, order: .natural))
    let sortable = types.filter { $0 != .data && $0 != .codable }
    var indexes = sortable.map {
      Index([.init(path: ["\($0)Value"], SortDirection(isDescending: $0 == .decimal || $0 == .string))])
    }
    indexes.append(Index([.init(path: ["folded"], .descending), .init(path: ["natural"])]))
    indexes.append(Index([.init(path: ["natural"]), .init(path: ["stringValue"])]))
    indexes.append(Index([.init(path: ["shelf", "label"]), .init(path: ["stringValue"], .descending)]))
    indexes.append(Index([.init(path: ["shelf", "lowest"]), .init(path: ["shelf", "total"], .descending)]))
    return Model(
      entities: [
        Entity(
          name: "Thing", attributes: attributes,
          relationships: [
            Relationship(name: "shelf", target: "Shelf", inverse: "things", isOptional: true),
            Relationship(name: "lid", target: "Lid", inverse: "thing", isOptional: true, deleteRule: .cascade),
          ],
          unique: [
            ["stringValue", "integerValue"], ["decimalValue"], ["dataValue"], ["shelf", "booleanValue", "dateValue"],
          ],
          indexes: indexes),
        Entity(
          name: "Shelf", nameAttribute: "label",
          attributes: [
            Attribute(name: "label", type: .string, isOptional: true),
            Attribute(name: "total", type: nil, derivation: .sum(relationship: "things", attribute: "decimalValue")),
            Attribute(name: "doubles", type: nil, derivation: .sum(relationship: "things", attribute: "doubleValue")),
            Attribute(name: "integers", type: nil, derivation: .sum(relationship: "things", attribute: "integerValue")),
            Attribute(name: "lowest", type: nil, derivation: .minimum(relationship: "things", attribute: "dateValue")),
            Attribute(name: "greatest", type: nil, derivation: .maximum(relationship: "things", attribute: "folded")),
          ],
          relationships: [Relationship(name: "things", target: "Thing", inverse: "shelf", isMany: true)],
          indexes: [
            Index([.init(path: ["greatest"], .descending)]),
            Index([.init(path: ["integers"]), .init(path: ["doubles"])]),
          ]),
        Entity(
          name: "Lid", attributes: [Attribute(name: "size", type: .integer)],
          relationships: [Relationship(name: "thing", target: "Thing", inverse: "lid")],
          indexes: [Index([.init(path: ["thing", "shelf", "label"]), .init(path: ["size"])])]),
      ],
      events: [
        EventType(
          name: "Checked", about: "Thing",
          attributes: types.map { Attribute(name: "\($0)Value", type: $0, isOptional: true) }
            + types.map { Attribute(name: "\($0)Default", type: $0, defaultValue: sample($0)) })
      ])
  }()

  /// Relationships of an entity with itself, of every kind.
  static let people = Model(
    entities: [
      Entity(
        name: "Person", nameAttribute: "name",
        attributes: [
          Attribute(name: "name", type: .string), Attribute(name: "age", type: .integer, isOptional: true),
          Attribute(name: "childCount", type: nil, derivation: .count(relationship: "children")),
          Attribute(name: "ages", type: nil, derivation: .sum(relationship: "friends", attribute: "age")),
          Attribute(name: "oldest", type: nil, derivation: .maximum(relationship: "children", attribute: "age")),
          Attribute(name: "mateCount", type: nil, derivation: .count(relationship: "mates")),
          Attribute(name: "mateAges", type: nil, derivation: .sum(relationship: "mates", attribute: "age")),
          Attribute(name: "youngestMate", type: nil, derivation: .minimum(relationship: "mates", attribute: "age")),
        ],
        relationships: [
          Relationship(name: "parent", target: "Person", inverse: "children", isOptional: true),
          Relationship(
            name: "children", target: "Person", inverse: "parent", isMany: true, isOrdered: true, deleteRule: .cascade),
          Relationship(name: "friends", target: "Person", inverse: "friendOf", isMany: true, isOrdered: true),
          Relationship(name: "friendOf", target: "Person", inverse: "friends", isMany: true),
          Relationship(name: "partner", target: "Person", inverse: "partnerOf", isOptional: true),
          Relationship(name: "partnerOf", target: "Person", inverse: "partner", isOptional: true, deleteRule: .cascade),
          Relationship(name: "knows", target: "Person", inverse: "knownBy", isMany: true, deleteRule: .deny),
          Relationship(name: "knownBy", target: "Person", inverse: "knows", isMany: true),
          Relationship(name: "mates", target: "Person", inverse: "mates", isMany: true),
          Relationship(name: "spouse", target: "Person", inverse: "spouse", isOptional: true),
          Relationship(name: "twin", target: "Person", inverse: "twin", isOptional: true, deleteRule: .cascade),
        ],
        unique: [["parent", "name"], ["partner"]],
        indexes: [
          Index([.init(path: ["parent", "parent", "name"]), .init(path: ["name"])]),
          Index([.init(path: ["partnerOf", "name"]), .init(path: ["partner"], .descending)]),
          Index([.init(path: ["parent", "childCount"], .descending), .init(path: ["ages"])]),
          Index([.init(path: ["parent", "changedAt"]), .init(path: ["oldest"])]),
          Index([.init(path: ["spouse", "name"]), .init(path: ["mateCount"], .descending)]),
          Index([.init(path: ["twin", "spouse", "age"]), .init(path: ["mateAges"])]),
        ])
    ], events: [EventType(name: "Met", about: "Person", attributes: [Attribute(name: "place", type: .string)])])

  /// Returns a fixed value of a type.
  static func sample(_ type: AttributeType) -> Value {
    switch type {
    case .string: "sample"
    case .integer: 7
    case .double: 2.5
    case .decimal: .decimal(1.25)
    case .boolean: true
    case .date: .date(Timestamp(microseconds: 1_000_000))
    case .uuid: .uuid(ObjectID(high: 1, low: 2))
    case .data: .data([1, 2, 3])
    case .codable: .data(Array("[1]".utf8))
    }
  }
}

/// Models drawn from a seed.
extension ModelZoo {
  static func randomModel(_ random: inout SeededRandom) -> Model {
    var model = Model(
      entities: (0..<random.number(1...4)).map { number in
        var entity = Entity(name: "E\(number)")
        for index in 0..<random.number(1...5) { entity.attributes.append(attribute("a\(index)", &random)) }
        if number > 0, random.isTrue(percent: 30) { return child("E\(random.number(0..<number))", entity, &random) }
        if random.isTrue(percent: 70) {
          entity.attributes.append(Attribute(name: "name", type: .string, isOptional: random.isTrue(percent: 30)))
          entity.nameAttribute = "name"
        }
        return entity
      })
    for number in 0..<random.number(1...6) { addRelationship("r\(number)", to: &model, &random) }
    for number in 0..<random.number(0...5) { addDerived("d\(number)", to: &model, &random) }
    for _ in 0..<random.number(0...4) { addUnique(to: &model, &random) }
    for _ in 0..<random.number(0...8) { addIndex(to: &model, &random) }
    for number in 0..<random.number(0...2) { addEvent("Event\(number)", to: &model, &random) }
    let parents = Set(model.entities.compactMap(\.parent))
    for number in model.entities.indices where parents.contains(model.entities[number].name) {
      model.entities[number].isAbstract = random.isTrue(percent: 40)
    }
    precondition(valid(model), "A random model is put together of valid parts.")
    return model
  }

  /// Makes an entity a child of another one, with fields under names that no ancestor has.
  private static func child(_ parent: String, _ entity: Entity, _ random: inout SeededRandom) -> Entity {
    var entity = entity
    entity.parent = parent
    for index in entity.attributes.indices { entity.attributes[index].name = "\(entity.name)\(index)" }
    return entity
  }

  static func addEvent(_ name: String, to model: inout Model, _ random: inout SeededRandom) {
    var event = EventType(name: name, about: random.pick(model.entities).name)
    for index in 0..<random.number(0...3) {
      var attribute = attribute("a\(index)", &random)
      attribute.order = .codepoint
      event.attributes.append(attribute)
    }
    model.events.append(event)
  }

  private static func attribute(_ name: String, _ random: inout SeededRandom) -> Attribute {
    let type = random.pick(AttributeType.allCases)
    return Attribute(
      name: name, type: type, isOptional: random.isTrue(percent: 70),
      defaultValue: random.isTrue(percent: 40) ? sample(type) : .null,
      order: type == .string ? random.pick(BackwardCollation.allOrders) : .codepoint)
  }

  static func addRelationship(_ name: String, to model: inout Model, _ random: inout SeededRandom) {
    let (here, there) = (
      random.number(0...(model.entities.count - 1)), random.number(0...(model.entities.count - 1))
    )
    let (isMany, isManyBack) = (random.isTrue(percent: 50), random.isTrue(percent: 60))
    let isOrdered = isMany && random.isTrue(percent: 40)
    func isOptional(_ isMany: Bool, _ random: inout SeededRandom) -> Bool { !isMany && random.isTrue(percent: 80) }
    func rule(_ random: inout SeededRandom) -> DeleteRule {
      random.isTrue(percent: 50) ? .nullify : random.isTrue(percent: 70) ? .cascade : .deny
    }
    let names = (model.entities[here].name, model.entities[there].name)
    if here == there, random.isTrue(percent: 50) {
      model.entities[here].relationships.append(
        Relationship(
          name: name, target: names.0, inverse: name, isMany: isMany, isOptional: isOptional(isMany, &random),
          deleteRule: rule(&random)))
      return
    }
    model.entities[here].relationships.append(
      Relationship(
        name: name, target: names.1, inverse: name + "Back", isMany: isMany,
        isOptional: isOptional(isMany, &random), isOrdered: isOrdered, deleteRule: rule(&random)))
    model.entities[there].relationships.append(
      Relationship(
        name: name + "Back", target: names.0, inverse: name, isMany: isManyBack,
        isOptional: isOptional(isManyBack, &random),
        isOrdered: isManyBack && !(isMany && isOrdered) && random.isTrue(percent: 40), deleteRule: rule(&random)))
  }

  static func addDerived(_ name: String, to model: inout Model, _ random: inout SeededRandom) {
    let number = random.number(0...(model.entities.count - 1))
    let whole = model.whole
    let many = whole.entities[number].relationships.filter(\.isMany)
    guard !many.isEmpty else { return }
    let relationship = random.pick(many)
    let source = random.pick(whole.entities.first { $0.name == relationship.target }!.attributes).name
    let derivation: Derivation =
      switch random.number(0...3) {
      case 0: .count(relationship: relationship.name)
      case 1: .sum(relationship: relationship.name, attribute: source)
      case 2: .minimum(relationship: relationship.name, attribute: source)
      default: .maximum(relationship: relationship.name, attribute: source)
      }
    var changed = model
    changed.entities[number].attributes.append(Attribute(name: name, type: nil, derivation: derivation))
    if valid(changed) { model = changed }
  }

  static func addUnique(to model: inout Model, _ random: inout SeededRandom) {
    let number = random.number(0...(model.entities.count - 1))
    let entity = model.whole.entities[number]
    let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
    var changed = model
    changed.entities[number].unique.append((0..<random.number(1...3)).map { _ in random.pick(names) })
    if valid(changed) { model = changed }
  }

  static func addIndex(to model: inout Model, _ random: inout SeededRandom) {
    let number = random.number(0...(model.entities.count - 1))
    var changed = model
    let terms = (0..<random.number(1...3)).map { _ in
      SortTerm(
        path: path(from: model.entities[number], in: model, &random),
        SortDirection(isDescending: random.isTrue(percent: 40)))
    }
    changed.entities[number].indexes.append(Index(terms))
    if valid(changed) { model = changed }
  }

  /// Draws a path to a field, over up to two to-one relationships.
  static func path(from entity: Entity, in model: Model, _ random: inout SeededRandom) -> [String] {
    let model = model.whole
    var (path, entity): ([String], Entity) = ([], model.entities.first { $0.name == entity.name }!)
    while path.count < 2 {
      let toOne = entity.relationships.filter { !$0.isMany }
      guard !toOne.isEmpty, random.isTrue(percent: 50) else { break }
      let step = random.pick(toOne)
      path.append(step.name)
      entity = model.entities.first { $0.name == step.target }!
    }
    let ends = entity.attributes.filter { $0.type != .data && $0.type != .codable }.map(\.name)
    return path + [random.pick(ends + ["createdAt", "changedAt", "id"])]
  }
}
