import Daybook
import DaybookModel

/// Runs operations as verbs of a transaction: resolves names and types values.
struct OperationPerformer {
  var names = OperationNames()

  mutating func perform(_ operation: Operation, in transaction: borrowing Transaction) throws {
    let builder = transaction.builder
    switch operation {
    case .insert(let insertion): try insert(insertion, in: transaction)
    case .rename(let reference, let name): try transaction.rename(id(of: reference, in: transaction), to: name)
    case .set(let reference, let values):
      let id = try id(of: reference, in: transaction)
      let entity = builder.model.entities[try builder.require(id).entity]
      try builder.set(id, OperationPerformer.values(values, of: entity))
    case .relate(let reference, let relationship, let target, let place):
      try transaction.relate(
        id(of: reference, in: transaction), relationship, to: id(of: target, in: transaction),
        at: self.place(place, in: transaction))
    case .unrelate(let reference, let relationship, let target):
      try transaction.unrelate(
        id(of: reference, in: transaction), relationship, from: id(of: target, in: transaction))
    case .delete(let reference): try transaction.delete(id(of: reference, in: transaction))
    }
  }

  private mutating func insert(_ insertion: Operation.Insertion, in transaction: borrowing Transaction) throws {
    let builder = transaction.builder
    let entity = try builder.model.requireEntity(insertion.entity)
    let values = try OperationPerformer.values(insertion.values, of: builder.model.entities[entity])
    let id = try builder.insert(insertion.entity, values, id: insertion.id)
    if let name = insertion.name { names.give(name, id) }
    for link in insertion.links {
      let relationship = builder.model[try builder.model.requireRelationship(link.name, of: entity)]
      guard relationship.isMany || !link.isList else {
        throw StoreError(
          .badValue, "\(insertion.entity).\(link.name) leads to one object, so it takes an id and not a list.")
      }
      for target in link.targets { try transaction.relate(id, link.name, to: self.id(of: target, in: transaction)) }
    }
  }

  private func id(of reference: ObjectReference, in transaction: borrowing Transaction) throws -> ObjectID {
    switch reference {
    case .id(let id): id
    case .name(let name): try names.id(of: name)
    case .part(let part): try transaction.resolve(part)
    }
  }

  private func place(_ reference: PlaceReference, in transaction: borrowing Transaction) throws -> Place {
    switch reference {
    case .unspecified: .unspecified
    case .before(let other): .before(try id(of: other, in: transaction))
    case .after(let other): .after(try id(of: other, in: transaction))
    }
  }

  private static func values(
    _ named: [Operation.NamedJSON], of entity: ResolvedEntity
  ) throws -> [(key: String, value: Value)] {
    try named.map { pair in
      let attribute = entity.attributes[try entity.requireStoredAttribute(pair.name)]
      do {
        return (pair.name, try Value(json: pair.value, type: attribute.type))
      } catch {
        throw StoreError(.badValue, "\(entity.name).\(pair.name): \(error).")
      }
    }
  }
}
