@testable import DaybookModel

/// The example in the command's documentation.
let recipesText = """
  {"entities": [
    {"name": "Recipe", "nameAttribute": "name",
     "attributes": [
       {"name": "name", "type": "string", "order": "natural"},
       {"name": "servings", "type": "integer", "default": 1},
       {"name": "note", "type": "string", "optional": true},
       {"name": "ingredientCount", "derived": {"count": "ingredients"}}],
     "relationships": [
       {"name": "type", "to": "RecipeType", "inverse": "recipes", "optional": true},
       {"name": "ingredients", "to": "Ingredient", "many": true, "ordered": true, "inverse": "recipe", "onDelete": "cascade"},
       {"name": "tags", "to": "Tag", "many": true, "inverse": "recipes"}],
     "unique": [["name"]],
     "indexes": [["type.name", "name"], ["changedAt:desc"]]},
    {"name": "RecipeType", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
     "relationships": [{"name": "recipes", "to": "Recipe", "many": true, "inverse": "type", "onDelete": "deny"}]},
    {"name": "Ingredient", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}, {"name": "amount", "type": "string", "optional": true}],
     "relationships": [{"name": "recipe", "to": "Recipe", "inverse": "ingredients"}]},
    {"name": "Tag", "nameAttribute": "name", "attributes": [{"name": "name", "type": "string"}],
     "relationships": [{"name": "recipes", "to": "Recipe", "many": true, "inverse": "tags"}]}]}
  """

func recipes() throws -> Model { try Model(parsing: Array(recipesText.utf8)) }

extension Model {
  /// The entity with a name, for changes.
  subscript(name: String) -> Entity {
    get { entities.first { $0.name == name }! }
    set { entities[entities.firstIndex { $0.name == name }!] = newValue }
  }

  /// Returns the model after a change.
  func changed(_ change: (inout Model) -> Void) -> Model {
    var model = self
    change(&model)
    return model
  }
}

extension Entity {
  mutating func changeAttribute(_ name: String, _ change: (inout Attribute) -> Void) {
    change(&attributes[attributes.firstIndex { $0.name == name }!])
  }

  mutating func changeRelationship(_ name: String, _ change: (inout Relationship) -> Void) {
    change(&relationships[relationships.firstIndex { $0.name == name }!])
  }
}

extension ResolvedModel {
  /// All facts of the model, for comparisons.
  var summary: String {
    var lines = ["next \(nextTag)", model.json.text]
    for entity in entities {
      lines.append(
        "\(entity.index) \(entity.tag) \(entity.name) \(entity.isRetired) \(String(describing: entity.nameAttribute))")
      lines += entity.attributes.map { "  \($0)" } + entity.relationships.map { "  \($0)" }
      lines += entity.indexes.map { "  \($0)" } + entity.constraints.map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  /// Checks the invariants of resolved models: tags differ, are below the next one and rise.
  ///
  /// References fit.
  func checkInvariants() -> [String] {
    var faults: [String] = []
    func expect(_ condition: Bool, _ what: String) { if !condition { faults.append(what) } }
    var tags = entities.map(\.tag)
    expect(tags == tags.sorted(), "entities are not in the order of their tags")
    for (index, entity) in entities.enumerated() {
      expect(entity.index == index, "\(entity.name) has a wrong index")
      expect(self.entity(tagged: entity.tag) == index, "\(entity.name) is not found by its tag")
      expect(self.entity(named: entity.name) == index || entity.isRetired, "\(entity.name) is not found by its name")
      expect(entity.indexes.isEmpty == entity.isRetired, "\(entity.name) has no timeline")
      for tags in [entity.attributes.map(\.tag), entity.relationships.map(\.tag)] {
        expect(tags == tags.sorted(), "the fields of \(entity.name) are not in the order of their tags")
      }
      tags += entity.ownAttributes.map { entity.attributes[$0].tag }
      tags += entity.ownRelationships.map { entity.relationships[$0].tag }
      tags += entity.ownIndexes.map(\.tag) + entity.ownConstraints.map(\.tag)
      let root = entities[entity.root]
      expect(entity.attributes.map(\.tag) == root.attributes.map(\.tag), "\(entity.name) has other numbers")
      expect(entity.relationships.map(\.tag) == root.relationships.map(\.tag), "\(entity.name) has other numbers")
      expect(entity.lineage.last == index && entity.isKind(of: root), "\(entity.name) is not in its hierarchy")
      for ancestor in entity.lineage.dropLast() {
        expect(entities[ancestor].descendants.contains(index), "\(entity.name) is missing below its ancestor")
      }
      for (number, attribute) in entity.attributes.enumerated() {
        let owner = entities[attribute.entity]
        expect(owner.ownAttributes.contains(number), "\(entity.name).\(attribute.name) has a wrong owner")
        let isThere = !owner.attributes[number].isRetired && entity.isKind(of: owner)
        expect(attribute.isRetired != isThere, "\(entity.name).\(attribute.name) is in the wrong entities")
      }
      for number in entity.ownRelationships {
        let relationship = entity.relationships[number]
        let back = entities[relationship.target].relationships[relationship.inverse]
        expect(back.target == index && back.inverse == number, "\(entity.name).\(relationship.name) has no inverse")
        expect(
          relationship.isMirrored ? relationship.isOwner : back.isOwner != relationship.isOwner,
          "\(entity.name).\(relationship.name) has no owner, or two")
        expect(
          back.isRetired == relationship.isRetired, "only one side of \(entity.name).\(relationship.name) is retired")
        expect(
          self.relationship(tagged: relationship.tag) == RelationshipReference(entity: index, relationship: number),
          "\(entity.name).\(relationship.name) is not found by its tag")
      }
      for attribute in entity.attributes where attribute.derivation != nil && !attribute.isRetired {
        let relationship = entity.relationships[attribute.derivation!.relationship]
        expect(
          relationship.isMany && !relationship.isRetired, "\(entity.name).\(attribute.name) is derived over nothing")
      }
    }
    expect(Set(tags).count == tags.count, "a tag was given twice")
    expect(tags.allSatisfy { $0.number > 0 && $0.number < nextTag }, "a tag is not below the next")
    return faults
  }
}
