#if Import

import DaybookModel
import Foundation
import Testing

@testable import DaybookImport

/// The models at hand, against what `expected.py` reads from them.
@Suite(.hangLimit, CoreDataFiles.needed)
struct CoreDataModelTests {
  private static func lookup(_ path: String) throws -> SourceLookup { try ModelBundle(path).current().lookup }

  @Test("each model has the entities and fields of expected.json")
  func models() throws {
    let expected = try JSONValue(parsing: SharedData.bytes("\(CoreDataFiles.root ?? "")/models/expected.json"))
    #expect(CoreDataFiles.models.count == 45)
    for path in CoreDataFiles.models {
      let lookup = try CoreDataModelTests.lookup(path)
      let name = try #require(lookup.model.name)
      try compare(lookup.model, try #require(expected[name], "\(name)"), name)
    }
  }

  @Test(
    "each version of each bundle has the entities and fields that the script reads", CoreDataFiles.withPython,
    arguments: CoreDataFiles.bundles)
  func versions(_ name: String) throws {
    let path = CoreDataFiles.bundle(name)
    let bundle = try ModelBundle(path)
    for version in bundle.versions {
      let text = try CoreDataFiles.run("expected.py", "--model", "\(path)/\(version.name).xcdatamodel/contents")
      try compare(version.lookup.model, try JSONValue(parsing: text), "\(name) \(version.name)")
    }
  }

  @Test("each bundle has its versions in order, and its current version", arguments: CoreDataFiles.bundles)
  func bundles(_ name: String) throws {
    let expected = try JSONValue(parsing: SharedData.bytes("\(CoreDataFiles.root ?? "")/bundles/expected.json"))
    let bundle = try ModelBundle(CoreDataFiles.bundle(name))
    let own = try #require(expected[name])
    #expect(bundle.versions.map(\.name) == own["versions"]?.elements?.compactMap(\.stringValue))
    #expect(bundle.currentName == own["current"]?.stringValue)
    #expect(try bundle.current().name == bundle.currentName)
    #expect(bundle.oldVersions.isEmpty)
  }

  private func compare(_ model: SourceModel, _ expected: JSONValue, _ name: String) throws {
    #expect(model.identifier == expected["identifier"]?.stringValue)
    let entities = try #require(expected["entities"]?.members)
    #expect(model.entities.map(\.name) == entities.map(\.key), "\(name)")
    for (entity, (_, own)) in zip(model.entities, entities) {
      let place = "\(name) \(entity.name)"
      #expect(entity.parent == own["parent"]?.stringValue, "\(place)")
      #expect(entity.isAbstract == own["abstract"]?.booleanValue, "\(place)")
      #expect(entity.renamingIdentifier == own["renamingIdentifier"]?.stringValue, "\(place)")
      #expect(entity.attributes.map(\.name) == own["attributes"]?.members?.map(\.key), "\(place)")
      #expect(entity.relationships.map(\.name) == own["relationships"]?.members?.map(\.key), "\(place)")
      #expect(entity.fetchedProperties.map(\.name) == own["fetchedProperties"]?.members?.map(\.key), "\(place)")
      #expect(entity.uniquenessConstraints == own["unique"].map(CoreDataModelTests.lists), "\(place)")
      for attribute in entity.attributes { try compare(attribute, own["attributes"]?[attribute.name], place) }
      for relationship in entity.relationships {
        compare(relationship, own["relationships"]?[relationship.name], place)
      }
      compareIndexes(entity, own, place)
    }
    #expect(model.fetchRequests.map(\.name) == expected["fetchRequests"]?.members?.map(\.key), "\(name)")
    for request in model.fetchRequests {
      #expect(request.predicate == expected["fetchRequests"]?[request.name]?["predicate"]?.stringValue)
    }
    for configuration in model.configurations {
      let own = expected["configurations"]?[configuration.name]?.elements?.compactMap(\.stringValue)
      #expect(configuration.entities == own, "\(name)")
    }
    #expect(model.configurations.map(\.name) == expected["configurations"]?.members?.map(\.key), "\(name)")
  }

  private static func lists(_ value: JSONValue) -> [[String]] {
    value.elements?.map { $0.elements?.compactMap(\.stringValue) ?? [] } ?? []
  }

  private func compare(_ attribute: SourceAttribute, _ expected: JSONValue?, _ place: String) throws {
    let own = try #require(expected)
    let place = "\(place).\(attribute.name)"
    #expect(attribute.type.name == own["type"]?.stringValue, "\(place)")
    #expect(attribute.isOptional == own["optional"]?.booleanValue, "\(place)")
    #expect(attribute.isTransient == own["transient"]?.booleanValue, "\(place)")
    #expect(attribute.isExternal == own["external"]?.booleanValue, "\(place)")
    #expect(attribute.renamingIdentifier == own["renamingIdentifier"]?.stringValue, "\(place)")
    #expect(attribute.derivation == own["derivation"]?.stringValue, "\(place)")
    #expect(attribute.transformer == own["transformer"]?.stringValue, "\(place)")
    #expect(attribute.rules.pattern == own["pattern"]?.stringValue, "\(place)")
    #expect(attribute.faults.isEmpty, "\(place): \(attribute.faults)")
    let hasMinimum = attribute.rules.minimum != nil || attribute.rules.minimumLength != nil
    let hasMaximum = attribute.rules.maximum != nil || attribute.rules.maximumLength != nil
    #expect(hasMinimum == (own["minimum"]?.isNull == false), "\(place)")
    #expect(hasMaximum == (own["maximum"]?.isNull == false), "\(place)")
    compareDefault(attribute, own["default"] ?? .null, place)
  }

  private func compareDefault(_ attribute: SourceAttribute, _ expected: JSONValue, _ place: String) {
    switch (attribute.defaultValue ?? .null, expected) {
    case (.null, .null): break
    // Core Data compiles no default of data.
    case (.null, .string) where attribute.type.isBytes: break
    case (.integer(let number), .integer(let other)): #expect(number == other, "\(place)")
    case (.boolean(let flag), .boolean(let other)): #expect(flag == other, "\(place)")
    case (.double(let number), .number(let other)): #expect(number == other, "\(place)")
    case (.double(let number), .integer(let other)): #expect(number == Double(other), "\(place)")
    case (.string(let text), .string(let other)): #expect(text == other, "\(place)")
    case (.date(let time), .string(let other)): #expect(time.description == other, "\(place)")
    case (let value, .string(let other)): #expect(value.text == other, "\(place)")
    case (let value, let other): Issue.record("\(place): \(value) is not \(other)")
    }
  }

  private func compare(_ relationship: SourceRelationship, _ expected: JSONValue?, _ place: String) {
    let place = "\(place).\(relationship.name)"
    #expect(relationship.destination == expected?["to"]?.stringValue, "\(place)")
    #expect(relationship.inverse == expected?["inverse"]?.stringValue, "\(place)")
    #expect(relationship.isToMany == expected?["many"]?.booleanValue, "\(place)")
    #expect(relationship.isOrdered == expected?["ordered"]?.booleanValue, "\(place)")
    #expect(relationship.isOptional == expected?["optional"]?.booleanValue, "\(place)")
    #expect(relationship.isTransient == expected?["transient"]?.booleanValue, "\(place)")
    #expect(relationship.deleteRule.name == expected?["deleteRule"]?.stringValue, "\(place)")
    #expect(Int64(relationship.minimumCount) == expected?["minCount"]?.integerValue, "\(place)")
    #expect(Int64(relationship.maximumCount) == expected?["maxCount"]?.integerValue, "\(place)")
    #expect(relationship.renamingIdentifier == expected?["renamingIdentifier"]?.stringValue, "\(place)")
  }

  private func compareIndexes(_ entity: SourceEntity, _ expected: JSONValue, _ place: String) {
    let flagged =
      expected["attributes"]?.members?.filter { $0.value["indexed"]?.booleanValue == true }.map { [$0.key] } ?? []
    let listed = expected["indexes"].map(CoreDataModelTests.lists) ?? []
    let own = entity.indexes.map { $0.elements.map { $0.property + ($0.isDescending ? ":desc" : "") } }
    // The flags of relationships are in no list of the script.
    let relationships = Set(entity.relationships.map(\.name))
    #expect(
      own.filter { !($0.count == 1 && relationships.contains($0[0]) && !listed.contains($0)) } == listed + flagged,
      "\(place)")
  }

  @Test("the compiled model of a store agrees with its XML", arguments: CoreDataFiles.storesWithModel)
  func compiled(_ store: CoreDataFiles.Store) throws {
    let compiled = try #require(try CoreDataStore(store.path).compiledModel())
    let bundle = try ModelBundle(store.model)
    let versions = bundle.versions.filter { store.fitting.isEmpty || store.fitting.contains($0.name) }
    let differences = versions.map { ModelDifference.differences($0.lookup.model, compiled) }
    let fewest = differences.min { $0.count < $1.count } ?? []
    // Apple's example has a compiled model of a slightly earlier version.
    if store.directory == "recipes" {
      #expect(fewest.count < 12, "\(fewest)")
    } else {
      #expect(fewest.isEmpty, "\(fewest)")
    }
  }

  @Test(
    "the compiled model has what the script writes of it", CoreDataFiles.withPython,
    arguments: CoreDataFiles.storesWithModel)
  func script(_ store: CoreDataFiles.Store) throws {
    let compiled = try #require(try CoreDataStore(store.path).compiledModel())
    let text = try CoreDataFiles.run("model_from_cache.py", store.path)
    let written = try ModelFileReader.read(Array(text.utf8), name: nil, origin: "script")
    // The script tests another flag of external storage.
    #expect(ModelDifference.differences(written, compiled).filter { !$0.text.hasPrefix("external") }.isEmpty)
    for (a, b) in zip(written.entities, compiled.entities) {
      #expect(a.uniquenessConstraints == b.uniquenessConstraints, "\(a.name)")
      #expect(a.indexes == b.indexes, "\(a.name)")
      #expect(a.fetchedProperties.map(\.name) == b.fetchedProperties.map(\.name), "\(a.name)")
      #expect(a.attributes.map(\.rules) == b.attributes.map(\.rules), "\(a.name)")
      #expect(a.relationships.map(\.maximumCount) == b.relationships.map(\.maximumCount), "\(a.name)")
      #expect(a.relationships.map(\.minimumCount) == b.relationships.map(\.minimumCount), "\(a.name)")
    }
  }

  @Test("leaves of composites, also nested ones, are in the type")
  func composites() throws {
    let lookup = try CoreDataModelTests.lookup("\(CoreDataFiles.root ?? "")/models/MomXML.xml")
    let attribute = try #require(lookup.attribute(SourceField("Produit", "attribute1")))
    let leaves: [SourceAttribute] = if case .composite(let leaves) = attribute.type { leaves } else { [] }
    #expect(leaves.map(\.name) == ["one", "two", "three"])
    #expect(leaves.last?.type == .composite([]))
  }

  @Test("userInfo and flags that are only reported are counted")
  func annotations() throws {
    let lookup = try CoreDataModelTests.lookup("\(CoreDataFiles.root ?? "")/models/MomXML.xml")
    #expect(lookup.entity("Client")?.annotations.userInfoEntryCount == 5)
  }

  @Test("an inverse that does not name the relationship back is not mutual")
  func asymmetricInverse() throws {
    let field = SourceField("Image", "artist")
    let lookups = try CoreDataFiles.models.map { try CoreDataModelTests.lookup($0) }
    let lookup = try #require(lookups.first { $0.relationship(field) != nil && $0.mutualInverse(of: field) == nil })
    #expect(lookup.inverse(of: field) != nil)
    #expect(lookup.mutualInverse(of: field) == nil)
  }
}

#endif
