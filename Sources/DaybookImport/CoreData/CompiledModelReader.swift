#if Import

import DaybookModel

/// Reads the compiled model that a store carries in `Z_MODELCACHE`: an archive of Core Data's own model objects.
///
/// It agrees with the XML from which it was compiled, with three exceptions. Its entities and fields have no order, so
/// they are sorted by name. Predicates of fetched properties are trees, which are not translated. Names of classes and
/// the developer's own notes are partly missing.
struct CompiledModelReader {
  var archive: KeyedArchive
  let origin: String
  /// The records of the entities by name.
  private var entities: [String: [String: Int]] = [:]
  private var parents: [String: String] = [:]
  private var fieldCount = 0

  /// Reads a model from the content of `Z_MODELCACHE`.
  ///
  /// - Throws: ``ImportError`` for bytes that are not a compiled model, and for more entities or fields than are read.
  package static func read(compressed: [UInt8], origin: String) throws(ImportError) -> SourceModel {
    try read(archive: try Inflater.inflate(compressed, name: origin), origin: origin)
  }

  /// Reads a model from an archive.
  package static func read(archive bytes: [UInt8], origin: String) throws(ImportError) -> SourceModel {
    var reader = CompiledModelReader(
      archive: try KeyedArchive(try BinaryPlist(bytes, name: origin)), origin: origin)
    return try reader.model()
  }

  private init(archive: KeyedArchive, origin: String) {
    self.archive = archive
    self.origin = origin
  }

  private mutating func model() throws(ImportError) -> SourceModel {
    guard let top = try archive.record(archive.root), let list = top["NSEntities"] else {
      throw archive.fault("is not a compiled model")
    }
    try findEntities(list)
    var model = SourceModel()
    for identifier in try archive.elements(top["NSVersionIdentifiers"]).prefix(1) {
      model.identifier = try archive.text(identifier) ?? ""
    }
    for name in entities.keys.sorted(by: CompiledModelReader.precedes) { model.entities.append(try entity(name)) }
    for (name, reference) in try archive.entries(top["NSFetchRequestTemplates"]) {
      model.fetchRequests.append(SourceFetchRequest(name: name, entity: try requestEntity(reference)))
    }
    for (name, reference) in try archive.entries(top["NSConfigurations"]) {
      model.configurations.append(SourceConfiguration(name: name, entities: try memberNames(reference)))
    }
    return model
  }

  /// Orders names by their code points, as the other tools do that read such models.
  static func precedes(_ a: String, _ b: String) -> Bool {
    a.unicodeScalars.lexicographicallyPrecedes(b.unicodeScalars)
  }

  private mutating func findEntities(_ list: Int) throws(ImportError) {
    for (_, reference) in try archive.entries(list) {
      guard let record = try archive.record(reference), let name = try archive.text(record["NSEntityName"]) else {
        throw archive.fault("has an entity without a name")
      }
      entities[name] = record
      guard entities.count <= SourceModel.maximumEntityCount else { throw archive.fault("has too many entities") }
    }
    for (name, record) in entities {
      guard let parent = try archive.record(record["NSSuperentity"]) else { continue }
      parents[name] = try archive.text(parent["NSEntityName"])
    }
  }

  private mutating func requestEntity(_ reference: Int) throws(ImportError) -> String? {
    guard let record = try archive.record(reference) else { return nil }
    if let name = try archive.text(record["NSEntityName"]) { return name }
    guard let entity = try archive.record(record["NSEntity"]) else { return nil }
    return try archive.text(entity["NSEntityName"])
  }

  /// Returns the names of a configuration's entities, which are archived as a set or a dictionary.
  private mutating func memberNames(_ reference: Int) throws(ImportError) -> [String] {
    var names: [String] = []
    for element in try archive.elements(reference) {
      if let name = try archive.text(element) {
        names.append(name)
      } else if let record = try archive.record(element), let name = try archive.text(record["NSEntityName"]) {
        names.append(name)
      }
    }
    return names.sorted(by: CompiledModelReader.precedes)
  }
}

// MARK: - Entities

extension CompiledModelReader {
  private mutating func entity(_ name: String) throws(ImportError) -> SourceEntity {
    let record = entities[name] ?? [:]
    var entity = SourceEntity(name: name, parent: parents[name])
    entity.isAbstract = try archive.flag(record["NSIsAbstract"])
    entity.renamingIdentifier = try renamingIdentifier(record, name)
    let inherited = try inheritedNames(name)
    for (key, reference) in try archive.entries(record["NSProperties"]) where !inherited.contains(key) {
      fieldCount += 1
      guard fieldCount <= SourceModel.maximumFieldCount else { throw archive.fault("has too many fields") }
      try addField(key, reference, to: &entity)
    }
    entity.annotations.userInfoEntryCount += try archive.entries(record["NSUserInfo"]).count
    for tuple in try archive.elements(record["NSUniqueTuples"]) {
      var names: [String] = []
      for part in try archive.elements(tuple) { names.append(try propertyName(part) ?? "") }
      entity.uniquenessConstraints.append(names)
    }
    for reference in try archive.elements(record["NSFetchIndexDescriptions"]) {
      if let index = try index(reference) { entity.indexes.append(index) }
    }
    return entity
  }

  /// Returns the names of the fields of all ancestors, which the archive repeats in each child.
  private mutating func inheritedNames(_ name: String) throws(ImportError) -> Set<String> {
    var (names, next, depth): (Set<String>, String?, Int) = ([], parents[name], 0)
    while let parent = next, depth < 100 {
      names.formUnion(try archive.entries(entities[parent]?["NSProperties"]).map(\.key))
      (next, depth) = (parents[parent], depth + 1)
    }
    return names
  }

  private mutating func renamingIdentifier(_ record: [String: Int], _ name: String) throws(ImportError) -> String? {
    let identifier = try archive.text(record["NSRenamingIdentifier"])
    return identifier == name || identifier?.isEmpty == true ? nil : identifier
  }

  private mutating func propertyName(_ reference: Int) throws(ImportError) -> String? {
    if let name = try archive.text(reference) { return name }
    return try archive.text(try archive.record(reference)?["NSPropertyName"])
  }

  private mutating func index(_ reference: Int) throws(ImportError) -> SourceIndex? {
    guard let record = try archive.record(reference), let list = record["NSIndexElements"] else { return nil }
    var elements: [SourceIndex.Element] = []
    for part in try archive.elements(list) {
      guard let fields = try archive.record(part) else { continue }
      let isAscending = try archive.integer(fields["NSAscending"]) ?? 1 != 0
      // The type 1 is a tree of regions.
      elements.append(
        SourceIndex.Element(
          property: try archive.text(fields["NSPropertyName"]) ?? "", isDescending: !isAscending,
          isSpatial: try archive.integer(fields["NSCollationType"]) == 1))
    }
    return SourceIndex(name: try archive.text(record["NSIndexName"]), elements: elements)
  }

  private mutating func addField(_ name: String, _ reference: Int, to entity: inout SourceEntity) throws(ImportError) {
    guard let record = try archive.record(reference) else { throw archive.fault("has a field \(name) without content") }
    entity.annotations.userInfoEntryCount += try archive.entries(record["NSUserInfo"]).count
    switch try archive.className(reference) {
    case "NSRelationshipDescription": entity.relationships.append(try relationship(name, record))
    case "NSFetchedPropertyDescription":
      entity.fetchedProperties.append(
        SourceFetchRequest(name: name, entity: try archive.text(record["_NSFetchRequestEntityName"])))
    // An expression describes results of requests, and stores nothing.
    case "NSExpressionDescription": break
    default:
      entity.attributes.append(try attribute(name, record, depth: 0))
      let flags = try archive.integer(record["NSFlagsKey"]) ?? 0
      if flags & CompiledModelReader.preservedFlag != 0 { entity.annotations.preservedAttributeCount += 1 }
    }
  }

  private mutating func relationship(
    _ name: String, _ record: [String: Int]
  ) throws(ImportError) -> SourceRelationship {
    guard let destination = try archive.text(record["_NSDestinationEntityName"]) else {
      throw archive.fault("has a relationship \(name) without a destination")
    }
    var relationship = SourceRelationship(name: name, destination: destination)
    let greatest = try archive.integer(record["NSMaxCount"]) ?? -1
    relationship.isToMany = greatest != 1
    relationship.maximumCount = max(greatest, 0)
    relationship.minimumCount = max(try archive.integer(record["NSMinCount"]) ?? 0, 0)
    relationship.isOrdered = try archive.flag(record["NSIsOrdered"]) && relationship.isToMany
    relationship.isOptional = try archive.flag(record["NSIsOptional"])
    relationship.isTransient = try archive.flag(record["NSIsTransient"])
    relationship.inverse = try archive.text(record["_NSInverseRelationshipName"])
    relationship.renamingIdentifier = try renamingIdentifier(record, name)
    let number = try archive.integer(record["NSDeleteRule"]) ?? 1
    guard let rule = SourceRelationship.DeleteRule(rawValue: number) else {
      throw archive.fault("has a relationship \(name) with the unknown delete rule \(number)")
    }
    relationship.deleteRule = rule
    return relationship
  }
}

#endif
