import Testing

@testable import DaybookModel

/// Relationships that are their own inverses, in models and their changes.
@Suite(.hangLimit) struct MirroredModelTests {
  private static let people = Model(entities: [
    Entity(
      name: "Person",
      attributes: [
        Attribute(name: "age", type: .integer, isOptional: true),
        Attribute(name: "friendCount", type: nil, derivation: .count(relationship: "friends")),
      ],
      relationships: [
        Relationship(name: "friends", target: "Person", inverse: "friends", isMany: true, deleteRule: .deny, most: 5),
        Relationship(name: "partner", target: "Person", inverse: "partner", isOptional: true),
      ],
      indexes: [Index([.init(path: ["partner", "age"])])])
  ])

  /// The same friends as a pair.
  private static let pair = people.changed { model in
    model["Person"].relationships[0].inverse = "friendOf"
    model["Person"].relationships.append(
      Relationship(name: "friendOf", target: "Person", inverse: "friends", isMany: true))
  }

  @Test func oneDeclarationIsBothSides() throws {
    let resolved = try ResolvedModel(creating: Self.people)
    #expect(resolved.checkInvariants() == [])
    let relationships = resolved.entities[0].relationships
    #expect(relationships.map(\.name) == ["friends", "partner"])
    for (number, relationship) in relationships.enumerated() {
      #expect(relationship.isMirrored && relationship.isOwner && !relationship.isInRecord)
      #expect(relationship.inverse == number && relationship.target == 0)
    }
    #expect(resolved.neededVersion == 8)
    #expect(try ResolvedModel(creating: Self.pair).neededVersion == 8)
    #expect(resolved.entities[0].recordLayout.foreignLinks.map(\.name) == ["partner"])
    #expect(EventNames(resolved).model === resolved)
    #expect(try EventNames(resolved).relationship("partner", of: 0).tag == relationships[1].tag)
  }

  @Test func theStoredFormAndTheFileShowTheSame() throws {
    let resolved = try ResolvedModel(creating: Self.people)
    #expect(resolved.model == Self.people)
    #expect(try Model(parsing: Array(Self.people.text.utf8)) == Self.people)
    #expect(Self.people.text.contains(#""inverse": "friends""#))
    #expect(try ResolvedModel(stored: resolved.storedJSON).summary == resolved.summary)
    let text = resolved.storedJSON.text
    #expect(text.contains(#""owner": true"#))
    let unowned = try JSONValue(parsing: text.replacing(#", "owner": true"#, with: ""))
    #expect {
      try ResolvedModel(stored: unowned)
    } throws: { "\($0)".contains("Person.friends: has no owner, or the wrong one") }
  }

  @Test func aSecondOfTheSameNameIsNotItsOwnInverse() {
    let model = Self.people.changed { $0["Person"].relationships.append($0["Person"].relationships[0]) }
    #expect {
      try ResolvedModel(creating: model)
    } throws: { "\($0)".contains("Person.friends: the entity has two relationships of this name") }
  }

  @Test func aRequiredOneIsAllowed() throws {
    let model = Self.people.changed { $0["Person"].relationships[1].isOptional = false }
    let steps = try ResolvedModel(creating: Self.people).evolved(to: model)
    #expect(steps.steps == ["make relationship Person.partner required"])
    #expect(steps.checks.map(\.condition) == [.noEmptyLinks(entity: 0, relationship: 1)])
  }

  @Test func aRenamedOneKeepsItsTag() throws {
    let first = try ResolvedModel(creating: Self.people)
    let renamed = Self.people.changed { model in
      model["Person"].relationships[0].name = "mates"
      model["Person"].relationships[0].inverse = "mates"
      model["Person"].relationships[0].renamedFrom = "friends"
      model["Person"].attributes[1].derivation = .count(relationship: "mates")
    }
    let change = try first.evolved(to: renamed)
    #expect(change.steps.contains("rename relationship Person.friends to mates"))
    let relationship = change.model.entities[0].relationships[0]
    #expect(relationship.name == "mates" && relationship.tag == first.entities[0].relationships[0].tag)
    #expect(relationship.isMirrored && change.model.checkInvariants() == [])
    #expect(first.declaration(leadingTo: change.model).entities[0].relationships[0].renamedFrom == "friends")
    #expect(try change.model.evolved(to: renamed).isEmpty)
  }

  @Test func oneIsAddedAndRemovedAlone() throws {
    let without = Self.people.changed { model in
      model["Person"].relationships.removeFirst()
      model["Person"].attributes.removeLast()
    }
    let removed = try ResolvedModel(creating: Self.people).evolved(to: without)
    #expect(removed.steps == ["remove attribute Person.friendCount", "remove relationship Person.friends"])
    let retired = removed.model.entities[0].relationships[0]
    #expect(retired.isRetired && retired.isMirrored && retired.isOwner && retired.inverse == 0)
    #expect(removed.model.neededVersion == 8 && removed.model.checkInvariants() == [])
    #expect(try ResolvedModel(stored: removed.model.storedJSON).summary == removed.model.summary)
    let added = try removed.model.evolved(to: Self.people)
    #expect(
      added.steps.contains("add relationship Person.friends (to-many Person, deny, most 5, its own inverse)"),
      "\(added.steps)")
    #expect(added.model.entities[0].relationships.map(\.isMirrored) == [true, true, true])
    #expect(added.model.checkInvariants() == [])
  }

  @Test func itBecomesNoPairAndNoOneWayRelationshipNorTheReverse() throws {
    let oneWay = Self.people.changed { $0["Person"].relationships[0].inverse = "" }
    let advice = "declare a new relationship under another name, and relate the objects again"
    for (old, new, fault) in [
      (Self.people, Self.pair, "Person.friends: is its own inverse and cannot get another one; \(advice)"),
      (Self.people, oneWay, "Person.friends: is its own inverse and cannot get another one; \(advice)"),
      (Self.pair, Self.people, "Person.friends: is not its own inverse and cannot become it; \(advice)"),
      (oneWay, Self.people, "Person.friends: is not its own inverse and cannot become it; \(advice)"),
    ] {
      let error = #expect(throws: ModelError.self) { try ResolvedModel(creating: old).evolved(to: new) }
      #expect(error?.faults.map { "\($0)" } == [fault])
    }
  }

  @Test func inAHierarchyTheTargetIsTheEntityThatDeclaresIt() throws {
    var model = Self.people
    model.entities.append(Entity(name: "Player", parent: "Person"))
    let resolved = try ResolvedModel(creating: model)
    #expect(resolved.checkInvariants() == [])
    let inherited = resolved.entities[1].relationships[0]
    #expect(inherited.isMirrored && inherited.entity == 0 && inherited.target == 0)
    for (owner, target, fault) in [
      ("Player", "Person", "Player.rivals: Person has no relationship “rivals”"),
      ("Person", "Player", "Person.rivals: Player inherits the relationship “rivals”"),
    ] {
      let wrong = model.changed {
        $0[owner].relationships.append(Relationship(name: "rivals", target: target, inverse: "rivals", isMany: true))
      }
      let error = #expect(throws: ModelError.self) { try ResolvedModel(creating: wrong) }
      #expect(error?.faults.contains { "\($0)".hasPrefix(fault) } == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test func itMovesToAParentWithItsTag() throws {
    let rivals = Relationship(name: "rivals", target: "Player", inverse: "rivals", isMany: true)
    var model = Model(entities: [
      Entity(name: "Person", attributes: [Attribute(name: "age", type: .integer, isOptional: true)]),
      Entity(name: "Player", parent: "Person", relationships: [rivals]),
    ])
    let first = try ResolvedModel(creating: model)
    model.entities[1].relationships = []
    model.entities[0].relationships = [
      Relationship(name: "rivals", target: "Person", inverse: "rivals", isMany: true)
    ]
    let change = try first.evolved(to: model)
    #expect(change.model.checkInvariants() == [])
    #expect(change.model.entities[0].relationships[0].tag == first.entities[1].relationships[0].tag)
    #expect(change.model.entities[0].relationships[0].isMirrored)
  }

  @Test func derivedEntitiesHaveNone() throws {
    let entity = DerivedEntity(
      Entity(
        name: "Month", attributes: [Attribute(name: "month", type: .string)],
        relationships: [Relationship(name: "next", target: "Month", inverse: "next", isOptional: true)]), key: ["month"]
    )
    #expect {
      try ResolvedModel(creating: Self.people).adding([DerivedModel(projection: "p", reads: [], entities: [entity])])
    } throws: { "\($0)".contains("Month.next: is its own inverse; a link of a derived entity belongs to the row") }
  }
}
