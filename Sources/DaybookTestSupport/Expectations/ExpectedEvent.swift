import Daybook

/// An expected event of a test, reduced to its relevant parts.
///
///     .inserted("Recipe", ["name": "Cake"])
///     .set(cake, ["servings": 8])
///     .related(cake, "type", to: dessert)
///
/// Old values, former times and earlier positions follow from the state before, and are not compared.
public struct ExpectedEvent: CustomStringConvertible, Sendable {
  public let description: String
  private let isMet: @Sendable (Event) -> Bool

  /// Creates an expectation with its own condition.
  ///
  /// - Parameters:
  ///   - description: The text to show if the event does not occur.
  ///   - isMet: Returns whether an event is the expected one.
  public init(_ description: String, isMet: @escaping @Sendable (Event) -> Bool) {
    self.description = description
    self.isMet = isMet
  }

  func matches(_ event: Event) -> Bool { isMet(event) }
}

extension ExpectedEvent {
  /// Expects that an object was inserted with these values and no others.
  public static func inserted(_ entity: String, _ values: [String: Value] = [:]) -> ExpectedEvent {
    ExpectedEvent("inserted \(entity) \(text(values))") { event in
      guard case .inserted(let fields, _) = event.content, event.entity == entity else { return false }
      return ExpectedEvent.values(fields) == values
    }
  }

  /// Expects that an object was renamed.
  public static func renamed(_ id: some ObjectIdentity, to name: String) -> ExpectedEvent {
    let id = id.objectID
    return ExpectedEvent("renamed \(id) to \(text(.string(name)))") { event in
      guard case .renamed(let change) = event.content, event.object == id else { return false }
      return change.new == .string(name)
    }
  }

  /// Expects that these attributes of an object were set to these values, and no others.
  public static func set(_ id: some ObjectIdentity, _ values: [String: Value]) -> ExpectedEvent {
    let id = id.objectID
    return ExpectedEvent("set \(id) \(text(values))") { event in
      guard case .set(let changes) = event.content, event.object == id else { return false }
      return Dictionary(uniqueKeysWithValues: changes.map { ($0.name, $0.new) }) == values
    }
  }

  /// Expects that two objects were linked, or that the target's place changed.
  ///
  /// - Parameters:
  ///   - id: The owner of the link.
  ///   - relationship: The owner's side of the relationship.
  ///   - target: The other object.
  public static func related(
    _ id: some ObjectIdentity, _ relationship: String, to target: some ObjectIdentity
  ) -> ExpectedEvent {
    let (id, target) = (id.objectID, target.objectID)
    return ExpectedEvent("related \(id) \(relationship) to \(target)") { event in
      guard case .related(let link) = event.content, event.object == id else { return false }
      return link.relationship == relationship && link.to == target
    }
  }

  /// Expects that the link between two objects was removed.
  ///
  /// - Parameters:
  ///   - id: The owner of the link.
  ///   - relationship: The owner's side of the relationship.
  ///   - target: The other object.
  public static func unrelated(
    _ id: some ObjectIdentity, _ relationship: String, from target: some ObjectIdentity
  ) -> ExpectedEvent {
    let (id, target) = (id.objectID, target.objectID)
    return ExpectedEvent("unrelated \(id) \(relationship) from \(target)") { event in
      guard case .unrelated(let link) = event.content, event.object == id else { return false }
      return link.relationship == relationship && link.from == target
    }
  }

  /// Expects that an object was deleted.
  public static func deleted(_ id: some ObjectIdentity) -> ExpectedEvent {
    let id = id.objectID
    return ExpectedEvent("deleted \(id)") { $0.kind == .deleted && $0.object == id }
  }

  /// Expects that a named event was recorded about an object, with these values and no others.
  public static func recorded(
    _ event: String, about id: some ObjectIdentity, _ values: [String: Value] = [:]
  ) -> ExpectedEvent {
    let id = id.objectID
    return ExpectedEvent("recorded \(event) about \(id) \(text(values))") { stored in
      guard case .recorded(event, let fields) = stored.content, stored.object == id else { return false }
      return ExpectedEvent.values(fields) == values
    }
  }
}

/// An identity, with or without its entity.
public protocol ObjectIdentity: Sendable {
  var objectID: ObjectID { get }
}

extension ObjectID: ObjectIdentity {
  public var objectID: ObjectID { self }
}

extension EntityID: ObjectIdentity {}

extension ExpectedEvent {
  /// Returns an event in the text form of the expectations.
  static func text(of event: Event) -> String {
    let head = "\(event.kind) "
    switch event.content {
    case .inserted(let fields, _): return head + "\(event.entity) \(text(values(fields)))"
    case .renamed(let change): return head + "\(event.object) to \(text(change.new))"
    case .set(let changes):
      return head + "\(event.object) \(text(Dictionary(uniqueKeysWithValues: changes.map { ($0.name, $0.new) })))"
    case .related(let link): return head + "\(event.object) \(link.relationship) to \(link.to?.description ?? "")"
    case .unrelated(let link): return head + "\(event.object) \(link.relationship) from \(link.from?.description ?? "")"
    case .recorded(let name, let fields): return head + "\(name) about \(event.object) \(text(values(fields)))"
    case .deleted, .unknown: return head + "\(event.object)"
    }
  }

  private static func values(_ fields: [NamedValue]) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.value) })
  }

  private static func text(_ values: [String: Value]) -> String {
    "{" + values.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", ") + "}"
  }

  private static func text(_ value: Value) -> String {
    if case .string(let text) = value { text.debugDescription } else { value.description }
  }
}
