#if Import

import Daybook
import DaybookEngine
import DaybookModel

extension ImportWriter {
  /// Merges the values of an object: what the source changed since the last import, unless the store changed it too.
  func mergeObject(
    _ object: SourceObject, _ id: ObjectID, _ values: [String: Value], _ route: EntityRoute,
    _ tx: borrowing Transaction
  ) throws {
    let name = route.source.objectName(object.key)
    let imported = merge?.imported[id]
    guard let head = try tx.read({ try $0.object(id) }) else {
      guard let imported, imported.isInserted else { return try insert(route, values, id, tx) }
      return try mergeDeleted(id, values, imported, route, name, tx)
    }
    guard head.entity == route.name else {
      throw ImportError(
        .data,
        "\(name) would be the \(route.name) \(id), and the store has a \(head.entity) with this id; import into a new store"
      )
    }
    let entity = try tx.resolvedEntity(route.name)
    var changes: [String: Value] = [:]
    for field in route.fields {
      guard let field, let number = entity.attribute(named: field.name) else { continue }
      let (present, wanted) = (head[field.name], values[field.name] ?? .null)
      guard present != wanted else { continue }
      let former = imported?.former(entity.attributes[number])
      if let former, former == wanted { continue }
      guard former == present || sourceWins else {
        tally.addConflict(
          "\(field.target) was changed in both; the store's value stays, and --source-wins takes the other", name,
          was: wanted.report, became: present.report)
        continue
      }
      changes[field.name] = wanted
    }
    if !changes.isEmpty {
      try tx.set(id, changes)
      tally.count(\.changed, of: route.target)
    }
  }

  private func insert(
    _ route: EntityRoute, _ values: [String: Value], _ id: ObjectID, _ tx: borrowing Transaction
  ) throws {
    try tx.insert(route.name, values, id: id)
    inserted.insert(id)
    tally.count(\.inserted, of: route.target)
  }

  /// Merges an object that was deleted in the store: it stays deleted.
  private func mergeDeleted(
    _ id: ObjectID, _ values: [String: Value], _ imported: ImportedObject, _ route: EntityRoute, _ name: String,
    _ tx: borrowing Transaction
  ) throws {
    let entity = try tx.resolvedEntity(route.name)
    let isChanged = route.fields.contains { field in
      guard let field, let number = entity.attribute(named: field.name) else { return false }
      return imported.former(entity.attributes[number]) != values[field.name] ?? .null
    }
    guard isChanged else { return }
    if sourceWins {
      revived.insert(id)
      return try insert(route, values, id, tx)
    }
    tally.addConflict("\(route.target): deleted in the store and changed in the source; it stays deleted", name)
  }

  /// Deletes the objects whose rows are gone, unless the store changed them.
  func deleteGone(_ tx: borrowing Transaction) throws {
    guard let merge else { return }
    var ids: [ObjectID] = []
    for gone in merge.gone {
      guard let imported = merge.imported[gone.id], imported.isInserted,
        let head = try tx.read({ try $0.object(gone.id) })
      else {
        continue
      }
      let entity = try tx.resolvedEntity(gone.entity)
      let isChanged = entity.attributes.contains { attribute in
        guard !attribute.isRetired, attribute.derivation == nil else { return false }
        return imported.former(attribute) != head[attribute.name]
      }
      if isChanged, !sourceWins {
        tally.addConflict("\(gone.target): gone in the source and changed in the store; it stays", gone.id.description)
      } else {
        ids.append(gone.id)
        tally.count(\.deleted, of: gone.target)
      }
    }
    if !ids.isEmpty { try tx.builder.delete(ids) }
  }
}

extension Value {
  /// The value for a report, shortened.
  fileprivate var report: String { isNull ? "null" : String(text.prefix(80)) }
}

#endif
