import DaybookTestSupport
import Testing

@testable import DaybookModel

/// The rules of a model file, in their declared and their stored form.
@Suite(.hangLimit) struct ModelRulesTests {
  private static let text = """
    {"entities": [{"name": "Task", "attributes": [{"name": "title", "type": "string", "minimumLength": 1, \
    "maximumLength": 200, "pattern": "^[^/]*$"}, {"name": "size", "type": "decimal", "optional": true, "minimum": "0.5", \
    "maximum": "99"}, {"name": "kind", "type": "string", "optional": true, "oneOf": ["a", "b"]}], "relationships": \
    [{"name": "items", "to": "Item", "many": true, "inverse": "task", "least": 1, "most": 5}], "rule": "size != nil"}, \
    {"name": "Item", "relationships": [{"name": "task", "to": "Task", "optional": true, "inverse": "items"}], \
    "rule": ["task != nil", "id != nil"]}]}
    """

  private static func model() throws -> Model { try Model(parsing: Array(text.utf8)) }

  private func faults(_ change: (inout Model) -> Void) throws -> [String] {
    var model = try Self.model()
    change(&model)
    do throws(ModelError) {
      _ = try ResolvedModel(creating: model)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  @Test func aModelFileHasThem() throws {
    let model = try Self.model()
    #expect(model.entities[0].attributes[0].rules == [.minimumLength(1), .maximumLength(200), .pattern("^[^/]*$")])
    #expect(model.entities[0].attributes[2].rules == [.oneOf(["a", "b"])])
    #expect(model.entities[0].relationships[0].least == 1 && model.entities[0].relationships[0].most == 5)
    #expect(model.entities[0].rules == ["size != nil"] && model.entities[1].rules.count == 2)
    #expect(try Model(parsing: Array(model.text.utf8)) == model)
  }

  @Test func theStoredFormReturnsAndNeedsTheThirdFormat() throws {
    let resolved = try ResolvedModel(creating: Self.model())
    let text = resolved.storedJSON.text
    let back = try ResolvedModel(stored: JSONValue(parsing: text))
    #expect(back.model == resolved.model && back.storedJSON.text == text)
    #expect(back.neededVersion == 3 && !back.hasLaterParts)
    #expect(text.contains(#""x-minimum": "0.5""#) && text.contains(#""x-least": 1"#) && text.contains(#""x-rule": ["#))
    #expect(!text.contains(#""minimum""#))
    #expect(try ResolvedModel(creating: recipes()).neededVersion == 1)
  }

  @Test func valuesAndOrderAreNormalized() throws {
    var model = try Self.model()
    model.entities[0].attributes[1].rules = [.maximum(.integer(99)), .minimum(.decimal(0.50))]
    let rules = try ResolvedModel(creating: model).model.entities[0].attributes[1].rules
    #expect(rules == [.minimum(.decimal(0.5)), .maximum(.decimal(99))])
  }

  @Test func rulesThatMakeNoSenseAreFaults() throws {
    let cases: [(String, (inout Model) -> Void)] = [
      ("“minimum” is a rule for numbers and dates", { $0.entities[0].attributes[0].rules = [.minimum(1)] }),
      ("“pattern” is a rule for strings", { $0.entities[0].attributes[1].rules = [.pattern("a")] }),
      ("“minimumLength” is a rule for strings and data", { $0.entities[0].attributes[1].rules = [.minimumLength(1)] }),
      ("“minimumLength” is -1", { $0.entities[0].attributes[0].rules = [.minimumLength(-1)] }),
      ("“minimum” is above “maximum”", { $0.entities[0].attributes[1].rules = [.minimum(3), .maximum(2)] }),
      (
        "“minimumLength” is above “maximumLength”",
        { $0.entities[0].attributes[0].rules = [.minimumLength(3), .maximumLength(2)] }
      ),
      ("two rules “minimum”", { $0.entities[0].attributes[1].rules = [.minimum(1), .minimum(2)] }),
      ("“oneOf” is empty", { $0.entities[0].attributes[2].rules = [.oneOf([])] }),
      ("“oneOf” has null", { $0.entities[0].attributes[2].rules = [.oneOf(["a", nil])] }),
      ("“oneOf”: “1” is not a string", { $0.entities[0].attributes[2].rules = [.oneOf([1])] }),
      ("“minimum” is null", { $0.entities[0].attributes[1].rules = [.minimum(nil)] }),
      ("“least” is above “most”", { $0.entities[0].relationships[0].least = 6 }),
      ("“least” is -1", { $0.entities[0].relationships[0].least = -1 }),
      ("“most” is 0", { $0.entities[0].relationships[0].most = 0 }),
      ("are for to-many relationships", { $0.entities[1].relationships[0].least = 1 }),
      (
        "a derived attribute has no rules",
        {
          $0.entities[0].attributes.append(
            Attribute(name: "n", type: nil, derivation: .count(relationship: "items"), rules: [.minimum(1)]))
        }
      ),
      (
        "what was recorded is not checked by rules",
        {
          $0.events = [
            EventType(
              name: "Did", about: "Item", attributes: [Attribute(name: "n", type: .integer, rules: [.minimum(1)])])
          ]
        }
      ),
    ]
    for (wanted, change) in cases {
      let faults = try faults(change)
      #expect(faults.contains { $0.contains(wanted) }, "\(wanted): \(faults)")
    }
  }

  @Test func faultsOfTheFormHaveTheirPlace() {
    for (part, wanted) in [
      (#""minimumLength": "x""#, "a whole number is needed"), (#""oneOf": 1"#, "a list is needed"),
      (#""minimum": true"#, "“true” is not"), (#""pattern": 1"#, "a string is needed"),
    ] {
      let text = #"{"entities": [{"name": "A", "attributes": [{"name": "a", "type": "string", \#(part)}]}]}"#
        .replacing(#""string", "minimum""#, with: #""integer", "minimum""#)
      let error = #expect(throws: ModelError.self) { try Model(parsing: Array(text.utf8)) }
      let faults = error?.faults.map(\.description) ?? []
      #expect(faults.contains { $0.contains(wanted) }, "\(part): \(faults)")
    }
  }

  @Test func changesAreStepsAndNewRulesAreNamed() throws {
    let first = try ResolvedModel(creating: Self.model())
    var model = try Self.model()
    model.entities[0].attributes[1].rules = [.minimum(.decimal(1))]
    model.entities[0].relationships[0].most = nil
    model.entities[0].rules = []
    model.entities[1].rules.append("createdAt != nil")
    let change = try first.evolved(to: model)
    #expect(
      change.steps == [
        #"remove the rule “size != nil” of Task"#, #"remove the rule minimum "0.5" of Task.size"#,
        #"remove the rule maximum "99" of Task.size"#, #"add the rule minimum "1" of Task.size"#,
        "remove the rule most 5 of Task.items", "add the rule “createdAt != nil” of Item",
      ])
    let entities = change.model.entities
    #expect(change.changedRules == [entities[0].attributes[1].tag, entities[1].tag])
    #expect(change.model.model == model.normalized())
    #expect(try first.evolved(to: first.model).isEmpty)
  }
}
