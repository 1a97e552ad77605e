#if Import

import DaybookModel

extension Model {
  /// Returns the entity with a name, or `nil` if the model lacks it.
  func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }
}

#endif
