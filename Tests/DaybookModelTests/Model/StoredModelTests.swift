import DaybookTestSupport
import Foundation
import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct StoredModelTests {
  /// Returns a model with a retired part of each kind.
  static func eventful() throws -> ResolvedModel {
    let first = try recipes().changed {
      $0["Ingredient"].attributes.append(Attribute(name: "grams", type: .integer, isOptional: true))
      $0["Recipe"].attributes.append(
        Attribute(name: "grams", type: nil, derivation: .sum(relationship: "ingredients", attribute: "grams")))
    }
    let second = first.changed {
      $0["Recipe"].attributes.removeAll { $0.name == "note" || $0.name == "ingredientCount" }
      $0["Recipe"].changeAttribute("grams") {
        $0.derivation = .maximum(relationship: "ingredients", attribute: "grams")
      }
      $0["Recipe"].relationships.removeAll { $0.name == "tags" }
      $0.entities.removeAll { $0.name == "Tag" }
      $0["Recipe"].attributes.append(Attribute(name: "rating", type: .double, defaultValue: .double(.infinity)))
      $0["Recipe"].indexes.append(Index([.init(path: ["rating"], .descending)]))
    }
    let third = second.changed {
      $0["Recipe"].attributes.append(Attribute(name: "note", type: .integer, isOptional: true))
      $0["Recipe"].changeAttribute("rating") { $0.defaultValue = 2.5 }
      $0.entities.insert(Entity(name: "Tag"), at: 0)
    }
    return try ResolvedModel(creating: first).evolved(to: second).model.evolved(to: third).model
  }

  @Test func comesBackFromItsStoredForm() throws {
    for resolved in [
      try ResolvedModel(creating: recipes()), try Self.eventful(), try ResolvedModel(creating: Model(entities: [])),
    ] {
      let text = resolved.storedJSON.text
      let back = try ResolvedModel(stored: JSONValue(parsing: text))
      #expect(back.summary == resolved.summary)
      #expect(back.storedJSON.text == text)
      #expect(back.model == resolved.model)
      #expect(back.checkInvariants() == [])
      #expect(try back.evolved(to: back.model).isEmpty)
    }
  }

  @Test func hasTheDeclarationWithoutFormerNames() throws {
    #expect(try ResolvedModel(creating: recipes()).model == recipes())
    let renaming = try recipes().changed {
      $0["Recipe"].changeAttribute("note") {
        $0.name = "remark"
        $0.renamedFrom = "note"
      }
    }
    let renamed = try recipes().changed { $0["Recipe"].changeAttribute("note") { $0.name = "remark" } }
    #expect(try ResolvedModel(creating: renaming).model == renamed)
    #expect(try ResolvedModel(creating: recipes()).evolved(to: renaming).model.model == renamed)
  }

  @Test func keepsWhatWasRetired() throws {
    let resolved = try ResolvedModel(stored: Self.eventful().storedJSON)
    let tags = resolved.entities.filter { $0.name == "Tag" }
    #expect(tags.map(\.isRetired) == [true, false])
    #expect(tags[0].attributes[0].name == "name" && tags[0].relationships[0].name == "recipes")
    let recipe = resolved.entities[0]
    #expect(recipe.attributes.filter { $0.name == "note" }.map(\.type) == [.string, .integer])
    #expect(recipe.attributes.filter { $0.name == "note" }.map(\.isRetired) == [true, false])
    #expect(recipe.attributes.filter { $0.name == "grams" }.map(\.derivation?.kind) == [.sum, .maximum])
    let rating = try #require(recipe.attribute(named: "rating"))
    #expect(recipe.attributes[rating].valueWhenMissing == .double(.infinity))
    #expect(recipe.attributes[rating].defaultValue == 2.5)
    #expect(recipe.relationships.map(\.isRetired) == [false, false, true])
  }

  static let mistakes: [(String, String, String)] = [
    (#""nextTag": 26"#, #""nextTag": 25"#, "tag 25: is not below nextTag, 25"),
    (#""nextTag": 26"#, #""nextTag": 0"#, "nextTag: is missing or no tag"),
    (#""nextTag": 26"#, #""nextTag": 65536"#, "nextTag: is missing or no tag"),
    (#""tag": 3}"#, #""tag": 4}"#, "tag 4: was given twice"),
    (
      #""tag": 4}"#, #""tag": "4"}"#,
      "entities[0].attributes[1].tag (Recipe.servings): is not a tag; a number from 1 to 65534"
    ),
    (#""tag": 4}"#, #""x": 4}"#, "entities[0].attributes[1].tag (Recipe.servings): is missing"),
    (#""tag": 5}"#, #""tag": 0}"#, "entities[0].attributes[2].tag (Recipe.note): is not a tag"),
    (
      #""uniqueTags": [12]"#, #""uniqueTags": []"#,
      "entities[0] (Recipe): needs as many tags as it has constraints and indexes"
    ),
    (#""indexTags": [10, 11]"#, #""indexTags": [10]"#, "entities[0] (Recipe): needs as many tags"),
    (#""tag": 7, "owner": true"#, #""tag": 7"#, "Recipe.type: has no owner, or the wrong one"),
    (#""tag": 9, "owner": true"#, #""tag": 9"#, "Recipe.tags: has no owner, or the wrong one"),
  ]

  @Test(arguments: mistakes)
  func refusesADamagedForm(part: String, replacement: String, fault: String) throws {
    let text = try ResolvedModel(creating: recipes()).storedJSON.text
    let changed = text.replacing(part, with: replacement, maxReplacements: 1)
    #expect(changed != text, "\(text)")
    let error = try #require(throws: ModelError.self) { try ResolvedModel(stored: JSONValue(parsing: changed)) }
    #expect(error.faults.contains { $0.description.hasPrefix(fault) }, "\(error)")
  }

  /// Retired parts refer to others by tags; the test replaces each such tag by each other tag.
  @Test func refusesReferencesThatDoNotFit() throws {
    let resolved = try Self.eventful()
    let text = resolved.storedJSON.text
    for key in ["relationship", "attribute", "to", "inverse"] {
      for match in text.matches(of: try Regex("\"\(key)\": ([0-9]+)")) {
        for tag in 1..<resolved.nextTag where text[match.range] != "\"\(key)\": \(tag)" {
          let changed = text.replacingCharacters(in: match.range, with: "\"\(key)\": \(tag)")
          guard let other = try? ResolvedModel(stored: JSONValue(parsing: changed)) else { continue }
          // Only an attribute's source may be another part of the same kind and entity.
          let isNear = resolved.entities[0].relationships.contains { $0.tag == Tag(tag) }
          #expect(key == "attribute" || key == "relationship" && isNear, "\(changed)")
          #expect(other.checkInvariants() == [])
        }
      }
    }
  }

  @Test func takesAsManyRetiredEntitiesAsThereAreTags() throws {
    let retired = (1...65_534).map { JSONValue.object([("name", "A"), ("tag", .integer($0))]) }
    let resolved = try ResolvedModel(stored: ["nextTag": 65535, "entities": [], "retiredEntities": .array(retired)])
    #expect(resolved.entities.count == 65_534)
    #expect(resolved.entity(tagged: Tag(65_534)) == 65_533)
  }

  /// Any JSON is either refused, or results in a consistent model.
  @Test func neverTraps() throws {
    var random = SeededRandom(seed: Seeds.one)
    let original = try Self.eventful().storedJSON
    for _ in 0..<Rounds.of(4_000) {
      var json = original
      for _ in 0..<Int.random(in: 1...3, using: &random) { json = json.mutated(using: &random) }
      guard let resolved = try? ResolvedModel(stored: json) else { continue }
      #expect(resolved.checkInvariants() == [], "seed \(random.seed): \(json.text)")
      #expect((try? ResolvedModel(stored: resolved.storedJSON))?.summary == resolved.summary, "seed \(random.seed)")
      _ = try? resolved.evolved(to: recipes())
      _ = try? Model(json: json)
    }
  }
}

extension JSONValue {
  /// Returns the value with one random part changed.
  func mutated(using random: inout SeededRandom) -> JSONValue {
    switch self {
    case .array(var elements) where !elements.isEmpty && !random.isOneIn(12):
      let place = elements.indices.randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0: elements.remove(at: place)
      case 1: elements.append(elements[place])
      case 2: elements.swapAt(place, elements.indices.randomElement(using: &random)!)
      default: elements[place] = elements[place].mutated(using: &random)
      }
      return .array(elements)
    case .object(var members) where !members.isEmpty && !random.isOneIn(12):
      let place = members.indices.randomElement(using: &random)!
      switch Int.random(in: 0..<10, using: &random) {
      case 0: members.remove(at: place)
      case 1: members[place].key = members.randomElement(using: &random)!.key
      default: members[place].value = members[place].value.mutated(using: &random)
      }
      return .object(members)
    case .integer: return .integer(Int64.random(in: -1...60, using: &random))
    case .boolean(let flag): return .boolean(!flag)
    case .string:
      let words = [
        "name", "Recipe", "Tag", "recipes", "tags", "integer", "string", "natural", "", "note", "grams", "type.name",
        "max",
      ]
      return .string(words.randomElement(using: &random)!)
    default: return randomJSON(using: &random, depth: 1)
    }
  }
}
