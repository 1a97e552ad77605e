import DaybookModel
import LMDB

/// Deletes, with the effects of delete rules written as events.
extension CommitBuilder {
  /// Deletes objects together, and the objects that their delete rules include.
  package func delete(_ ids: [ObjectID]) throws {
    try perform { try deleteAll(ids) }
    record(.delete(ids))
  }

  private func deleteAll(_ ids: [ObjectID]) throws {
    let distances = try cascade(from: ids.map { try require($0) })
    try checkRules(distances)
    let order = distances.sorted { a, b in
      a.value != b.value ? a.value > b.value : a.key.id < b.key.id
    }
    for (key, _) in order { try deleteAlone(key) }
  }

  /// Returns the objects that deleting some objects would delete, including these.
  package func objectsGoing(with ids: [ObjectID]) throws -> [ObjectID] {
    try cascade(from: ids.map { try require($0) }).keys.map(\.id)
  }

  /// Returns the objects to delete, with the number of cascading steps to each.
  ///
  /// Steps are counted from the first root that reaches the object, on the shortest way.
  private func cascade(from roots: [ObjectKey]) throws -> [ObjectKey: Int] {
    var distances: [ObjectKey: Int] = [:]
    for root in roots where distances[root] == nil {
      distances[root] = 0
      try cascade(from: root, &distances)
    }
    return distances
  }

  private func cascade(from root: ObjectKey, _ distances: inout [ObjectKey: Int]) throws {
    var queue = [root]
    var next = 0
    while next < queue.count {
      let key = queue[next]
      next += 1
      for (reference, relationship) in relationships(of: key) where relationship.deleteRule == .cascade {
        for target in try fold.targets(of: reference, from: key.id) {
          let targetKey = try fold.concrete(ObjectKey(entity: relationship.target, id: target))
          if distances[targetKey] == nil {
            distances[targetKey] = (distances[key] ?? 0) + 1
            queue.append(targetKey)
          }
        }
      }
    }
  }

  private func relationships(of key: ObjectKey) -> [(RelationshipReference, ResolvedRelationship)] {
    model.entities[key.entity].relationships.enumerated().filter { !$1.isRetired && !isHeldByOthers($1) }.map {
      (RelationshipReference(entity: key.entity, relationship: $0), $1)
    }
  }

  /// Whether links of a relationship stay when their target is deleted.
  private func isHeldByOthers(_ relationship: ResolvedRelationship) -> Bool {
    model.entities[relationship.target].relationships[relationship.inverse].isSoft
  }

  /// - Throws: `StoreError` with the code `constraint` if a rule denies the delete, or if a remaining object would lose
  ///   a required relationship.
  private func checkRules(_ going: [ObjectKey: Int]) throws {
    // By distance and id, so that the same delete is refused for the same reason each time.
    for (key, _) in going.sorted(by: { ($0.value, $0.key.id) < ($1.value, $1.key.id) }) {
      for (reference, relationship) in relationships(of: key) where relationship.deleteRule != .cascade {
        let inverse = model.entities[relationship.target].relationships[relationship.inverse]
        let isRequired = !inverse.isMany && !inverse.isOptional
        guard relationship.deleteRule == .deny || isRequired else { continue }
        let staying = try fold.targets(of: reference, from: key.id).filter {
          try going[fold.concrete(ObjectKey(entity: relationship.target, id: $0))] == nil
        }
        guard let first = staying.first else { continue }
        let entity = model.entities[key.entity]
        let target = model.entities[try fold.concrete(ObjectKey(entity: relationship.target, id: first)).entity]
        if relationship.deleteRule == .deny {
          throw StoreError(
            .constraint,
            "\(entity.name) \(key.id) cannot be deleted: its \(relationship.name) has \(staying.count), among them \(target.name) \(first).",
            advice: "Delete or unrelate these first.",
            failure: ConstraintFailure(
              entity: entity.name, object: key.id, fields: [relationship.name], rule: .deny,
              value: .integer(Int64(staying.count))))
        }
        throw StoreError(
          .constraint,
          "\(entity.name) \(key.id) cannot be deleted: \(target.name) \(first) requires it as its \(inverse.name).",
          advice: "Relate that object to another one first, or delete it.",
          failure: ConstraintFailure(entity: target.name, object: first, fields: [inverse.name], rule: .required))
      }
    }
  }

  /// Deletes one object after removing its links.
  ///
  /// Links are removed by relationship and then by the other object's id.
  private func deleteAlone(_ key: ObjectKey) throws {
    for (reference, _) in relationships(of: key) {
      let relationship = model[reference]
      let targets =
        relationship.isSoft
        ? try fold.ownedTarget(of: key, relationship.tag).map { [$0] } ?? []
        : try fold.targets(of: reference, from: key.id).sorted()
      for target in targets { try unrelate(key, reference, target) }
    }
    guard let record = try unsafe fold.unsafeRecord(of: key) else { throw reader.contradiction(in: .links) }
    let view = try RecordView(record)
    let former = view.stamps
    let entity = model.entities[key.entity]
    var fields: [UInt8] = []
    var reader = FieldReader(view.fields)
    while !reader.isAtEnd {
      let field = try reader.next()
      let isDerived = entity.attribute(tagged: field.tag).map { entity.attributes[$0].derivation != nil } ?? false
      if !isDerived { fields.append(bytes: field.whole) }
    }
    let previous = try previous(of: key)
    try log(fold) {
      try $0.deleted(key.id, entity: entity.tag, previous: previous, former: former, fields: fields.rawSpan)
    }
  }
}
