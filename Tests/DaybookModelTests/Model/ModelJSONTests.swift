import Testing

@testable import DaybookModel

@Suite(.hangLimit) struct ModelJSONTests {
  @Test func readsTheExample() throws {
    let model = try recipes()
    #expect(model.entities.map(\.name) == ["Recipe", "RecipeType", "Ingredient", "Tag"])
    let recipe = model["Recipe"]
    #expect(recipe.nameAttribute == "name")
    #expect(
      recipe.attributes == [
        Attribute(name: "name", type: .string, order: .natural),
        Attribute(name: "servings", type: .integer, defaultValue: 1),
        Attribute(name: "note", type: .string, isOptional: true),
        Attribute(name: "ingredientCount", type: nil, derivation: .count(relationship: "ingredients")),
      ])
    #expect(
      recipe.relationships == [
        Relationship(name: "type", target: "RecipeType", inverse: "recipes", isOptional: true),
        Relationship(
          name: "ingredients", target: "Ingredient", inverse: "recipe", isMany: true, isOrdered: true,
          deleteRule: .cascade),
        Relationship(name: "tags", target: "Tag", inverse: "recipes", isMany: true),
      ])
    #expect(recipe.unique == [["name"]])
    #expect(
      recipe.indexes == [
        Index([.init(path: ["type", "name"]), .init(path: ["name"])]), Index([.init(path: ["changedAt"], .descending)]),
      ])
  }

  @Test func comesBackFromItsJSON() throws {
    let model = try recipes().changed { model in
      model["Recipe"].renamedFrom = "Dish"
      model["Recipe"].attributes += [
        Attribute(name: "total", type: nil, derivation: .sum(relationship: "ingredients", attribute: "grams")),
        Attribute(name: "first", type: nil, derivation: .minimum(relationship: "ingredients", attribute: "name")),
        Attribute(name: "last", type: nil, derivation: .maximum(relationship: "ingredients", attribute: "name")),
        Attribute(name: "at", renamedFrom: "when", type: .date, defaultValue: .date(Timestamp(microseconds: 5))),
        Attribute(name: "settings", type: .codable, defaultValue: .data(Array(#"{"a":1}"#.utf8))),
      ]
      model["Recipe"].changeRelationship("tags") { $0.renamedFrom = "labels" }
    }
    #expect(try Model(json: model.json) == model)
    #expect(try Model(parsing: Array(model.text.utf8)) == model)
    #expect(try Model(json: JSONValue(parsing: recipesText)).json == Model(json: recipes().json).json)
  }

  @Test func leavesOutWhatIsAbsent() throws {
    let model = try Model(json: JSONValue(parsing: #"{"entities": [{"name": "A"}]}"#))
    #expect(model.json.text == #"{"entities": [{"name": "A"}]}"#)
    #expect(try Model(json: [:]) == Model(entities: []))
  }

  static let mistakes: [(String, String)] = [
    ("[]", "the model: is an array; an object is needed"),
    (#"{"entitys": []}"#, "entitys: is unknown; the keys here are entities"),
    (#"{"entities": {}}"#, "entities: is an object; a list is needed"),
    (#"{"entities": [1]}"#, "entities[0]: is a number; an object is needed"),
    (#"{"entities": [{}]}"#, "entities[0].name: is missing; a string is needed"),
    (#"{"entities": [{"name": 1}]}"#, "entities[0].name: is a number; a string is needed"),
    (#"{"entities": [{"name": "A", "x": 1}]}"#, "entities[0].x (A): is unknown; the keys here are name, renamedFrom"),
    (#"{"entities": [{"name": "A", "tag": 1}]}"#, "entities[0].tag (A): is unknown"),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a"}]}]}"#,
      "entities[0].attributes[0].type (A.a): is missing; use one of string, integer"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "text"}]}]}"#,
      "entities[0].attributes[0].type (A.a): “text” is unknown; use one of string, integer, double, decimal, boolean, date, uuid, data, codable"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "string", "optional": 1}]}]}"#,
      "entities[0].attributes[0].optional (A.a): is a number; true or false is needed"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "integer", "default": "x"}]}]}"#,
      "entities[0].attributes[0].default (A.a): “x” is not an integer"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": {"count": "r"}, "default": 1}]}]}"#,
      "entities[0].attributes[0].default (A.a): a derived attribute is never set"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "string", "order": "none"}]}]}"#,
      "entities[0].attributes[0].order (A.a): “none” is unknown; use one of codepoint, caseInsensitive, natural"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": "count"}]}]}"#,
      "entities[0].attributes[0].derived (A.a): is a string; an object is needed"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": {}}]}]}"#,
      "entities[0].attributes[0].derived (A.a): needs one key of count, sum, min, max"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": {"mean": "r.a"}}]}]}"#,
      "entities[0].attributes[0].derived.mean (A.a): is unknown"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": {"sum": "r"}}]}]}"#,
      "entities[0].attributes[0].derived.sum (A.a): “r” is not the name of relationship.attribute"
    ),
    (
      #"{"entities": [{"name": "A", "attributes": [{"name": "a", "derived": {"count": "r.a"}}]}]}"#,
      "entities[0].attributes[0].derived.count (A.a): “r.a” is not the name of a relationship"
    ),
    (
      #"{"entities": [{"name": "A", "relationships": [{"name": "r", "to": "A", "inverse": "s", "x-acyclic": true}]}]}"#,
      "entities[0].relationships[0].x-acyclic (A.r): is unknown"
    ),
    (
      #"{"entities": [{"name": "A", "relationships": [{"name": "r", "inverse": "s"}]}]}"#,
      "entities[0].relationships[0].to (A.r): is missing"
    ),
    (
      #"{"entities": [{"name": "A", "relationships": [{"name": "r", "to": "A", "inverse": 1}]}]}"#,
      "entities[0].relationships[0].inverse (A.r): is a number; a string is needed"
    ),
    (
      #"{"entities": [{"name": "A", "relationships": [{"name": "r", "to": "A", "inverse": "s", "onDelete": "drop"}]}]}"#,
      "entities[0].relationships[0].onDelete (A.r): “drop” is unknown; use one of nullify, cascade, deny"
    ),
    (#"{"entities": [{"name": "A", "unique": ["a"]}]}"#, "entities[0].unique[0] (A): is a string; a list is needed"),
    (
      #"{"entities": [{"name": "A", "unique": [["a", 1]]}]}"#,
      "entities[0].unique[0][1] (A): is a number; a string is needed"
    ),
    (#"{"entities": [{"name": "A", "indexes": [["a:up"]]}]}"#, "entities[0].indexes[0][0] (A): “a:up” is not a term"),
  ]

  @Test(arguments: mistakes)
  func namesThePlaceOfAMistake(text: String, message: String) throws {
    let error = try #require(throws: ModelError.self) { try Model(parsing: Array(text.utf8)) }
    #expect(error.faults.contains { $0.description.hasPrefix(message) }, "\(error)")
  }

  @Test func saysWhereTheTextIsNotJSON() throws {
    let error = try #require(throws: ModelError.self) { try Model(parsing: Array("{\n  entities".utf8)) }
    #expect(error.description == "the model is not right: line 2, column 3: expected a key in quotes, but found “e”")
  }

  @Test func reportsAllMistakesAtOnce() throws {
    let text = #"{"entities": [{"name": 1, "x": 2, "attributes": [{"name": "a", "type": "text"}]}], "y": 3}"#
    let error = try #require(throws: ModelError.self) { try Model(parsing: Array(text.utf8)) }
    #expect(
      error.faults.map(\.place) == ["y", "entities[0].x", "entities[0].name", "entities[0].attributes[0].type (a)"])
    #expect(error.description.hasPrefix("the model has 4 faults:\n  y: is unknown"))
  }
}
