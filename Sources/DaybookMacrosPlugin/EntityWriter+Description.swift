#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityWriter {
  var description: DeclSyntax {
    var arguments = ["name: entityName"]
    if let former = entity.renamedFrom { arguments.append("renamedFrom: \(former)") }
    if let parent = entity.parent, parent != "nil" { arguments.append("parent: \(parent).entityName") }
    if let isAbstract = entity.isAbstract { arguments.append("isAbstract: \(isAbstract)") }
    if let name = entity.nameAttribute { arguments.append("nameAttribute: \"\(name)\"") }
    arguments.append(list("attributes", entity.properties.compactMap(attribute)))
    arguments.append(list("relationships", entity.properties.compactMap(relationship)))
    arguments.append(list("unique", entity.unique.map { "[\($0.joined(separator: ", "))]" }))
    arguments.append(list("indexes", entity.indexes.map { "try Daybook.Index(terms: \($0.joined(separator: ", ")))" }))
    if !entity.groups.isEmpty { arguments.append(list("groups", entity.groups.map(groups))) }
    if !entity.rules.isEmpty { arguments.append("rules: [\(entity.rules.joined(separator: ", "))]") }
    let head = "Daybook.Entity(\n      " + arguments.joined(separator: ",\n      ") + ")"
    guard !entity.key.isEmpty else { return declaration("Daybook.Entity", head) }
    let key = entity.key.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return declaration("Daybook.DerivedEntity", "Daybook.DerivedEntity(\n    \(head),\n    key: [\(key)])")
  }

  private func declaration(_ type: String, _ value: String) -> DeclSyntax {
    """
    \(raw: access)static var entity: \(raw: type) {
      get throws {
        \(raw: value)
      }
    }
    """
  }

  func list(_ label: String, _ elements: [String]) -> String {
    guard !elements.isEmpty else { return "\(label): []" }
    return "\(label): [\n        " + elements.joined(separator: ",\n        ") + ",\n      ]"
  }

  func attribute(_ property: EntityProperty) -> String? {
    let former = property.renamedFrom.map { ", renamedFrom: \($0)" } ?? ""
    switch property.kind {
    case .attribute(let isConstant, let order, let rules):
      let value = isConstant ? property.initialValue.map { ", default: \($0)" } ?? "" : ""
      let order = order.map { ", order: \($0)" } ?? ""
      let head = "try Daybook.Attribute(\"\(property.name)\", as: \(metatype(property.type))"
      let list = rules.isEmpty ? "" : ", rules: [\(rules.joined(separator: ", "))]"
      return "\(head)\(value)\(former)\(order)\(list))"
    case .derived(let derivation):
      let attribute = derivation.attribute.map { ", attribute: \"\($0)\"" } ?? ""
      return "Daybook.Attribute(\"\(property.name)\", "
        + "derived: .\(derivation.kind)(relationship: \"\(derivation.relationship)\"\(attribute))\(former))"
    case .toOne, .toMany: return nil
    }
  }

  private func groups(_ groups: EntityDeclaration.Groups) -> String {
    let values = groups.values.isEmpty ? "" : ", show: [\(groups.values.joined(separator: ", "))]"
    let keys = groups.keys.joined(separator: ", ")
    return "Daybook.GroupDeclaration(\(groups.name ?? "\"\""), by: [\(keys)]\(values))"
  }

  private func metatype(_ type: String) -> String {
    type.contains(" ") ? "(\(type)).self" : "\(type).self"
  }

  private func relationship(_ property: EntityProperty) -> String? {
    func text(_ head: String, _ link: EntityProperty.Link, _ middle: String) -> String {
      let inverse = link.inverse.map { ", inverse: \"\($0)\"" } ?? ""
      let rule = link.deleteRule.map { ", onDelete: \($0)" } ?? ""
      let ordered = link.ordered.map { $0 == "false" ? "" : ", ordered: \($0)" } ?? ""
      let acyclic = link.acyclic.map { $0 == "false" ? "" : ", acyclic: \($0)" } ?? ""
      let limits = (link.least.map { ", least: \($0)" } ?? "") + (link.most.map { ", most: \($0)" } ?? "")
      let former = property.renamedFrom.map { ", renamedFrom: \($0)" } ?? ""
      let tail = inverse + middle + rule + ordered + acyclic + limits + former
      return "Daybook.Relationship(\"\(property.name)\", \(head).self\(tail))"
    }
    switch property.kind {
    case .toOne(let target, let isOptional, let link):
      return text("toOne: \(target)", link, ", isOptional: \(isOptional)")
    case .toMany(let target, let link): return text("toMany: \(target)", link, "")
    case .attribute, .derived: return nil
    }
  }
}

#endif
