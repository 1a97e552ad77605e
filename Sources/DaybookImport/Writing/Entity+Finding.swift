#if Import

import DaybookModel

extension Entity {
  /// Returns the relationship with a name, or `nil` if the entity lacks it.
  func relationship(_ name: String) -> Relationship? { relationships.first { $0.name == name } }
}

#endif
