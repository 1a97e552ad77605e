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
}
