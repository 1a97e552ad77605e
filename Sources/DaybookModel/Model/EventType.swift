/// The declaration of a named event: what the application records about objects, in its own words.
///
///     EventType(name: "RecipeCooked", about: "Recipe", attributes: [
///       Attribute(name: "servings", type: .integer),
///       Attribute(name: "verdict", type: .string, isOptional: true),
///     ])
///
/// A recorded event changes no object. Its attributes are stored values: they have a type, may be optional and may have
/// a default, but no order and no derivation.
public struct EventType: Hashable, Sendable {
  /// The name of the event: unique among the events, and not the name of a kind of events such as `inserted`.
  public var name: String
  /// The event's name in the previous model, if this model renames it.
  public var renamedFrom: String?
  /// The entity of the objects that the event is about.
  public var about: String
  /// The attributes of the event.
  public var attributes: [Attribute]

  /// Creates the declaration of a named event.
  public init(name: String, renamedFrom: String? = nil, about: String, attributes: [Attribute] = []) {
    self.name = name
    self.renamedFrom = renamedFrom
    self.about = about
    self.attributes = attributes
  }
}

extension EventType {
  /// The words that name the kind of an event or a commit in a log; no named event has such a name.
  static let reservedNames: Set<String> = Set(Event.Kind.allCases.map(\.rawValue)).union(["model"])

  /// Replaces the defaults by their stored form.
  mutating func normalize() {
    for number in attributes.indices {
      // A valid default fits its type, so this cannot fail.
      guard let type = attributes[number].type,
        let value = try? attributes[number].defaultValue.normalized(as: type)
      else { continue }
      attributes[number].defaultValue = value
    }
  }
}
