import DaybookModel
import LMDB

/// What must hold when a commit ends.
extension WriteSession {
  /// - Throws: `StoreError` with the code `constraint` if an object that the commit touched lacks a required value or a
  ///   required relationship.
  func checkRequired() throws {
    for change in fold.changes where change.isChanged && fold.isLive(change.current) {
      let entity = model.entities[change.key.entity]
      let record = try RecordView(change.current.bytes)
      for attribute in entity.attributes
      where !attribute.isOptional && !attribute.isRetired && attribute.derivation == nil {
        guard try record.isNull(attribute) else { continue }
        throw StoreError(
          .constraint, "\(entity.name) \(change.key.id) needs a value for \(attribute.name).",
          advice: "Give one, or declare the attribute optional.")
      }
      for (number, relationship) in entity.relationships.enumerated()
      where !relationship.isMany && !relationship.isOptional && !relationship.isRetired {
        let reference = RelationshipReference(entity: entity.index, relationship: number)
        guard try fold.target(of: reference, from: change.key) == nil else { continue }
        throw StoreError(
          .constraint, "\(entity.name) \(change.key.id) needs a \(relationship.name).",
          advice: "Relate one in the same commit, or declare the relationship optional.")
      }
    }
  }
}
