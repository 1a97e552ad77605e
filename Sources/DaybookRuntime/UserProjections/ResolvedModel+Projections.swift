import DaybookEngine
import DaybookModel

extension ResolvedModel {
  /// Returns the model with the entities of projections; see ``adding(_:requiringTargets:)``.
  ///
  /// - Throws: `StoreError` with the code `badModel`, which names the projections, if the model does not allow them.
  func serving(
    _ projections: [DerivedModel], requiringTargets requiresTargets: Bool = false
  ) throws(StoreError) -> ResolvedModel {
    do {
      return try adding(projections, requiringTargets: requiresTargets)
    } catch {
      let names = projections.map(\.projection).joined(separator: ", ")
      throw StoreError(.badModel, "The projection \(names) does not fit the store: \(error)")
    }
  }
}
