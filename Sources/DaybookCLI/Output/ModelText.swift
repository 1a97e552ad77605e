#if Command

import Daybook

/// A model as readable text.
///
///     Recipe, named by name
///       name         string, natural order
///       type         → RecipeType, optional, inverse recipes
///       unique       name
///       index        type.name, name
///
///     Cake, child of Recipe
///       layers       integer
///
///     Event RecipeCooked, about Recipe
///       servings     integer
struct ModelText {
  private let model: Model

  init(_ model: Model) {
    self.model = model
  }

  /// The text of all entities and named events, separated by empty lines, without one at the end.
  var text: String {
    let parts = model.entities.map { ModelText.lines(of: $0) } + model.events.map { ModelText.lines(of: $0) }
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private static func lines(of event: EventType) -> [String] {
    var table = TextTable(["", ""])
    for attribute in event.attributes { table.add([attribute.name, words(of: attribute)]) }
    let title = "Event \(event.name), about \(event.about)"
    return event.attributes.isEmpty ? [title] : [title] + table.lines(width: nil).map { "  " + $0 }
  }

  private static func lines(of entity: Entity) -> [String] {
    var table = TextTable(["", ""])
    for attribute in entity.attributes { table.add([attribute.name, words(of: attribute)]) }
    for relationship in entity.relationships {
      table.add([relationship.name, words(of: relationship, in: entity.name)])
    }
    for names in entity.unique { table.add(["unique", names.joined(separator: ", ")]) }
    for index in entity.indexes { table.add(["index", index.terms.map(\.indexText).joined(separator: ", ")]) }
    for groups in entity.groups { table.add(["groups", groups.summary]) }
    for rule in entity.rules { table.add(["rule", rule]) }
    var title = [entity.name]
    if let parent = entity.parent { title.append("child of \(parent)") }
    if entity.isAbstract { title.append("abstract") }
    if let name = entity.nameAttribute { title.append("named by \(name)") }
    return [title.joined(separator: ", ")] + table.lines(width: nil).map { "  " + $0 }
  }

  private static func words(of attribute: Attribute) -> String {
    if let derivation = attribute.derivation { return words(of: derivation) }
    guard let type = attribute.type else { return "" }
    var words = [type.rawValue]
    if attribute.isOptional { words.append("optional") }
    if attribute.order != .codepoint { words.append("\(attribute.order.rawValue) order") }
    if !attribute.defaultValue.isNull { words.append("default \(attribute.defaultValue.json(as: type).text)") }
    words += attribute.rules.map { $0.summary(as: type) }
    return words.joined(separator: ", ")
  }

  private static func words(of derivation: Derivation) -> String {
    switch derivation {
    case .count(let relationship): "count of \(relationship)"
    case .sum(let relationship, let attribute): "sum of \(relationship).\(attribute)"
    case .minimum(let relationship, let attribute): "minimum of \(relationship).\(attribute)"
    case .maximum(let relationship, let attribute): "maximum of \(relationship).\(attribute)"
    }
  }

  private static func words(of relationship: Relationship, in entity: String) -> String {
    var words = [(relationship.isMany ? "→ many " : "→ ") + relationship.target]
    if relationship.isOptional { words.append("optional") }
    if relationship.isOrdered { words.append("ordered") }
    if relationship.isAcyclic { words.append("acyclic") }
    words += relationship.limits
    words.append(inverseText(of: relationship, in: entity))
    if relationship.deleteRule != .nullify { words.append("on delete \(relationship.deleteRule.rawValue)") }
    return words.joined(separator: ", ")
  }

  private static func inverseText(of relationship: Relationship, in entity: String) -> String {
    if relationship.inverse.isEmpty { return "one-way" }
    let isMirrored = relationship.target == entity && relationship.inverse == relationship.name
    return isMirrored ? "its own inverse" : "inverse \(relationship.inverse)"
  }
}

#endif
