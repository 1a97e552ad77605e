/// Why a model was refused: everything that is wrong with it, at once.
///
///     do {
///       let store = try Store(at: "recipes.daybook", model: recipes)
///     } catch let error as ModelError {
///       for fault in error.faults { print(fault) }   // Recipe.servings: the default “four” is not an integer: ...
///     }
public struct ModelError: Error, Hashable, Sendable {
  /// At least one, in the order of the declarations.
  public let faults: [Fault]

  package init(_ faults: [Fault]) {
    self.faults = faults
  }

  /// One thing that is wrong.
  public struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// Where: `Recipe.servings`, `Recipe.indexes[1]`, or in a model file `entities[0].attributes[2].type (Recipe.note)`.
    public let place: String
    /// What is wrong there, with the value, and what to do.
    public let message: String

    package init(_ place: String, _ message: String) {
      self.place = place
      self.message = message
    }

    public var description: String { place.isEmpty ? message : "\(place): \(message)" }
  }
}

extension ModelError: CustomStringConvertible {
  public var description: String {
    if faults.count == 1 { return "the model is not right: \(faults[0])" }
    return faults.reduce(into: "the model has \(faults.count) faults:") { $0 += "\n  \($1)" }
  }
}
