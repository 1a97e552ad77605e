import DaybookEngine

/// An object of a tree, in an answer about the objects above or below another one.
public struct TreeObject: Sendable, Hashable {
  /// The object.
  public let object: StoredObject
  /// The number of levels between the object and the one that was asked for; 0 for that object itself.
  public let distance: Int
  /// Whether the object is below itself, which is possible only if the model does not forbid it.
  public let isInCycle: Bool
}
