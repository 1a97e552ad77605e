#if Import

import Daybook
import DaybookEngine
import DaybookModel

extension Transaction {
  /// Returns an entity of the store's model.
  ///
  /// - Throws: `StoreError` with the code `notFound`, which lists the existing names.
  func resolvedEntity(_ name: String) throws -> ResolvedEntity {
    resolvedModel.entities[try resolvedModel.requireEntity(name)]
  }
}

#endif
