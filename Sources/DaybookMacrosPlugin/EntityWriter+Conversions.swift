#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityWriter {
  var initializer: DeclSyntax {
    let stored = entity.properties.filter { !$0.isDerived }
    let parameters = stored.map { "\(escaped($0.name)): \($0.type)\(defaultValue(of: $0))" }
    let derived = entity.properties.filter { $0.isDerived && $0.initialValue == nil && !$0.isOptional }
    let assignments =
      stored.map { "self.\(escaped($0.name)) = \(escaped($0.name))" }
      + derived.map { "self.\(escaped($0.name)) = 0" }
    return """
      \(raw: access)init(\(raw: parameters.joined(separator: ", "))) {
        \(raw: lines(assignments, indent: 2))
      }
      """
  }

  private func defaultValue(of property: EntityProperty) -> String {
    if let value = property.initialValue { return " = \(value)" }
    if case .toMany = property.kind { return " = []" }
    return property.isOptional ? " = nil" : ""
  }

  var reading: DeclSyntax {
    let assignments = entity.properties.map { property in
      switch property.kind {
      case .attribute, .derived: "self.\(escaped(property.name)) = try row.value(\"\(property.name)\")"
      case .toOne: "self.\(escaped(property.name)) = try row.target(\"\(property.name)\")"
      case .toMany: "self.\(escaped(property.name)) = row.targets(\"\(property.name)\")"
      }
    }
    return """
      \(raw: access)init(row: inout Daybook.ObjectRow) throws {
        \(raw: lines(assignments, indent: 2))
      }
      """
  }

  var writing: DeclSyntax {
    let verbs = entity.properties.filter { !$0.isDerived }.map { property in
      switch property.kind {
      case .attribute, .derived: "try values.set(\"\(property.name)\", self.\(escaped(property.name)))"
      case .toOne, .toMany: "values.relate(\"\(property.name)\", to: self.\(escaped(property.name)))"
      }
    }
    return """
      \(raw: access)func write(to values: inout Daybook.ObjectValues) throws {
        \(raw: lines(verbs, indent: 2))
      }
      """
  }
}

#endif
