import SwiftSyntax

/// A stored property of an entity, as it goes into the model.
struct EntityProperty {
  let name: String
  /// As written, or as the literal that it is initialised with says.
  let type: String
  /// What it is initialised with.
  let initialValue: String?
  let kind: Kind
  /// What it was called before, as written.
  let renamedFrom: String?
  /// A directive that names the property's place in its file; nil where the place is not known, or nothing can be wrong.
  let location: String?

  enum Kind {
    /// - Parameter isConstant: Whether the initial value is the attribute's default.
    case attribute(isConstant: Bool, order: String?)
    case derived(Derivation)
    case toOne(target: String, isOptional: Bool, Link)
    case toMany(target: String, Link)
  }

  /// How a derived attribute is computed; in the words of the model.
  struct Derivation {
    let kind: String
    let relationship: String
    let attribute: String?
  }

  /// What `@Relationship` says, as written.
  struct Link {
    var inverse: String?
    var deleteRule: String?
    var ordered: String?
  }

  var isDerived: Bool {
    if case .derived = kind { true } else { false }
  }

  /// Whether the type is written as an optional one.
  var isOptional: Bool { type.hasSuffix("?") || type.hasPrefix("Optional<") }
}
