import DaybookTestSupport
import Testing

@testable import DaybookModel

/// Named events of a model: their file form, their stored form, and how they change.
@Suite(.hangLimit) struct ModelEventsTests {
  private static func kitchen() throws -> Model {
    try recipes().changed {
      $0.events = [
        EventType(
          name: "RecipeCooked", about: "Recipe",
          attributes: [
            Attribute(name: "servings", type: .integer), Attribute(name: "verdict", type: .string, isOptional: true),
          ]), EventType(name: "Bought", about: "Ingredient"),
      ]
    }
  }

  private static func faults(_ change: (inout Model) -> Void) throws -> [String] {
    let model = try kitchen().changed(change)
    do {
      _ = try ResolvedModel(creating: model)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  @Test func aModelFileListsThem() throws {
    let text = """
      {"entities": [{"name": "Recipe"}], "events": [{"name": "RecipeCooked", "about": "Recipe", "attributes": \
      [{"name": "servings", "type": "integer"}, {"name": "verdict", "type": "string", "optional": true}]}]}
      """
    let model = try Model(parsing: Array(text.utf8))
    #expect(model.events == [try Self.kitchen().events[0]])
    #expect(model.json.text == text)
    #expect(try Model(parsing: Array(model.text.utf8)) == model)
  }

  @Test func aModelWithoutThemIsStoredAsBefore() throws {
    let plain = try ResolvedModel(creating: recipes())
    #expect(!plain.storedJSON.text.contains("x-"))
    #expect(plain.neededVersion == 1)
    // Their tags follow all tags of entities.
    let stored = try ResolvedModel(creating: Self.kitchen()).storedJSON
    #expect(stored["entities"]?.text == plain.storedJSON["entities"]?.text)
    #expect(
      stored["x-events"]?.text == """
        [{"name": "RecipeCooked", "tag": 26, "about": "Recipe", "attributes": \
        [{"name": "servings", "type": "integer", "tag": 27}, \
        {"name": "verdict", "type": "string", "optional": true, "tag": 28}]}, \
        {"name": "Bought", "tag": 29, "about": "Ingredient"}]
        """)
  }

  @Test func theStoredFormReturns() throws {
    let first = try ResolvedModel(creating: Self.kitchen())
    let second = try first.evolved(
      to: Self.kitchen().changed {
        $0.events.remove(at: 1)
        $0.events[0].attributes.remove(at: 1)
      }
    ).model
    for model in [first, second] {
      let back = try ResolvedModel(stored: JSONValue(parsing: model.storedJSON.text))
      #expect(back.storedJSON.text == model.storedJSON.text)
      #expect(back.model == model.model)
      #expect(back.neededVersion == 2 && !back.hasLaterParts)
      #expect(try back.evolved(to: back.model).isEmpty)
    }
    #expect(second.events.map(\.isRetired) == [false, true])
    #expect(second.events[0].attributes.map(\.isRetired) == [false, true])
  }

  @Test func partsOfALaterVersionAreStillSkipped() throws {
    let model = try ResolvedModel(creating: Self.kitchen())
    let text = model.storedJSON.text
    for change in [
      text.replacing(#"{"nextTag""#, with: #"{"x-rules": 1, "nextTag""#),
      text.replacing(#""about": "Recipe""#, with: #""x-more": [], "about": "Recipe""#),
    ] {
      #expect(change != text)
      #expect(try ResolvedModel(stored: JSONValue(parsing: change)).hasLaterParts)
    }
  }

  @Test func aDamagedStoredFormIsAnErrorAndNoTrap() throws {
    let model = try ResolvedModel(creating: Self.kitchen()).evolved(
      to: Self.kitchen().changed {
        $0.events.remove(at: 1)
        $0.events[0].attributes.remove(at: 1)
      }
    ).model
    let text = model.storedJSON.text
    for (part, replacement) in [
      (#""about": "Recipe""#, #""about": "Soup""#), (#""tag": 26"#, #""tag": 27"#), (#""tag": 26"#, #""tag": "x""#),
      (
        #""x-retiredEvents": [{"name": "Bought", "tag": 29, "about": "#,
        #""x-retiredEvents": [{"name": "Bought", "tag": 29, "about": 9"#
      ),
      (#""x-events": ["#, #""x-events": [7, "#), (#""x-events": "#, #""x-events": 7, "y": "#),
      (#""name": "RecipeCooked""#, #""name": "set""#),
      (
        #"{"name": "verdict", "tag": 28, "type": "string""#,
        #"{"name": "verdict", "tag": 28, "derived": {"kind": "count", "relationship": 9}, "type": "string""#
      ),
    ] {
      let changed = text.replacing(part, with: replacement, maxReplacements: 1)
      #expect(changed != text, "\(part) is not in \(text)")
      #expect(throws: (any Error).self, "\(changed)") { try ResolvedModel(stored: JSONValue(parsing: changed)) }
    }
  }

  @Test func aWrongDeclarationIsRefusedWithItsPlace() throws {
    let cases: [(String, @Sendable (inout Model) -> Void)] = [
      ("RecipeCooked: the model has two events of this name", { $0.events[1].name = "RecipeCooked" }),
      ("RecipeCooked.about: the model has no entity “Soup”", { $0.events[0].about = "Soup" }),
      ("RecipeCooked.servings: the event has two attributes", { $0.events[0].attributes[1].name = "servings" }),
      ("RecipeCooked.and: “and” is a word of the filter language", { $0.events[0].attributes[0].name = "and" }),
      (
        "RecipeCooked.servings: an event holds what was recorded",
        {
          $0.events[0].attributes[0] = Attribute(name: "servings", type: nil, derivation: .count(relationship: "tags"))
        }
      ),
      ("RecipeCooked.verdict: events are not sorted", { $0.events[0].attributes[1].order = .natural }),
      ("RecipeCooked.servings: has no type", { $0.events[0].attributes[0].type = nil }),
      ("RecipeCooked.servings: the default", { $0.events[0].attributes[0].defaultValue = "x" }),
      ("9x: “9x” is not a name", { $0.events[0].name = "9x" }),
      ("events[0]: has no name", { $0.events[0].name = "" }),
      ("RecipeCooked: “renamedFrom” is its own name", { $0.events[0].renamedFrom = "RecipeCooked" }),
    ]
    for (fault, change) in cases {
      let faults = try Self.faults(change)
      #expect(faults.contains { $0.hasPrefix(fault) }, "\(fault): \(faults)")
    }
    for name in [
      "inserted", "renamed", "set", "related", "unrelated", "deleted", "recorded", "model", "unknown",
    ] {
      #expect(
        try Self.faults { $0.events[0].name = name } == [
          "\(name): “\(name)” names a kind of events; choose another name"
        ])
    }
    // Only parts of an object have names that events may not use.
    #expect(try Self.faults { $0.events[0].attributes[0].name = "about" } == [])
    #expect(try Self.faults { $0.events[0].name = "Recipe" } == [])
  }

  @Test func aMisspelledKeyIsRefused() {
    for text in [
      #"{"entities": [], "events": [{"name": "A", "about": "B", "indexes": []}]}"#,
      #"{"entities": [], "events": {}}"#, #"{"entities": [], "events": [{"about": "B"}]}"#,
      #"{"entities": [], "x-events": []}"#,
    ] {
      #expect(throws: ModelError.self) { try Model(parsing: Array(text.utf8)) }
    }
  }

  typealias Step = (change: @Sendable (inout Model) -> Void, steps: [String])

  static let steps: [Step] = [
    (
      {
        $0.events.append(EventType(name: "Eaten", about: "Recipe", attributes: [Attribute(name: "by", type: .string)]))
      },
      ["add event Eaten about Recipe"]
    ),
    ({ $0.events.remove(at: 1) }, ["remove event Bought"]),
    (
      {
        $0.events[0].renamedFrom = "RecipeCooked"
        $0.events[0].name = "Cooked"
      }, ["rename event RecipeCooked to Cooked"]
    ),
    (
      { $0.events[0].attributes.append(Attribute(name: "cook", type: .string, isOptional: true)) },
      ["add attribute RecipeCooked.cook (string, optional)"]
    ),
    (
      { $0.events[0].attributes.append(Attribute(name: "pans", type: .integer, defaultValue: 1)) },
      ["add attribute RecipeCooked.pans (integer, default 1)"]
    ),
    ({ $0.events[0].attributes.remove(at: 0) }, ["remove attribute RecipeCooked.servings"]),
    (
      {
        $0.events[0].attributes[0].renamedFrom = "servings"
        $0.events[0].attributes[0].name = "portions"
      }, ["rename attribute RecipeCooked.servings to portions"]
    ),
    ({ $0.events[0].attributes[0].isOptional = true }, ["make attribute RecipeCooked.servings optional"]),
    (
      {
        $0.events[0].attributes[1].isOptional = false
        $0.events[0].attributes[1].defaultValue = "fine"
      },
      [
        "make attribute RecipeCooked.verdict required",
        "change the default of RecipeCooked.verdict from none to “fine”",
      ]
    ),
    // The entity of an event may be renamed with it.
    (
      {
        $0["Ingredient"].renamedFrom = "Ingredient"
        $0["Ingredient"].name = "Part"
        $0["Recipe"].changeRelationship("ingredients") { $0.target = "Part" }
        $0.events[1].about = "Part"
      }, ["rename entity Ingredient to Part"]
    ),
    ({ $0.events.reverse() }, []),
  ]

  @Test(arguments: steps.indices) func aChangeIsToldStepByStep(index: Int) throws {
    let (change, steps) = Self.steps[index]
    let before = try ResolvedModel(creating: Self.kitchen())
    let result = try before.evolved(to: Self.kitchen().changed(change))
    #expect(result.steps == steps)
    #expect(try ResolvedModel(stored: result.model.storedJSON).storedJSON.text == result.model.storedJSON.text)
    #expect(try result.model.evolved(to: result.model.model).isEmpty)
    for event in before.events {
      let there = try #require(result.model.event(tagged: event.tag))
      #expect(result.model.events[there].tag == event.tag)
    }
  }

  @Test func aChangeThatRecordedEventsContradictIsRefused() throws {
    let before = try ResolvedModel(creating: Self.kitchen())
    let cases: [(String, @Sendable (inout Model) -> Void)] = [
      ("RecipeCooked: is about Recipe and cannot become about Tag", { $0.events[0].about = "Tag" }),
      (
        "RecipeCooked.servings: is an integer and cannot become a string", { $0.events[0].attributes[0].type = .string }
      ),
      (
        "RecipeCooked.cook: is new and required",
        {
          $0.events[0].attributes.append(Attribute(name: "cook", type: .string))
        }
      ),
      ("RecipeCooked.verdict: cannot become required", { $0.events[0].attributes[1].isOptional = false }),
      (
        "Bought.about: the model has no entity “Ingredient”",
        {
          $0["Recipe"].relationships.removeAll { $0.name == "ingredients" }
          $0["Recipe"].attributes.removeAll { $0.name == "ingredientCount" }
          $0.entities.removeAll { $0.name == "Ingredient" }
        }
      ),
    ]
    for (fault, change) in cases {
      let error = #expect(throws: ModelError.self) { try before.evolved(to: Self.kitchen().changed(change)) }
      #expect(error?.faults.contains { $0.description.hasPrefix(fault) } == true, "\(fault): \(error as Any)")
    }
  }

  @Test func aNameThatReturnsHasAnotherTag() throws {
    let before = try ResolvedModel(creating: Self.kitchen())
    let without = try before.evolved(to: Self.kitchen().changed { $0.events.removeAll() }).model
    #expect(without.event(named: "Bought") == nil)
    #expect(without.neededVersion == 2)
    let again = try without.evolved(to: Self.kitchen()).model
    let (old, new) = (
      before.events[try #require(before.event(named: "Bought"))],
      again.events[try #require(again.event(named: "Bought"))]
    )
    #expect(new.tag > old.tag)
    #expect(again.events.filter { $0.name == "Bought" }.map(\.isRetired) == [true, false])
    // An event of a removed entity stays retired.
    let fewer = try again.evolved(
      to: Self.kitchen().changed {
        $0.events.removeAll { $0.name == "Bought" }
        $0["Recipe"].relationships.removeAll { $0.name == "ingredients" }
        $0["Recipe"].attributes.removeAll { $0.name == "ingredientCount" }
        $0.entities.removeAll { $0.name == "Ingredient" }
      }
    ).model
    #expect(try ResolvedModel(stored: fewer.storedJSON).storedJSON.text == fewer.storedJSON.text)
  }
}
