/// A fault in a model or in a store: where it is, and what it is.
///
/// A ``ModelError`` and the result of a verification list them.
public struct Fault: Hashable, Sendable, CustomStringConvertible {
  /// The part that a fault is in, which determines the repair.
  package enum Part: String, Hashable, Sendable {
    /// The declaration of a model.
    case model
    /// The source of all data; only a backup can restore it.
    case journal
    /// Folded from the journal; a rebuild restores them.
    case projections
  }

  /// The part that has the fault.
  package let part: Part
  /// The place, such as `Recipe.servings` or `Recipe.indexes[1]` in a model, and `commit 7, event 2` or
  /// `page 12 of table objects.1` in a store.
  ///
  /// In a model file it is `entities[0].attributes[2].type (Recipe.note)`.
  public let place: String
  /// A description of the fault; in a model with the value and the remedy.
  public let message: String

  package init(_ place: String, _ message: String, in part: Part = .model) {
    self.place = place
    self.message = message
    self.part = part
  }

  public var description: String { place.isEmpty ? message : "\(place): \(message)" }
}
