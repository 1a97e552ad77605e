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

  /// Returns the name that an operation gives to its object, with its `$`.
  mutating func name() throws -> String? {
    guard let name = try text("as") else { return nil }
    guard name.hasPrefix("$"), name.count > 1 else {
      throw OperationReader.error("“as” takes a name that begins with $, not “\(name)”")
    }
    return name
  }

  mutating func names(_ key: String, of verb: String) throws -> [String] {
    guard let value = take(key), !value.isNull else { throw OperationReader.error("“\(verb)” needs “\(key)”") }
    let names = value.elements?.map(\.stringValue) ?? []
    guard !names.isEmpty, !names.contains(nil) else {
      throw OperationReader.error("“\(key)” takes a list of names, not \(value.text.prefix(80))")
    }
    return names.compactMap(\.self)
  }

  mutating func time(_ key: String) throws -> Timestamp? {
    guard let text = try text(key) else { return nil }
    guard let time = Timestamp(text) else {
      throw OperationReader.error("“\(key)” takes a time such as \(Timestamp.forms), not “\(text)”")
    }
    return time
  }

  mutating func id(_ key: String) throws -> ObjectID? {
    guard let text = try text(key) else { return nil }
    guard let id = ObjectID(text) else { throw OperationReader.error("“\(key)” takes a whole UUID, not “\(text)”") }
    return id
  }

  mutating func metadata(_ key: String) throws -> CommitMetadata {
    guard let value = take(key), !value.isNull else { return CommitMetadata() }
    do throws(MetadataFault) {
      let metadata = try CommitMetadata(json: value)
      _ = try metadata.checkedBytes()
      return metadata
    } catch {
      throw OperationReader.error("“\(key)”: \(error)")
    }
  }

  mutating func causation(_ key: String) throws -> CommitReference? {
    guard let value = take(key), !value.isNull else { return nil }
    guard let causation = CommitReference(json: value) else {
      throw OperationReader.error("“\(key)” takes a position or a whole commit id, not \(value.text.prefix(80))")
    }
    return causation
  }

  /// Reads a condition: objects that must be untouched, or a request whose result must be unchanged.
  ///
  ///     {"untouched": "UUID", "since": 7}
  ///     {"untouched": ["UUID", "UUID"], "since": 7}
  ///     {"unchanged": {"entity": "Recipe", "where": "servings > 4"}, "since": 7}
  mutating func condition(_ key: String) throws -> AppendCondition? {
    guard let value = take(key), !value.isNull else { return nil }
    var members = try OperationReader(value)
    let (untouched, unchanged) = (members.take("untouched"), members.take("unchanged"))
    guard let since = members.take("since")?.integerValue, since >= 0, (untouched == nil) != (unchanged == nil) else {
      throw OperationReader.error("“\(key)” takes “untouched” or “unchanged”, and a position as “since”")
    }
    try members.finish()
    let position = Position(UInt64(since))
    if let unchanged { return .unchanged(try OperationReader.request(unchanged), since: position) }
    let ids = try (untouched?.elements ?? [untouched ?? .null]).map { json in
      guard let id = json.stringValue.flatMap({ ObjectID($0) }) else {
        throw OperationReader.error(
          "“untouched” takes the whole UUID of an object, or a list of these, not \(json.text.prefix(80))")
      }
      return id
    }
    guard !ids.isEmpty else { throw OperationReader.error("“untouched” takes at least one object") }
    return .all(ids.map { .untouched($0, since: position) })
  }

  private static func request(_ json: JSONValue) throws -> FetchRequest {
    var members = try OperationReader(json)
    let entity = try members.requiredText("entity", of: "unchanged")
    let text = try members.text("where")
    try members.finish()
    do {
      return FetchRequest(entity: entity, filter: try text.map { try Filter(parsing: $0) })
    } catch let error as QueryError {
      throw OperationReader.error("“where”: \(error)")
    }
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
    let verbs = ["insert", "upsert", "rename", "set", "unrelate", "delete", "record", "relate"]
    if let verb = verbs.first(where: { verb in members.contains { $0.key == verb } }) { return verb }
    throw OperationReader.error(
      "an operation says one of insert, upsert, rename, set, relate, unrelate, delete, record or commit, and this says none"
    )
  }
}
