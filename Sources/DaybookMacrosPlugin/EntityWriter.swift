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
    if !entity.hasInitializer { members.append(initializer) }
    return members + [reading, writing]
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
