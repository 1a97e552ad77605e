#if Import

import DaybookModel
import Testing

@testable import DaybookImport

/// The relationships of a source as relationships of Daybook.
@Suite(.hangLimit)
struct RelationshipTranslationTests {
  private func translate(
    _ relationships: [String: [SourceRelationship]], options: TranslationOptions = TranslationOptions()
  ) throws -> Translation {
    var model = SourceModel()
    for name in relationships.keys.sorted() {
      var entity = SourceEntity(name: name)
      entity.relationships = relationships[name] ?? []
      model.entities.append(entity)
    }
    return try Translation(of: SourceLookup(model, origin: "test"), options, origin: "test")
  }

  private func relationship(_ translation: Translation, _ entity: String, _ name: String) -> Relationship? {
    translation.entity(entity)?.relationships.first { $0.name == name }?.declaration
  }

  @Test
  func `both sides name each other, with their rules`() throws {
    let translation = try translate([
      "A": [.many("bs", "B", inverse: "a", ordered: true, .cascade)],
      "B": [.one("a", "A", inverse: "bs", isOptional: false, .deny)],
    ])
    #expect(
      relationship(translation, "A", "bs")
        == Relationship(name: "bs", target: "B", inverse: "a", isMany: true, isOrdered: true, deleteRule: .cascade))
    #expect(
      relationship(translation, "B", "a") == Relationship(name: "a", target: "A", inverse: "bs", deleteRule: .deny))
    #expect(translation.report.changed.isEmpty)
  }

  @Test
  func `a relationship whose inverse leads elsewhere is one-way`() throws {
    let translation = try translate([
      "A": [.many("bs", "B", inverse: "a"), .many("others", "B", inverse: "a")], "B": [.one("a", "A", inverse: "bs")],
    ])
    #expect(relationship(translation, "A", "others")?.inverse == "")
    #expect(translation.report.changed.map(\.what) == ["A.others"])
  }

  @Test
  func `of two ordered sides the first one keeps its order`() throws {
    let translation = try translate([
      "A": [.many("bs", "B", inverse: "as", ordered: true)], "B": [.many("as", "A", inverse: "bs", ordered: true)],
    ])
    #expect(relationship(translation, "A", "bs")?.isOrdered == true)
    #expect(relationship(translation, "B", "as")?.isOrdered == false)
    #expect(translation.report.changed.map(\.what) == ["B.as"])
  }

  @Test
  func `no action becomes nullify, and a required list may be empty`() throws {
    var list = SourceRelationship.many("bs", "B", .noAction)
    (list.isOptional, list.maximumCount) = (false, 5)
    let translation = try translate(["A": [list], "B": []])
    #expect(
      relationship(translation, "A", "bs") == Relationship(name: "bs", target: "B", isMany: true, most: 5))
    #expect(translation.report.changed.map(\.to) == ["Nullify", "any number"])
  }

  @Test
  func `a least number of targets is kept`() throws {
    var list = SourceRelationship.many("bs", "B")
    (list.isOptional, list.minimumCount) = (false, 2)
    #expect(relationship(try translate(["A": [list], "B": []]), "A", "bs")?.least == 2)
  }

  @Test
  func `transient relationships and those to absent entities are dropped`() throws {
    var transient = SourceRelationship.one("shown", "B")
    transient.isTransient = true
    let translation = try translate(["A": [transient, .one("lost", "C")], "B": []])
    #expect(translation.model.entities[0].relationships.isEmpty)
    #expect(translation.report.entities[0].relationships.allSatisfy { $0.dropReason != nil })
  }

  @Test
  func `only some entities can be imported`() throws {
    var options = TranslationOptions()
    options.only = ["A"]
    let translation = try translate(["A": [.one("b", "B")], "B": []], options: options)
    #expect(translation.model.entities.map(\.name) == ["A"])
    #expect(translation.report.dropped.map(\.what) == ["B"])
    options.only = ["X"]
    try expectError("“X”") { _ = try translate(["A": []], options: options) }
  }

  @Test
  func `relationships that are their own inverses stay what they are, without an order`() throws {
    let translation = try translate([
      "A": [
        .many("friends", "A", inverse: "friends", .cascade), .many("peers", "A", inverse: "peers", ordered: true),
        .one("partner", "A", inverse: "partner"), .one("twin", "A", inverse: "twin", isOptional: false, .deny),
      ]
    ])
    #expect(
      translation.model.entities[0].relationships == [
        Relationship(name: "friends", target: "A", inverse: "friends", isMany: true, deleteRule: .cascade),
        Relationship(name: "peers", target: "A", inverse: "peers", isMany: true),
        Relationship(name: "partner", target: "A", inverse: "partner", isOptional: true),
        Relationship(name: "twin", target: "A", inverse: "twin", deleteRule: .deny),
      ])
    #expect(translation.report.changed.map(\.what) == ["A.peers"])
  }

  @Test
  func `a renamed relationship that is its own inverse names itself`() throws {
    var options = TranslationOptions()
    options.renames = ["A.friends": "mates"]
    let translation = try translate(["A": [.many("friends", "A", inverse: "friends")]], options: options)
    #expect(
      translation.model.entities[0].relationships
        == [Relationship(name: "mates", target: "A", inverse: "mates", isMany: true)])
  }

  @Test
  func `models without entities are refused`() throws {
    try expectError("no entities") {
      _ = try Translation(of: SourceLookup(SourceModel(), origin: "test"), origin: "test")
    }
  }
}

#endif
