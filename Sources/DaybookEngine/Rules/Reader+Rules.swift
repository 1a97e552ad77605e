import DaybookModel
import DaybookQuery

extension Reader {
  /// Checks the rules that a model change adds against the objects of the store.
  ///
  /// - Parameters:
  ///   - change: The change of this reader's model.
  ///   - rules: The rules of the new model.
  /// - Throws: `StoreError` with the code `badModel`, which names objects that break each rule.
  /// - Complexity: O(*n*) for *n* objects of the entities with new rules.
  package func check(_ rules: ModelRules, of change: ModelChange) throws {
    let new = reading(ahead: change.model)
    var faults: [Fault] = []
    for rule in rules.rules where change.changedRules.contains(rule.tag) {
      if let fault = try new.fault(of: rule, change) { faults.append(fault) }
    }
    guard faults.isEmpty else {
      throw StoreError(
        .badModel, "\(ModelError(faults))", advice: "Change these objects first, or check new values only.")
    }
  }

  /// Returns the objects of an entity that break a rule, as a fault of the model.
  private func fault(of rule: ModelRules.Rule, _ change: ModelChange) throws -> Fault? {
    let entity = model.entities[rule.entity]
    if let name = newDerivedAttribute(of: rule, change) {
      return Fault(
        entity.name, "a new rule reads the new derived attribute “\(name)”; add the attribute first, and then the rule")
    }
    var (source, count) = (ReaderSource(reader: self), 0)
    var (first, shown): (ConstraintFault?, [String]) = (nil, [])
    try forEachObject(of: rule.entity) { id, _ in
      let key = ObjectKey(entity: rule.entity, id: id)
      guard let fault = try rule.fault(of: key, in: &source, self) else { return true }
      if first == nil { first = fault }
      count += 1
      if count <= 10 { shown.append("\(id)") }
      return true
    }
    guard let first else { return nil }
    let list = shown.joined(separator: ", ") + (count > shown.count ? ", …" : "")
    let number = count == 1 ? "1 object breaks" : "\(count) objects break"
    return Fault(entity.name, "\(number) a new rule: \(list); the first: \(first.error.message)")
  }

  /// Returns the name of a derived attribute that the rule reads and the store has no values of yet.
  private func newDerivedAttribute(of rule: ModelRules.Rule, _ change: ModelChange) -> String? {
    for path in rule.paths {
      guard case .attribute(let number) = path.field else { continue }
      if change.newDerived.contains(where: { $0 == (path.end, number) }) {
        return model.entities[path.end].attributes[number].name
      }
    }
    return nil
  }
}
