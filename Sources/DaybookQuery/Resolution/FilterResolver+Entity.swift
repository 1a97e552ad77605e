import DaybookModel

extension FilterResolver {
  /// Checks that the entity of objects is compared with names of entities.
  func checkEntity(_ subject: Side, _ other: Side, _ operation: Filter.Operator) throws(FilterFault) {
    guard case .path(let path) = subject.operand, path.field == .entity else { return }
    let values: [(value: Value, place: Place)]
    switch operation {
    case .equal, .notEqual:
      guard case .value(let value) = other.operand else { return }
      values = [(value, other.place)]
    case .among: values = other.list
    default: return
    }
    for (value, place) in values {
      guard case .string(let name) = value, finder.model.entity(named: name) == nil else { continue }
      let names = finder.model.entities.filter { !$0.isRetired }.map(\.name)
      throw FilterFault(
        message: "there is no entity “\(name)”\(Suggestion.text(for: name, among: names))", place: place)
    }
  }
}
