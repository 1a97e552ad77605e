import DaybookEngine
import DaybookModel

extension StoreReader {
  /// Returns the steps from the model of the store to another one; none if the two are equal.
  ///
  /// - Throws: `StoreError` with the code `badModel` if the other one is invalid or cannot follow, or if the store had it
  ///   before.
  /// - Complexity: O(*n*) for *n* models of the store if they differ.
  package func steps(to model: Model) throws -> [String] {
    let present = resolvedModel
    let change: Result<ModelChange, ModelError> = Result { () throws(ModelError) in try present.evolved(to: model) }
    if case .success(let change) = change, change.isEmpty { return [] }
    // Applied, the model of an earlier version takes back what a later one has changed; and faults of its change would
    // ask its program to mend a model that is right.
    if let (position, former) = try formerModel(equalTo: model) {
      let steps = (try? former.evolved(to: former.declaration(leadingTo: present)).steps) ?? []
      throw StoreError(
        .badModel,
        "The store has a later model, since commit \(position)\(steps.isEmpty ? "" : ": ")\(steps.joined(separator: "; ")).",
        advice: "Use the program of that version, open the store without a model, or apply this one again.")
    }
    do {
      return try change.get().steps
    } catch {
      throw StoreError(.badModel, "\(error)")
    }
  }

  /// Returns a model that the store had and that equals one, with the position of the commit that replaced it.
  private func formerModel(equalTo model: Model) throws -> (Position, ResolvedModel)? {
    let positions = try journal.allModelPositions()
    for (former, successor) in zip(positions, positions.dropFirst()).reversed() {
      let resolved = try journal.model(at: former)
      if let change = try? resolved.evolved(to: model), change.isEmpty { return (successor, resolved) }
    }
    return nil
  }
}
