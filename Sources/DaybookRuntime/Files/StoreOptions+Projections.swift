import DaybookEngine
import DaybookModel

extension StoreOptions {
  /// - Throws: `StoreError` with the code `badModel` if a struct of a projection could not be declared as an entity.
  func checkDeclarations() throws {
    for projection in projections {
      for declared in projection.entities {
        guard let fault = declared.fault else { continue }
        throw StoreError(
          .badModel, "\(declared.entity.name) of the projection \(projection.name) cannot be declared: \(fault)")
      }
    }
  }

  /// Checks that a model takes no name of a derived entity that this process knows.
  ///
  /// - Throws: `StoreError` with the code `badModel`.
  package func checkNames(in model: ResolvedModel, after former: ResolvedModel) throws {
    for projection in projections {
      for name in projection.entities.map(\.entity.name)
      where model.entity(named: name) != nil && former.entity(named: name) == nil {
        throw StoreError(
          .badModel, "The model has an entity \(name), which the projection \(projection.name) writes.",
          advice: "Give one of the two another name.")
      }
    }
  }
}
