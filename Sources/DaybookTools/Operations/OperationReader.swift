import Daybook
import DaybookModel

/// Reads the members of an operation's JSON one by one, and throws if unknown members remain.
struct OperationReader {
  private var members: [(key: String, value: JSONValue)]

  init(_ json: JSONValue) throws {
    guard let members = json.members else {
      throw OperationReader.error("an operation is a JSON object, not \(json.nounPhrase)")
    }
    self.members = members
  }

  static func error(_ message: String) -> StoreError {
    StoreError(.badRequest, message + ".", advice: "See `daybook help apply` for the form of operations.")
  }

  /// Removes and returns a member, or returns `nil` if it does not exist.
  mutating func take(_ key: String) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.key == key }) else { return nil }
    return members.remove(at: index).value
  }

  mutating func text(_ key: String) throws -> String? {
    guard let value = take(key), !value.isNull else { return nil }
    guard let text = value.stringValue else {
      throw OperationReader.error("“\(key)” takes a string, not \(value.nounPhrase)")
    }
    return text
  }

  mutating func requiredText(_ key: String, of verb: String) throws -> String {
    guard let text = try text(key) else { throw OperationReader.error("“\(verb)” needs “\(key)”") }
    return text
  }

  mutating func time(_ key: String) throws -> Timestamp? {
    guard let text = try text(key) else { return nil }
    guard let time = Timestamp(text) else {
      throw OperationReader.error("“\(key)” takes a time such as 2026-01-02T03:04:05Z, not “\(text)”")
    }
    return time
  }

  mutating func id(_ key: String) throws -> ObjectID? {
    guard let text = try text(key) else { return nil }
    guard let id = ObjectID(text) else { throw OperationReader.error("“\(key)” takes a whole UUID, not “\(text)”") }
    return id
  }

  /// Reads a condition in the form `{"untouched": "UUID", "since": 7}`.
  mutating func condition(_ key: String) throws -> AppendCondition? {
    guard let value = take(key), !value.isNull else { return nil }
    var members = try OperationReader(value)
    guard let id = try members.id("untouched"), let since = members.take("since")?.integerValue, since >= 0 else {
      throw OperationReader.error("“\(key)” takes an object’s id as “untouched” and a position as “since”")
    }
    try members.finish()
    return .untouched(id, since: Position(UInt64(since)))
  }

  mutating func reference(_ key: String) throws -> ObjectReference? {
    try take(key).map { try OperationReader.reference($0, in: key) }
  }

  mutating func requiredReference(_ key: String, of verb: String) throws -> ObjectReference {
    guard let reference = try reference(key) else { throw OperationReader.error("“\(verb)” needs “\(key)”") }
    return reference
  }

  static func reference(_ json: JSONValue, in key: String) throws -> ObjectReference {
    guard let text = json.stringValue else {
      throw error("“\(key)” takes the id or the $name of an object, not \(json.nounPhrase)")
    }
    return ObjectReference(text)
  }

  /// Returns the members of a nested object; none if it is missing.
  mutating func members(_ key: String) throws -> [(key: String, value: JSONValue)] {
    guard let value = take(key), !value.isNull else { return [] }
    guard let members = value.members else {
      throw OperationReader.error("“\(key)” takes a JSON object, not \(value.nounPhrase)")
    }
    return members
  }

  /// - Throws: `StoreError` if unknown members remain.
  func finish() throws {
    guard let first = members.first else { return }
    throw OperationReader.error("“\(first.key)” is not known here")
  }

  /// Returns the verb of the operation.
  ///
  /// An insert may contain `relate` too, so that verb comes last.
  func verb() throws -> String {
    let verbs = ["insert", "rename", "set", "unrelate", "delete", "record", "relate"]
    if let verb = verbs.first(where: { verb in members.contains { $0.key == verb } }) { return verb }
    throw OperationReader.error(
      "an operation says one of insert, rename, set, relate, unrelate, delete, record or commit, and this says none")
  }
}
