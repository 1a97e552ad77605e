import DaybookModel

extension ResolvedEntity {
  /// Returns the name of a field for messages.
  func name(of field: ResolvedPath.Field) -> String {
    switch field {
    case .attribute(let number): attributes[number].name
    case .target(let number): relationships[number].name
    case .id: "id"
    case .createdAt: "createdAt"
    case .changedAt: "changedAt"
    case .entity: "entity"
    case .place(let number, _): relationships[number].name
    }
  }
}
