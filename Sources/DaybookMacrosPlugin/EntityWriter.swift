#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the code that makes a struct an entity.
struct EntityWriter {
  let entity: EntityDeclaration

  var access: String { entity.access }

  var members: [DeclSyntax] {
    var members: [DeclSyntax] = [
      "\(raw: access)typealias ID = Daybook.EntityID<\(raw: entity.type)>", fields,
      "\(raw: access)static var entityName: String { \(raw: entity.name) }", description,
    ]
    if !entity.key.isEmpty { members.append(key) }
    if !entity.hasInitializer { members.append(initializer) }
    return members + [reading, writing] + comparing
  }

  /// Joins lines with the indentation of the surrounding code.
  func lines(_ texts: [String], indent: Int) -> String {
    texts.joined(separator: "\n" + String(repeating: " ", count: indent))
  }
}

// The fields.
extension EntityWriter {
  private var fields: DeclSyntax {
    let fields = entity.properties.flatMap { property in
      let field =
        "\(access)var \(escaped(property.name)): \(fieldType(of: property)) { .init(fieldPath, \"\(property.name)\") }"
      return property.location.map { [$0, field, "#sourceLocation()"] } ?? [field]
    }
    return """
      \(raw: access)struct Fields: Daybook.EntityFields {
        \(raw: access)typealias Object = \(raw: entity.type)
        \(raw: access)let fieldPath: Daybook.FieldPath
        \(raw: access)init(at path: Daybook.FieldPath) { fieldPath = path }
        \(raw: lines(fields, indent: 2))
      }
      """
  }

  /// The function that makes a key, if the entity is derived.
  private var key: DeclSyntax {
    let parameters = entity.key.map { "\(escaped($0.name)): \($0.type)" }.joined(separator: ", ")
    let values = entity.key.map { escaped($0.name) }.joined(separator: ", ")
    return """
      \(raw: access)static func key(\(raw: parameters)) -> Daybook.EntityKey<\(raw: entity.type)> {
        .init(\(raw: values))
      }
      """
  }

  /// The members that compare values, if the struct asks for them and has targets of to-many relationships: these are no
  /// part of a value, and cannot be compared.
  private var comparing: [DeclSyntax] {
    let compared = entity.properties.filter { !$0.isToMany }.map { escaped($0.name) }
    guard compared.count < entity.properties.count else { return [] }
    var members: [DeclSyntax] = []
    if entity.needsEquality {
      let tests = compared.isEmpty ? "true" : compared.map { "a.\($0) == b.\($0)" }.joined(separator: " && ")
      members.append(
        """
        \(raw: access)static func == (a: \(raw: entity.type), b: \(raw: entity.type)) -> Bool { \(raw: tests) }
        """)
    }
    if entity.needsHash {
      members.append(
        """
        \(raw: access)func hash(into hasher: inout Hasher) {
          \(raw: lines(compared.map { "hasher.combine(\($0))" }, indent: 2))
        }
        """)
    }
    return members
  }

  private func fieldType(of property: EntityProperty) -> String {
    switch property.kind {
    case .attribute, .derived: "Daybook.Field<\(property.type)>"
    case .toOne(let target, _, _): "Daybook.ToOneField<\(target)>"
    case .toMany(let target, _): "Daybook.ToManyField<\(target)>"
    }
  }

  /// Returns a name in the form for code.
  func escaped(_ name: String) -> String {
    Keywords.needBackticks.contains(name) ? "`\(name)`" : name
  }
}

#endif
