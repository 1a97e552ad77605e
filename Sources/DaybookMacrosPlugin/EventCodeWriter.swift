#if Macros

import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the code that makes a struct a named event.
struct EventCodeWriter {
  /// The property that holds the object which the event is about.
  static let subject = "about"

  private let event: EntityDeclaration
  /// Writes what an event and an entity have in common.
  private let common: EntityWriter

  init(_ event: EntityDeclaration) {
    self.event = event
    common = EntityWriter(entity: event)
  }

  private var attributes: [EntityProperty] { event.properties.filter { $0.name != EventCodeWriter.subject } }

  /// The entity of the object that the event is about.
  private var subjectType: String {
    for property in event.properties where property.name == EventCodeWriter.subject {
      if case .toOne(let target, _, _) = property.kind { return target }
    }
    return ""
  }

  var members: [DeclSyntax] {
    var members: [DeclSyntax] = [
      "\(raw: event.access)static var eventName: String { \(raw: event.name) }", description,
    ]
    if !event.hasInitializer { members.append(common.initializer) }
    return members + [reading, writing]
  }

  private var description: DeclSyntax {
    var arguments = ["name: eventName"]
    if let former = event.renamedFrom { arguments.append("renamedFrom: \(former)") }
    arguments.append("about: \(subjectType).entityName")
    arguments.append(common.list("attributes", attributes.compactMap(common.attribute)))
    return """
      \(raw: event.access)static var eventType: Daybook.EventType {
        get throws {
          Daybook.EventType(
            \(raw: arguments.joined(separator: ",\n      ")))
        }
      }
      """
  }

  private var reading: DeclSyntax {
    let assignments =
      ["self.about = Daybook.EntityID(event.object)"]
      + attributes.map { "self.\(common.escaped($0.name)) = try event.value(\"\($0.name)\", of: Self.self)" }
    return """
      \(raw: event.access)init(event: Daybook.Event) throws {
        \(raw: common.lines(assignments, indent: 2))
      }
      """
  }

  private var writing: DeclSyntax {
    let verbs = attributes.map { "try values.set(\"\($0.name)\", self.\(common.escaped($0.name)))" }
    return """
      \(raw: event.access)func write(to values: inout Daybook.ObjectValues) throws {
        \(raw: common.lines(verbs, indent: 2))
      }
      """
  }
}

#endif
