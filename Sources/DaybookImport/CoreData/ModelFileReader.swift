#if Import

import DaybookModel

/// Reads a model as Xcode writes it: the file `contents` of an `.xcdatamodel`.
///
/// Absent attributes have a fixed meaning, and so have values left over from an earlier type. Parts that only Xcode
/// uses are skipped: places of boxes, names of classes, versions of tools.
struct ModelFileReader {
  let root: XMLNode
  let origin: String
  private var composites: [String: XMLNode] = [:]

  /// Reads a model.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The name of the version; `nil` outside a bundle.
  ///   - origin: The path, for messages.
  /// - Throws: ``ImportError`` for a file that is not a model, or an element that lacks what it needs.
  package static func read(_ bytes: [UInt8], name: String?, origin: String) throws(ImportError) -> SourceModel {
    let root = try XMLNode.read(bytes, name: origin)
    guard root.name == "model" else {
      throw ImportError(
        .data, "\(origin): the outermost element is <\(root.name)>, not <model>; give the file `contents` of a model")
    }
    return try ModelFileReader(root: root, origin: origin).model(name)
  }

  private init(root: XMLNode, origin: String) {
    self.root = root
    self.origin = origin
    for node in root.children("composite") { composites[node["name"] ?? ""] = node }
  }

  private func model(_ name: String?) throws(ImportError) -> SourceModel {
    var model = SourceModel(name: name)
    model.identifier = root["userDefinedModelVersionIdentifier"] ?? ""
    for node in root.children("entity") { model.entities.append(try entity(node)) }
    for node in root.children("fetchRequest") { model.fetchRequests.append(try fetchRequest(node)) }
    for node in root.children("configuration") {
      model.configurations.append(
        SourceConfiguration(
          name: try requiredName(node), entities: node.children("memberEntity").compactMap { $0["name"] }))
    }
    return model
  }

  private func entity(_ node: XMLNode) throws(ImportError) -> SourceEntity {
    var entity = SourceEntity(name: try requiredName(node), parent: node["parentEntity"])
    entity.isAbstract = node.isSet("isAbstract")
    entity.renamingIdentifier = renamingIdentifier(of: node)
    for child in node.children {
      switch child.name {
      case "attribute": entity.attributes.append(try attribute(child))
      case "relationship": entity.relationships.append(try relationship(child))
      case "fetchedProperty": entity.fetchedProperties.append(try fetchedProperty(child))
      default: break
      }
      entity.annotations += annotations(of: child)
    }
    entity.annotations += annotations(of: node)
    for list in node.children("uniquenessConstraints") {
      entity.uniquenessConstraints += list.children("uniquenessConstraint").map {
        $0.children("constraint").compactMap { $0["value"] }
      }
    }
    entity.indexes = indexes(of: node)
    return entity
  }

  /// Returns the name of an element, which every declaration has.
  private func requiredName(_ node: XMLNode) throws(ImportError) -> String {
    guard let name = node["name"], !name.isEmpty else {
      throw fault(node, "the element <\(node.name)> has no name")
    }
    return name
  }

  private func fault(_ node: XMLNode, _ text: String) -> ImportError {
    ImportError(.data, "\(origin), line \(node.line): \(text); open the model in Xcode and save it again")
  }

  private func renamingIdentifier(of node: XMLNode) -> String? {
    node["elementID"].flatMap { $0.isEmpty || $0 == node["name"] ? nil : $0 }
  }

  private func annotations(of node: XMLNode) -> SourceAnnotations {
    var found = SourceAnnotations()
    found.userInfoEntryCount = node.children("userInfo").reduce(0) { $0 + $1.children("entry").count }
    if node.isSet("spotlightIndexingEnabled") { found.spotlightAttributeCount = 1 }
    if node.isSet("preserveAfterDeletion") { found.preservedAttributeCount = 1 }
    if node.isSet("allowsCloudEncryption") { found.encryptedAttributeCount = 1 }
    return found
  }
}

// MARK: - Attributes

extension ModelFileReader {
  private func attribute(_ node: XMLNode, depth: Int = 0) throws(ImportError) -> SourceAttribute {
    var attribute = SourceAttribute(name: try requiredName(node), type: try type(of: node, depth))
    attribute.isOptional = node.isSet("optional")
    attribute.isTransient = node.isSet("transient")
    attribute.isExternal = node.isSet("allowsExternalBinaryDataStorage") && attribute.type.isBytes
    attribute.derivation = node["derivationExpression"]
    attribute.renamingIdentifier = renamingIdentifier(of: node)
    attribute.transformer = node["valueTransformerName"]
    readDefault(of: node, into: &attribute)
    readRules(of: node, into: &attribute)
    return attribute
  }

  private func type(of node: XMLNode, _ depth: Int) throws(ImportError) -> SourceAttributeType {
    guard let name = node["attributeType"] else { return .undefined }
    if let type = SourceAttributeType(name: name) { return type }
    guard name == "Composite" else {
      throw fault(node, "the attribute \(node["name"] ?? "") has the type “\(name)”, which is unknown")
    }
    guard depth < ModelFileReader.maximumCompositeDepth, let composite = composites[node["composite"] ?? ""] else {
      throw fault(
        node,
        "the attribute \(node["name"] ?? "") has the composite type “\(node["composite"] ?? "")”, "
          + "which is missing or contains itself")
    }
    var leaves: [SourceAttribute] = []
    for leaf in composite.children("attribute") { leaves.append(try attribute(leaf, depth: depth + 1)) }
    return .composite(leaves)
  }

  /// The limit on composites inside composites.
  private static let maximumCompositeDepth = 8

  private func readDefault(of node: XMLNode, into attribute: inout SourceAttribute) {
    if attribute.type == .date {
      guard let seconds = node["defaultDateTimeInterval"] else { return }
      attribute.declaredDefault = seconds
      attribute.defaultValue = DeclaredValue.date(seconds)
    } else if let text = node["defaultValueString"] {
      attribute.declaredDefault = text
      attribute.defaultValue = DeclaredValue.defaultValue(text, of: attribute.type)
    } else {
      return
    }
    if attribute.defaultValue == nil, !(attribute.declaredDefault ?? "").isEmpty {
      attribute.faults.append(
        "the default “\(attribute.declaredDefault ?? "")” is not a value of \(attribute.type.name)")
    }
  }

  private func readRules(of node: XMLNode, into attribute: inout SourceAttribute) {
    attribute.rules.pattern = node["regularExpressionString"]
    if attribute.type == .string {
      attribute.rules.minimumLength = length(node["minValueString"], &attribute)
      attribute.rules.maximumLength = length(node["maxValueString"], &attribute)
    } else {
      attribute.rules.minimum = bound(node["minValueString"], node["minDateTimeInterval"], &attribute)
      attribute.rules.maximum = bound(node["maxValueString"], node["maxDateTimeInterval"], &attribute)
    }
  }

  /// Reads a limit on a string, which is a limit on its length.
  private func length(_ text: String?, _ attribute: inout SourceAttribute) -> Int? {
    guard let text, !text.isEmpty else { return nil }
    if let number = Double(text), let length = Int(exactly: number.rounded()) { return length }
    attribute.faults.append("the limit “\(text)” is not a length")
    return nil
  }

  /// Reads a limit; the text of a date is in the form of its writer's language, so its seconds count.
  private func bound(_ text: String?, _ seconds: String?, _ attribute: inout SourceAttribute) -> Value? {
    guard let declared = attribute.type == .date ? seconds ?? text : text, !declared.isEmpty else { return nil }
    let value =
      attribute.type == .date ? seconds.flatMap(DeclaredValue.date) : DeclaredValue.value(declared, of: attribute.type)
    if value == nil { attribute.faults.append("the limit “\(declared)” is not a value of \(attribute.type.name)") }
    return value
  }
}

// MARK: - Relationships and requests

extension ModelFileReader {
  private func relationship(_ node: XMLNode) throws(ImportError) -> SourceRelationship {
    guard let destination = node["destinationEntity"], !destination.isEmpty else {
      throw fault(node, "the relationship \(node["name"] ?? "") has no destination")
    }
    var relationship = SourceRelationship(name: try requiredName(node), destination: destination)
    relationship.isToMany = node.isSet("toMany")
    relationship.isOrdered = node.isSet("ordered") && relationship.isToMany
    relationship.inverse = node["inverseName"].flatMap { $0.isEmpty ? nil : $0 }
    relationship.isOptional = node.isSet("optional")
    relationship.isTransient = node.isSet("transient")
    relationship.minimumCount = try count(node, "minCount")
    relationship.maximumCount = try count(node, "maxCount")
    relationship.renamingIdentifier = renamingIdentifier(of: node)
    if let name = node["deletionRule"] {
      guard let rule = SourceRelationship.DeleteRule.allCases.first(where: { $0.name == name }) else {
        throw fault(node, "the relationship \(relationship.name) has the delete rule “\(name)”, which is unknown")
      }
      relationship.deleteRule = rule
    }
    return relationship
  }

  private func count(_ node: XMLNode, _ key: String) throws(ImportError) -> Int {
    guard let text = node[key], !text.isEmpty else { return 0 }
    guard let count = Int(text), count >= 0 else {
      throw fault(node, "the relationship \(node["name"] ?? "") has the \(key) “\(text)”, which is not a number")
    }
    return count
  }

  private func fetchedProperty(_ node: XMLNode) throws(ImportError) -> SourceFetchRequest {
    let request = node.children("fetchRequest").first
    return SourceFetchRequest(
      name: try requiredName(node), entity: request?["entity"], predicate: request?["predicateString"])
  }

  private func fetchRequest(_ node: XMLNode) throws(ImportError) -> SourceFetchRequest {
    SourceFetchRequest(name: try requiredName(node), entity: node["entity"], predicate: node["predicateString"])
  }

  /// Returns the indexes of all three forms that Xcode has written: named ones, lists, and flags of attributes.
  private func indexes(of node: XMLNode) -> [SourceIndex] {
    var found = node.children("fetchIndex").map { index in
      SourceIndex(
        name: index["name"],
        elements: index.children("fetchIndexElement").compactMap { element in
          (element["property"] ?? element["expression"]).map {
            SourceIndex.Element(
              property: $0, isDescending: element["order"] == "descending", isSpatial: element["type"] == "RTree")
          }
        })
    }
    for list in node.children("compoundIndexes") {
      found += list.children("compoundIndex").map { index in
        SourceIndex(
          elements: index.children("index").compactMap { $0["value"] }.map { SourceIndex.Element(property: $0) })
      }
    }
    let flagged = node.children.filter { ["attribute", "relationship"].contains($0.name) && $0.isSet("indexed") }
    found += flagged.compactMap { $0["name"] }.map { SourceIndex(elements: [SourceIndex.Element(property: $0)]) }
    return found
  }
}

#endif
