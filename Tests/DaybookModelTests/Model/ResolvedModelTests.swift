import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct ResolvedModelTests {
  @Test func numbersAndTagsEverything() throws {
    let resolved = try ResolvedModel(creating: recipes())
    #expect(resolved.checkInvariants() == [])
    #expect(resolved.nextTag == 26)
    let recipe = resolved.entities[0]
    #expect(recipe.tag == Tag(1) && recipe.indexes[0].tag == Tag(2))
    #expect(recipe.attributes.map(\.tag.number) == [3, 4, 5, 6])
    #expect(recipe.relationships.map(\.tag.number) == [7, 8, 9])
    #expect(recipe.indexes.map(\.tag.number) == [2, 10, 11])
    #expect(recipe.constraints.map(\.tag.number) == [12])
    #expect(recipe.nameAttribute == 0)
    #expect(resolved.entities[1].tag == Tag(13))
    #expect(resolved.entity(named: "Tag") == 3 && resolved.entity(named: "Nothing") == nil)
    #expect(resolved.entity(tagged: Tag(13)) == 1 && resolved.entity(tagged: Tag(14)) == nil)
    #expect(resolved.entity(tagged: Tag(0)) == nil && resolved.entity(tagged: Tag(9_999)) == nil)
    #expect(recipe.attribute(named: "note") == 2 && recipe.attribute(tagged: Tag(5)) == 2)
    #expect(recipe.relationship(named: "tags") == 2)
    #expect(resolved.relationship(tagged: Tag(8)) == RelationshipReference(entity: 0, relationship: 1))
    #expect(resolved[RelationshipReference(entity: 0, relationship: 1)].name == "ingredients")
  }

  @Test func resolvesIndexesAndConstraints() throws {
    let recipe = try ResolvedModel(creating: recipes()).entities[0]
    let name = ResolvedPath(start: 0, field: .attribute(0), type: .string, order: .natural)
    let type = ResolvedPath.Step(
      relationship: RelationshipReference(entity: 0, relationship: 0), target: 1, isMany: false)
    #expect(
      recipe.indexes.map(\.terms) == [
        [
          ResolvedTerm(
            path: ResolvedPath(start: 0, field: .createdAt, type: .date), isDescending: false, type: .date,
            order: .codepoint)
        ],
        [
          ResolvedTerm(
            path: ResolvedPath(start: 0, steps: [type], field: .attribute(0), type: .string), isDescending: false,
            type: .string, order: .codepoint),
          ResolvedTerm(path: name, isDescending: false, type: .string, order: .natural),
        ],
        [
          ResolvedTerm(
            path: ResolvedPath(start: 0, field: .changedAt, type: .date), isDescending: true, type: .date,
            order: .codepoint)
        ],
      ])
    #expect(recipe.constraints.map(\.fields) == [[.attribute(0)]])
  }

  @Test func givesDerivedAttributesTheirTypes() throws {
    let model = try recipes().changed {
      $0["Ingredient"].attributes += [
        Attribute(name: "grams", type: .double, isOptional: true),
        Attribute(name: "label", type: .string, order: .natural),
      ]
      $0["Recipe"].attributes += [
        Attribute(name: "grams", type: nil, derivation: .sum(relationship: "ingredients", attribute: "grams")),
        Attribute(name: "least", type: nil, derivation: .minimum(relationship: "ingredients", attribute: "label")),
        Attribute(name: "most", type: nil, derivation: .maximum(relationship: "ingredients", attribute: "grams")),
      ]
      $0["Recipe"].indexes.append(Index([.init(path: ["least"])]))
    }
    let recipe = try ResolvedModel(creating: model).entities[0]
    let derived = recipe.attributes[3...]
    #expect(derived.map(\.type) == [.integer, .double, .string, .double])
    #expect(derived.map(\.isOptional) == [false, false, true, true])
    #expect(derived.map(\.order) == [.codepoint, .codepoint, .natural, .codepoint])
    #expect(derived.map(\.derivation?.kind) == [.count, .sum, .minimum, .maximum])
    #expect(derived.map(\.derivation?.attribute) == [nil, 2, 3, 2])
    #expect(derived.map(\.derivation?.relationship) == [1, 1, 1, 1])
    #expect(recipe.indexes[3].terms[0].order == .natural)
  }

  /// The kind of each side (one, many, ordered), and which side owns the links.
  static let pairs: [(first: String, second: String, firstOwns: Bool)] = [
    ("one", "one", true), ("one", "many", true), ("one", "ordered", true), ("many", "one", false),
    ("ordered", "one", false), ("many", "many", true), ("ordered", "many", true), ("many", "ordered", false),
  ]

  @Test(arguments: pairs)
  func givesEachLinkOneOwner(pair: (first: String, second: String, firstOwns: Bool)) throws {
    let first = Relationship(
      name: "a", target: "B", inverse: "b", isMany: pair.first != "one", isOrdered: pair.first == "ordered")
    let second = Relationship(
      name: "b", target: "A", inverse: "a", isMany: pair.second != "one", isOrdered: pair.second == "ordered")
    let model = Model(entities: [Entity(name: "A", relationships: [first]), Entity(name: "B", relationships: [second])])
    let resolved = try ResolvedModel(creating: model)
    #expect(resolved.entities[0].relationships[0].isOwner == pair.firstOwns)
    #expect(resolved.entities[1].relationships[0].isOwner == !pair.firstOwns)
    // The owner stays when the declarations change places.
    let turned = Model(entities: model.entities.reversed() + [Entity(name: "C")])
    let evolved = try resolved.evolved(to: turned).model
    #expect(evolved.entities[0].relationships[0].isOwner == pair.firstOwns)
    #expect(try ResolvedModel(stored: evolved.storedJSON).summary == evolved.summary)
  }

  @Test func storesDefaultsInTheirOneForm() throws {
    let model = Model(entities: [
      Entity(
        name: "A",
        attributes: [
          Attribute(name: "a", type: .codable, defaultValue: .data(Array(#"{ "b": 1, "a": 2 }"#.utf8))),
          Attribute(name: "b", type: .codable, defaultValue: .data(Array("null".utf8) + [])),
        ])
    ])
    #expect(throws: ModelError.self) { try ResolvedModel(creating: model) }
    let right = model.changed { $0.entities[0].attributes.removeLast() }
    #expect(
      try ResolvedModel(creating: right).entities[0].attributes[0].defaultValue == .data(Array(#"{"a":2,"b":1}"#.utf8)))
  }
}
