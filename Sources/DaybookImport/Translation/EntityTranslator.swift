#if Import

import DaybookModel

/// Translates one entity of a source.
struct EntityTranslator {
  let lookup: SourceLookup
  let names: TranslatedNames
  let options: TranslationOptions
  let source: SourceEntity
  /// The translated ancestors, the root first.
  let ancestors: [TranslatedEntity]
  var entity: TranslatedEntity
  var report: EntityReport
  var dropped: [DroppedPart] = []
  var changed: [ChangedPart] = []

  init(
    _ lookup: SourceLookup, _ names: TranslatedNames, _ options: TranslationOptions, _ source: SourceEntity,
    _ name: String, ancestors: [TranslatedEntity]
  ) {
    self.lookup = lookup
    self.names = names
    self.options = options
    self.source = source
    self.ancestors = ancestors
    entity = TranslatedEntity(source: source.name, name: name, renamingIdentifier: source.renamingIdentifier)
    (entity.parent, entity.isAbstract) = (ancestors.last?.name, source.isAbstract)
    report = EntityReport(name: source.name, newName: name)
  }

  mutating func translate() {
    for attribute in source.attributes where !isInherited(attribute.name) { translate(attribute) }
    for relationship in source.relationships where !isInherited(relationship.name) { translate(relationship) }
    for property in source.fetchedProperties {
      let condition = property.predicate.map { " (\($0))" } ?? ""
      dropped.append(
        DroppedPart(
          "\(source.name).\(property.name)", "a fetched property is a request of \(property.entity ?? "?")\(condition)")
      )
    }
    addUnique()
    addIndexes()
  }

  /// The translated attributes of its objects, inherited ones first.
  var allAttributes: [TranslatedAttribute] { ancestors.flatMap(\.attributes) + entity.attributes }
  /// The translated relationships of its objects, inherited ones first.
  var allRelationships: [TranslatedRelationship] { ancestors.flatMap(\.relationships) + entity.relationships }

  /// Returns whether an ancestor declares a field already, which is reported.
  private mutating func isInherited(_ name: String) -> Bool {
    guard lookup.isRepeated(field(name)) else { return false }
    change(
      "a declaration that repeats an inherited one", to: "the inherited one",
      why: "an entity has one field of a name", "\(source.name).\(name)")
    return true
  }

  func field(_ name: String) -> SourceField { SourceField(source.name, name) }

  mutating func change(_ from: String, to: String, why: String, _ place: String) {
    changed.append(ChangedPart(place, from: from, to: to, why: why))
  }

  // MARK: Attributes

  private mutating func translate(_ attribute: SourceAttribute) {
    let leaves = CompositeLeaves.leaves(of: attribute)
    guard attribute.type.isComposite, !attribute.isTransient else { return translateLeaf(attribute) }
    let newNames = leaves.compactMap { names.name(of: field($0.name)) }
    change(
      "composite", to: newNames.joined(separator: ", "), why: "each part is an attribute, and its values are not read",
      "\(source.name).\(attribute.name)")
    for leaf in leaves { translateLeaf(leaf) }
  }

  private mutating func translateLeaf(_ attribute: SourceAttribute) {
    let place = field(attribute.name)
    guard attribute.isStored, let type = attribute.type.translated, let name = names.name(of: place) else {
      var field = FieldReport(attribute.name)
      field.dropReason =
        attribute.isTransient ? "transient, so it is never stored" : "it has no type, so it is never stored"
      report.attributes.append(field)
      return
    }
    var field = FieldReport(attribute.name, as: name, type: type.rawValue)
    for fault in attribute.faults { change("a declaration", to: "nothing", why: fault, place.description) }
    let declaration = derived(attribute, name, type) ?? stored(attribute, name, type)
    field.note = note(on: attribute)
    if declaration.derivation != nil { field.type = "derived" }
    entity.attributes.append(
      TranslatedAttribute(
        source: place, declaration: declaration, renamingIdentifier: attribute.renamingIdentifier))
    report.attributes.append(field)
  }

  /// Returns the declaration of a derived attribute, or `nil` for one without a derivation that Daybook has.
  private mutating func derived(_ attribute: SourceAttribute, _ name: String, _ type: AttributeType) -> Attribute? {
    guard let text = attribute.derivation else { return nil }
    let place = field(attribute.name)
    guard let derivation = derivation(text, type) else {
      change(
        "derived by \(text)", to: "a stored attribute",
        why: "Daybook derives numbers, sums, least and greatest values of to-many relationships", place.description)
      return nil
    }
    return Attribute(name: name, type: nil, derivation: derivation)
  }

  private func derivation(_ text: String, _ type: AttributeType) -> Derivation? {
    guard let parsed = DerivationText(text),
      let (place, relationship) = lookup.relationships(of: source.name).first(where: {
        $0.field.name == parsed.relationship
      }),
      relationship.isToMany, !relationship.isTransient, names.name(ofEntity: relationship.destination) != nil,
      let name = names.name(of: place)
    else {
      return nil
    }
    guard let attribute = parsed.attribute else { return type == .integer ? .count(relationship: name) : nil }
    // A derivation has the type of its source.
    guard
      let (target, declared) = lookup.attributes(of: relationship.destination).first(where: {
        $0.field.name == attribute
      }),
      declared.isStored, declared.derivation == nil, declared.type.translated == type,
      let targetName = names.name(of: target)
    else {
      return nil
    }
    let isNumber = type.isNumeric
    switch parsed.function {
    case "sum": return isNumber ? .sum(relationship: name, attribute: targetName) : nil
    case "min" where isNumber || type == .string || type == .date:
      return .minimum(relationship: name, attribute: targetName)
    case "max" where isNumber || type == .string || type == .date:
      return .maximum(relationship: name, attribute: targetName)
    default: return nil
    }
  }

  private mutating func stored(_ attribute: SourceAttribute, _ name: String, _ type: AttributeType) -> Attribute {
    var isOptional = attribute.isOptional
    if !isOptional, options.relaxed.contains(field(attribute.name)) {
      isOptional = true
      change("required", to: "optional", why: "rows have no value of it", field(attribute.name).description)
    }
    var declaration = Attribute(name: name, type: type, isOptional: isOptional)
    declaration.defaultValue = defaultValue(of: attribute, type)
    declaration.rules = rules(of: attribute, type)
    if let rule = declaration.rules.first(where: { !RuleCheck($0).allows(declaration.defaultValue) }) {
      change(
        "the default \(declaration.defaultValue.text)", to: "no default",
        why: "it breaks the rule \(rule.summary(as: type))",
        field(attribute.name).description)
      declaration.defaultValue = .null
    }
    return declaration
  }

  private mutating func defaultValue(of attribute: SourceAttribute, _ type: AttributeType) -> Value {
    guard let declared = attribute.defaultValue, !declared.isNull else { return .null }
    if let value = declared.fitting(type) { return value }
    change(
      "the default \(declared.text)", to: "no default", why: "it is not \(type.nounPhrase)",
      field(attribute.name).description)
    return .null
  }

  /// Returns a remark about the type, where its values have another form in the store.
  private func note(on attribute: SourceAttribute) -> String? {
    switch attribute.type {
    case .uri: "URI"
    case .transformable: "the bytes of \(attribute.transformer ?? "the default transformer")"
    case .float: "a Float, widened"
    default: nil
    }
  }
}

#endif
