import Daybook
import DaybookEngine
import DaybookModel

/// The steps of an editing context as JSON: each is a list of operations, in the form of `daybook apply`.
///
/// Two verbs have no such form. Several objects that are deleted together are a list, `{"delete": ["...", "..."]}`, and the
/// end of an ordered relationship is `{"relate": "...", "relationship": "...", "to": "...", "last": true}`.
extension EditingContext {
  /// Returns the steps, of which ``perform(recorded:)`` makes the same edits in another context at ``position``.
  ///
  /// A value of more than 64 KiB is a reference: the other context needs a store that has it. Steps that set the same
  /// attributes of one object, one directly after the other, are one step with the last values.
  package func recording() throws -> [JSONValue] {
    let model = try store.read { $0.resolvedModel }
    var steps: [[Verb]] = []
    for step in recordedSteps {
      if let last = steps.last, step.replaces(last) { steps.removeLast() }
      steps.append(step)
    }
    return try steps.map { .array(try $0.map { try json(of: $0, model) }) }
  }

  /// Carries out a step of ``recording()``.
  ///
  /// - Throws: `StoreError` with the code `badRequest` for JSON that is no step; the errors of the verbs. Nothing of the
  ///   step is done then.
  package func perform(recorded step: JSONValue) throws {
    guard let verbs = step.elements else {
      throw OperationReader.error("a step is a list of operations, not \(step.nounPhrase)")
    }
    try edit { tx in
      for json in verbs { try tx.builder.carryOut(Verb(recorded: json, in: tx)) }
    }
  }

  private func json(of verb: Verb, _ model: ResolvedModel) throws -> JSONValue {
    switch verb {
    case .insert(let entity, let values, let id):
      return .object([
        ("insert", .string(entity)), ("id", id.map { .string("\($0)") } ?? .null),
        ("values", json(of: values, entity, model)),
      ])
    case .rename(let id, let name): return .object([("rename", .string("\(id)")), ("to", .string(name))])
    case .set(let id, let values):
      // An object that a later step deletes is still in the store.
      let entity = try get(id)?.entity ?? store.get(id)?.entity
      return .object([("set", .string("\(id)")), ("values", json(of: values, entity, model))])
    case .relate(let id, let relationship, let target, let place):
      let link = EditingContext.json(of: "relate", id, relationship, target)
      return .object(link + EditingContext.json(of: place))
    case .unrelate(let id, let relationship, let target):
      return .object(EditingContext.json(of: "unrelate", id, relationship, target))
    case .delete(let ids): return .object([("delete", .array(ids.map { .string("\($0)") }))])
    case .record(let event, let id, let values):
      let types = model.event(named: event).map { model.events[$0].attributes.map { ($0.name, $0.type) } } ?? []
      return .object([
        ("record", .string(event)), ("about", .string("\(id)")), ("values", EditingContext.json(of: values, types)),
      ])
    }
  }

  private static func json(
    of verb: String, _ id: ObjectID, _ relationship: String, _ target: ObjectID
  ) -> [(key: String, value: JSONValue)] {
    [(verb, .string("\(id)")), ("relationship", .string(relationship)), ("to", .string("\(target)"))]
  }

  private static func json(of place: Place) -> [(key: String, value: JSONValue)] {
    switch place {
    case .unspecified: []
    case .last: [("last", true)]
    case .before(let other): [("before", .string("\(other)"))]
    case .after(let other): [("after", .string("\(other)"))]
    }
  }

  private func json(
    of values: [(key: String, value: Value)], _ entity: String?, _ model: ResolvedModel
  ) -> JSONValue {
    let attributes = entity.flatMap { model.entity(named: $0) }.map { model.entities[$0].attributes } ?? []
    return EditingContext.json(of: values, attributes.map { ($0.name, $0.type) })
  }

  private static func json(
    of values: [(key: String, value: Value)], _ types: [(name: String, type: AttributeType)]
  ) -> JSONValue {
    .object(
      values.map { name, value in
        let type = types.first { $0.name == name }?.type ?? .data
        return (name, value.withoutLargeBytes.json(as: type))
      })
  }
}

private extension Value {
  /// The value with a reference instead of more than 64 KiB of data.
  var withoutLargeBytes: Value {
    guard case .data(let bytes) = self, let large = LargeValue(bytes) else { return self }
    return .large(large)
  }
}

private extension [Verb] {
  /// Whether a step sets nothing but the attributes that the step before it sets, of the same object.
  func replaces(_ other: [Verb]) -> Bool {
    guard count == 1, other.count == 1, case .set(let id, let values) = self[0],
      case .set(id, let former) = other[0]
    else { return false }
    return values.map(\.key) == former.map(\.key)
  }
}

private extension Verb {
  init(recorded json: JSONValue, in transaction: borrowing Transaction) throws {
    var reader = try OperationReader(json)
    let isLast = reader.take("last")?.booleanValue ?? false
    if let roots = json["delete"]?.elements {
      self = .delete(
        try roots.map { root in
          guard let id = root.stringValue.flatMap({ ObjectID($0) }) else {
            throw OperationReader.error("“delete” takes whole UUIDs, not \(root.text.prefix(80))")
          }
          return id
        })
      return
    }
    let verb = try OperationPerformer().verb(of: Operation(&reader), in: transaction)
    if isLast, case .relate(let id, let relationship, let target, _) = verb {
      self = .relate(id, relationship: relationship, to: target, at: .last)
    } else {
      self = verb
    }
  }
}
