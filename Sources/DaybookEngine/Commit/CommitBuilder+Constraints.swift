import DaybookModel
import LMDB

/// The constraints at the end of a commit.
extension CommitBuilder {
  /// Checks the constraints of a folded commit.
  ///
  /// - Throws: `StoreError` with the code `constraint` if the commit breaks a constraint; `notFound` if it records an
  ///   event about an object that never existed.
  package func checkConstraints() throws {
    if let failure = try constraintFailures(atMost: 1).first { throw failure }
  }

  /// Returns the constraints that a folded commit breaks.
  ///
  /// - Returns: An error for each broken constraint: an object that the commit touched lacks a required value or a
  ///   required relationship, two objects have the same value of a unique attribute, or a sum does not fit its type.
  package func constraintFailures(atMost limit: Int) throws -> [StoreError] {
    try unbornFailures() + constraintFaults(atMost: limit).map(\.error)
  }

  /// Returns the constraints that a folded commit breaks, with the objects that break them.
  package func constraintFaults(atMost limit: Int) throws -> [ConstraintFault] {
    var failures: [ConstraintFault] = []
    let fold = fold
    for number in fold.changes.indices {
      let change = fold.changes[number]
      guard change.mayLackRequired, change.isChanged, unsafe fold.isLive(change.current) else { continue }
      let record = try unsafe RecordView(change.current.unsafeSpan)
      if try !fold.hasAllRequired(record, of: change.key.entity) { failures += try lacks(of: change.key, record) }
      if failures.count >= limit { return failures }
    }
    return failures + (try fold.finish()).map { ConstraintFault($0, in: model) }
  }

  /// Returns an error for each missing value or relationship. A missing field may stand for a default value.
  private func lacks(of key: ObjectKey, _ record: RecordView) throws -> [ConstraintFault] {
    var failures: [ConstraintFault] = []
    let entity = model.entities[key.entity]
    for attribute in entity.attributes
    where !attribute.isOptional && !attribute.isRetired && attribute.derivation == nil {
      guard try record.isNull(attribute) else { continue }
      failures.append(
        ConstraintFault(
          ConstraintFailure(entity: entity.name, object: key.id, fields: [attribute.name], rule: .required),
          "\(entity.name) \(key.id) needs a value for \(attribute.name).",
          advice: "Give one, or declare the attribute optional."))
    }
    for (number, relationship) in entity.relationships.enumerated()
    where !relationship.isMany && !relationship.isOptional && !relationship.isRetired {
      let reference = RelationshipReference(entity: entity.index, relationship: number)
      guard try fold.target(of: reference, from: key) == nil else { continue }
      failures.append(
        ConstraintFault(
          ConstraintFailure(entity: entity.name, object: key.id, fields: [relationship.name], rule: .required),
          "\(entity.name) \(key.id) needs a \(relationship.name).",
          advice: "Relate one in the same commit, or declare the relationship optional."))
    }
    return failures
  }
}

private extension Fold {
  /// Whether a record has all fields that its entity requires, checked in one pass.
  ///
  /// Also `false` if the fields alone do not decide it.
  func hasAllRequired(_ record: RecordView, of entity: Int) throws -> Bool {
    let entity = flatModel.entities[entity]
    if entity.requiresRow { return false }
    var next = entity.requiredTags.lowerBound
    var fields = FieldReader(record.fields)
    while next < entity.requiredTags.upperBound {
      if fields.isAtEnd { return false }
      let field = try fields.next()
      guard field.tag >= flatModel.requiredTags[next] else { continue }
      if field.tag > flatModel.requiredTags[next] || field.form == .null { return false }
      next += 1
    }
    return true
  }
}
