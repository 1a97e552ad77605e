import Daybook
import DaybookEngine
import DaybookModel

/// Turns operations into verbs of a write, and carries these out.
///
/// References are resolved and values get their types one operation after the other, because both depend on what the
/// earlier verbs did.
struct OperationPerformer {
  var names = OperationNames()
  /// Whether data may be the bytes of a file, whose path the operation names.
  private let readsFiles: Bool

  /// - Parameter readsFiles: Only for operations of a user of this machine: they can read each file that the process can.
  init(readsFiles: Bool = false) {
    self.readsFiles = readsFiles
  }

  mutating func perform(_ operation: Operation, in transaction: borrowing Transaction) throws {
    if case .upsert(let upsertion) = operation { return try upsert(upsertion, in: transaction) }
    let inserted = try transaction.builder.carryOut(verb(of: operation, in: transaction))
    guard case .insert(let insertion) = operation, let inserted else { return }
    if let name = insertion.name { names.give(name, inserted) }
    let entity = try transaction.resolvedModel.requireEntity(insertion.entity)
    for link in insertion.links {
      try relate(ObjectKey(entity: entity, id: inserted), link, in: transaction)
    }
  }

  private mutating func upsert(_ upsertion: Operation.Upsertion, in transaction: borrowing Transaction) throws {
    let entity = try transaction.requireEntity(named: upsertion.entity)
    let values = try self.values(upsertion.values, of: entity)
    let links = try upsertion.links.map { link in
      try check(link, of: entity.index, in: transaction.resolvedModel)
      return (link.name, try link.targets.map { try id(of: $0, in: transaction) })
    }
    let object = try transaction.upsert(upsertion.entity, key: upsertion.key, values, links: links)
    if let name = upsertion.name { names.give(name, object) }
  }

  /// Returns the verb of an operation.
  ///
  /// - Throws: `StoreError`: `notFound`, `badValue`; `badRequest` for an upsert, whose verb depends on the state.
  func verb(of operation: Operation, in transaction: borrowing Transaction) throws -> Verb {
    switch operation {
    case .insert(let insertion):
      let entity = try transaction.requireEntity(named: insertion.entity)
      let values = try self.values(insertion.values, of: entity)
      return .insert(entity: insertion.entity, values: values, id: insertion.id)
    case .upsert: throw OperationReader.error("an upsert is no recorded step")
    case .rename(let reference, let name): return .rename(try id(of: reference, in: transaction), to: name)
    case .set(let reference, let values):
      let id = try id(of: reference, in: transaction)
      let entity = try transaction.requireEntity(of: id)
      return .set(id, values: try self.values(values, of: entity))
    case .relate(let reference, let relationship, let target, let place):
      return .relate(
        try id(of: reference, in: transaction), relationship: relationship, to: try id(of: target, in: transaction),
        at: try self.place(place, in: transaction))
    case .unrelate(let reference, let relationship, let target):
      return .unrelate(
        try id(of: reference, in: transaction), relationship: relationship, from: try id(of: target, in: transaction))
    case .delete(let reference): return .delete([try id(of: reference, in: transaction)])
    case .record(let event, let reference, let values):
      return .record(
        event: event, about: try id(of: reference, in: transaction, includesDeleted: true),
        values: try self.values(values, ofEvent: event, in: transaction.resolvedModel))
    }
  }

  /// Relates a new object to the targets of one of its relationships.
  private func relate(_ key: ObjectKey, _ link: Operation.NamedLinks, in transaction: borrowing Transaction) throws {
    try check(link, of: key.entity, in: transaction.resolvedModel)
    for target in link.targets {
      try transaction.builder.carryOut(
        .relate(key.id, relationship: link.name, to: id(of: target, in: transaction), at: .unspecified))
    }
  }

  /// - Throws: `StoreError` for a list of targets where the relationship leads to one object.
  private func check(_ link: Operation.NamedLinks, of entity: Int, in model: ResolvedModel) throws {
    guard link.isList, try !model[model.requireRelationship(link.name, of: entity)].isMany else { return }
    throw StoreError(
      .badValue, "\(model.entities[entity].name).\(link.name) leads to one object, so it takes an id and not a list.")
  }

  private func id(
    of reference: ObjectReference, in transaction: borrowing Transaction, includesDeleted: Bool = false
  ) throws -> ObjectID {
    switch reference {
    case .id(let id): id
    case .name(let name): try names.id(of: name)
    case .part(let part): try transaction.resolve(part, includesDeleted: includesDeleted)
    }
  }

  private func place(_ reference: PlaceReference, in transaction: borrowing Transaction) throws -> Place {
    switch reference {
    case .unspecified: .unspecified
    case .before(let other): .before(try id(of: other, in: transaction))
    case .after(let other): .after(try id(of: other, in: transaction))
    }
  }

  /// Returns the values of an event with their types.
  ///
  /// The verb refuses a name that the model lacks, so such a name gets no value here.
  private func values(
    _ named: [Operation.NamedJSON], ofEvent name: String, in model: ResolvedModel
  ) throws -> [(key: String, value: Value)] {
    let event = model.event(named: name).map { model.events[$0] }
    return try named.map { pair in
      guard let event, let number = event.attribute(named: pair.name) else { return (pair.name, .null) }
      do {
        return (pair.name, try value(pair.value, event.attributes[number].type))
      } catch {
        throw OperationPerformer.error(error, of: "\(name).\(pair.name)")
      }
    }
  }

  func values(
    _ named: [Operation.NamedJSON], of entity: ResolvedEntity
  ) throws -> [(key: String, value: Value)] {
    try named.map { pair in
      let attribute = entity.attributes[try entity.requireStoredAttribute(pair.name)]
      do {
        return (pair.name, try value(pair.value, attribute.type))
      } catch {
        throw OperationPerformer.error(error, of: "\(entity.name).\(pair.name)")
      }
    }
  }

  /// Returns a value with its type.
  ///
  /// - Throws: `ValueError`; `StoreError` for a file that cannot be read, or may not.
  private func value(_ json: JSONValue, _ type: AttributeType) throws -> Value {
    guard type == .data, let file = FileReference(json: json) else { return try Value(json: json, type: type) }
    guard readsFiles else {
      throw StoreError(
        .badValue, "the path of a file is a value only in the lines of `daybook apply`.",
        advice: "Give the bytes in base64, or the reference of a value that the store has.")
    }
    return try Value.data(contentsOf: file.name)
  }

  /// Returns an error with the name of the attribute.
  private static func error(_ error: any Error, of attribute: String) -> StoreError {
    guard let error = error as? StoreError else { return StoreError(.badValue, "\(attribute): \(error).") }
    return StoreError(error.code, "\(attribute): \(error.message)", advice: error.remedy)
  }
}

/// The objects that `$names` refer to, from earlier commits and the one in progress.
struct OperationNames {
  private var made: [String: ObjectID] = [:]
  /// The names that the commit in progress defines, in the order of its operations.
  ///
  /// An object that a commit which was made before upserted may be gone since.
  private(set) var given: [(name: String, id: ObjectID?)] = []

  func id(of name: String) throws -> ObjectID {
    if let own = given.last(where: { $0.name == name }), let id = own.id { return id }
    if let id = made[name] { return id }
    throw StoreError(
      .notFound, "No insert before this gave an object the name \(name).",
      advice: "Name it there with “as”, or give an id.")
  }

  mutating func give(_ name: String, _ id: ObjectID?) {
    given.append((name, id))
  }

  /// Discards the names of the commit in progress, which failed.
  mutating func drop() {
    given.removeAll()
  }

  /// Keeps the names of the commit in progress for the rest of the input, and returns them.
  mutating func keep() -> [(name: String, id: ObjectID?)] {
    for (name, id) in given { made[name] = id }
    defer { given.removeAll() }
    return given
  }
}
