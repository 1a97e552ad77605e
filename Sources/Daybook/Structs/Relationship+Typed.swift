import DaybookModel

extension Relationship {
  /// Makes a to-one relationship.
  public init<Target: Fetchable>(
    _ name: String, toOne target: Target.Type, inverse: String = "", isOptional: Bool,
    onDelete rule: DeleteRule = .nullify, acyclic: Bool = false, renamedFrom: String? = nil
  ) {
    self.init(
      name: name, renamedFrom: renamedFrom, target: Target.entityName, inverse: inverse, isOptional: isOptional,
      deleteRule: rule, isAcyclic: acyclic)
  }

  /// Makes a to-many relationship.
  public init<Target: Fetchable>(
    _ name: String, toMany target: Target.Type, inverse: String = "", onDelete rule: DeleteRule = .nullify,
    ordered: Bool = false, least: Int? = nil, most: Int? = nil, renamedFrom: String? = nil
  ) {
    self.init(
      name: name, renamedFrom: renamedFrom, target: Target.entityName, inverse: inverse, isMany: true,
      isOrdered: ordered, deleteRule: rule, least: least, most: most)
  }
}
