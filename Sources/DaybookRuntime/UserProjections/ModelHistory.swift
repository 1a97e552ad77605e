import DaybookEngine
import DaybookModel

/// The names in the models that a store had; recently requested ones are kept.
package final class ModelHistory: Sendable {
  private struct State {
    /// The positions at which the model changed, complete up to `knownThrough`.
    var positions: [Position] = []
    var knownThrough = Position.empty
    var names: [Position: EventNames] = [:]
    /// The models of the store with the entities of projections that were used last.
    var served: [ServedModel] = []
  }

  private let shared = Locked(State())

  /// The most models whose names are kept.
  ///
  /// Models are small and a store has few, but reading all of many models must not fill the memory.
  private static let maximumCount = 16

  /// Returns the names in the model at a position; for a commit of a model, in that model.
  ///
  /// - Throws: `StoreError` with the code `damaged` if the journal has no model there, or the model cannot be read.
  package func names(at position: Position, in journal: LMDBJournal) throws -> EventNames {
    guard let start = try modelPosition(at: position, in: journal) else {
      throw StoreError(.damaged, "The journal has no model at commit \(position).", advice: .verify)
    }
    if let names = shared.withLock({ $0.names[start] }) { return names }
    let names = EventNames(try journal.model(at: start), largeValues: journal.largeValues)
    shared.withLock { state in
      if state.names.count >= ModelHistory.maximumCount { state.names.removeAll() }
      state.names[start] = names
    }
    return names
  }

  /// Returns a model of the store with the derived entities of a projection.
  ///
  /// - Throws: `StoreError` with the code `badModel` if the model does not allow the entities.
  func served(_ description: DerivedModel, in stored: ResolvedModel) throws -> ServedModel {
    let known = shared.withLock { state in
      state.served.first { $0.stored === stored && $0.description == description }
    }
    if let known { return known }
    let made = try ServedModel(description, in: stored)
    shared.withLock { state in
      if state.served.count >= ModelHistory.maximumCount { state.served.removeFirst() }
      state.served.append(made)
    }
    return made
  }

  /// Forgets what a transaction had that was not committed.
  ///
  /// - Parameter head: The last commit that is committed.
  func forget(after head: Position) {
    shared.withLock { state in
      guard state.knownThrough > head else { return }
      state.knownThrough = head
      state.positions.removeAll { $0 > head }
      state.names = state.names.filter { $0.key <= head }
    }
  }

  private func modelPosition(at position: Position, in journal: some Journal) throws -> Position? {
    let known = shared.withLock { $0.knownThrough >= position ? $0.positions : nil }
    if let known { return known.last { $0 <= position } }
    // The head is read in the same snapshot as the positions, so up to it they are complete.
    let (positions, head) = (try journal.modelPositions(), try journal.head())
    shared.withLock { state in
      guard head >= state.knownThrough else { return }
      state.positions = positions
      state.knownThrough = head
    }
    return positions.last { $0 <= position }
  }
}
