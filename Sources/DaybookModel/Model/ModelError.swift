/// The reasons why a model was refused: all its faults at once.
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
}

extension ModelError: CustomStringConvertible {
  public var description: String {
    if faults.count == 1 { return "the model is not right: \(faults[0])" }
    return faults.reduce(into: "the model has \(faults.count) faults:") { $0 += "\n  \($1)" }
  }
}
