import DaybookModel
import DaybookQuery

extension ModelRules.Rule {
  /// Returns the fault of an object that breaks the rule, or `nil`.
  func fault(of key: ObjectKey, in source: inout ReaderSource, _ reader: Reader) throws -> ConstraintFault? {
    let entity = reader.model.entities[key.entity]
    switch kind {
    case .attribute(let number, let rule, let expression):
      let attribute = entity.attributes[number]
      let value = try source.value(of: .attribute(number), of: key)
      if try rule.allows(value, expression) { return nil }
      return ConstraintFault(
        ConstraintFailure(
          entity: entity.name, object: key.id, fields: [attribute.name], rule: .attribute(rule), value: value),
        "\(entity.name) \(key.id): \(rule.complaint(about: attribute.name, value, attribute.type)).",
        advice: "Give another value.")
    case .condition(let text, let filter):
      var reason = ""
      do {
        if try filter.matches(key, in: &source) { return nil }
      } catch let fault as AggregateFault {
        // A sum that has no value meets no condition; the journal may hold such a state.
        reason = " \(fault)."
      }
      return ConstraintFault(
        ConstraintFailure(entity: entity.name, object: key.id, fields: fields(of: entity), rule: .condition(text)),
        "\(entity.name) \(key.id) does not meet the rule “\(text)”.\(reason)",
        advice: "Change a value that the rule is about.")
    case .targets(let reference, let least, let most):
      return try fault(of: key, reference, try source.count(of: reference, of: key), least, most, reader.model)
    }
  }

  private func fault(
    of key: ObjectKey, _ reference: RelationshipReference, _ count: Int, _ least: Int?, _ most: Int?,
    _ model: ResolvedModel
  ) throws -> ConstraintFault? {
    let (entity, name) = (model.entities[key.entity].name, model[reference].name)
    func fault(_ rule: ConstraintFailure.Rule, _ demand: String, _ advice: String) -> ConstraintFault {
      ConstraintFault(
        ConstraintFailure(
          entity: entity, object: key.id, fields: [name], rule: rule, value: .integer(Int64(count))),
        "\(entity) \(key.id): \(name) leads to \(count) objects; \(demand).", advice: advice)
    }
    if let least, count < least {
      return fault(.least(least), "\(least) or more are needed", "Relate more of them in the same commit.")
    }
    if let most, count > most {
      return fault(.most(most), "\(most) or fewer are allowed", "Unrelate some of them in the same commit.")
    }
    return nil
  }

  /// The names of the entity's own fields at which the paths of the rule begin.
  private func fields(of entity: ResolvedEntity) -> [String] {
    var names: [String] = []
    for path in paths {
      let name =
        path.steps.first.map { entity.relationships[$0.relationship.relationship].name } ?? entity.name(of: path.field)
      if !names.contains(name) { names.append(name) }
    }
    return names
  }
}

private extension AttributeRule {
  /// `servings is 0; 1 or more is needed`
  func complaint(about name: String, _ value: Value, _ type: AttributeType) -> String {
    func text(_ value: Value) -> String {
      let text = value.json(as: type).text
      return text.count > 80 ? text.prefix(80) + "…" : text
    }
    let unit = type == .data ? "bytes" : "characters"
    switch self {
    case .minimum(let least): return "\(name) is \(text(value)); \(text(least)) or more is needed"
    case .maximum(let most): return "\(name) is \(text(value)); \(text(most)) or less is needed"
    case .minimumLength(let least): return "\(name) has \(value.length ?? 0) \(unit); \(least) or more are needed"
    case .maximumLength(let most): return "\(name) has \(value.length ?? 0) \(unit); \(most) or fewer are allowed"
    case .pattern(let pattern): return "\(name) is \(text(value)), which does not match “\(pattern)”"
    case .oneOf(let values):
      return "\(name) is \(text(value)); it must be one of \(values.map(text).joined(separator: ", "))"
    }
  }
}
