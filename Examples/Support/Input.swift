import DaybookMacros
import DaybookModel
import DaybookServer

/// What a page sends to a list, a form or an action: values by name.
package struct Input: Sendable {
  private let members: [(key: String, value: JSONValue)]

  /// - Throws: `Problem` with the status 400 for a value that is no object.
  init(_ json: JSONValue) throws {
    guard let members = json.isNull ? [] : json.members else {
      throw Problem(.badRequest, "The input is a JSON object, not \(json.nounPhrase).")
    }
    self.members = members
  }

  private func fault(_ name: String, _ expected: String) -> Problem {
    Problem(.badRequest, "“\(name)” takes \(expected).", parameter: name)
  }

  /// Returns a value, or null if it was not sent.
  package func json(_ name: String) -> JSONValue { members.first { $0.key == name }?.value ?? .null }

  /// Returns a text.
  ///
  /// - Throws: `Problem` with the status 400 if it is missing or something else.
  package func text(_ name: String) throws -> String {
    guard let text = json(name).stringValue else { throw fault(name, "a text") }
    return text
  }

  /// Returns an integer.
  ///
  /// - Throws: `Problem` with the status 400 if it is missing or something else.
  package func number(_ name: String) throws -> Int {
    guard let number = json(name).integerValue else { throw fault(name, "an integer") }
    return Int(number)
  }

  /// Returns a time; a day stands for its beginning in UTC.
  ///
  /// - Throws: `Problem` with the status 400 if it is missing or something else.
  package func time(_ name: String) throws -> Timestamp {
    guard let time = json(name).stringValue.flatMap({ Timestamp($0) }) else { throw fault(name, "a time") }
    return time
  }

  /// Returns the identity of an object of any entity.
  ///
  /// - Throws: `Problem` with the status 400 if it is missing or something else.
  package func object(_ name: String) throws -> ObjectID { try (id(name) as EntityID<Never>).objectID }

  /// Returns the identity of an object, or `nil` if none was sent.
  ///
  /// - Throws: `Problem` with the status 400 for what is no identity.
  package func optionalID<Object>(_ name: String) throws -> EntityID<Object>? {
    if json(name).isNull { return nil }
    guard let id = json(name).stringValue.flatMap({ EntityID<Object>($0) }) else { throw fault(name, "an identity") }
    return id
  }

  /// Returns the identity of an object.
  ///
  /// - Throws: `Problem` with the status 400 if it is missing or something else.
  package func id<Object>(_ name: String) throws -> EntityID<Object> {
    guard let id: EntityID<Object> = try optionalID(name) else { throw fault(name, "an identity") }
    return id
  }
}
