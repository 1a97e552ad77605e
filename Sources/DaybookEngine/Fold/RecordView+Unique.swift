import DaybookModel
import LMDB

extension RecordView {
  /// Builds the key of this record in a constraint.
  ///
  /// - Returns: `false` if one of the values is null: nulls never collide.
  func makeUniqueKey(_ constraint: ResolvedConstraint, of entity: ResolvedEntity, into key: inout [UInt8]) throws
    -> Bool
  {
    key.removeAll(keepingCapacity: true)
    key.appendFixed(constraint.tag.number)
    for field in constraint.fields {
      switch field {
      case .attribute(let number):
        let attribute = entity.attributes[number]
        let value = try value(of: attribute)
        if value.isNull { return false }
        SortKey.append(value, to: &key)
      case .target(let number):
        guard let link = try FieldReader.field(entity.relationships[number].tag, in: fields) else { return false }
        SortKey.append(id: try link.target(), to: &key)
      case .id, .createdAt, .changedAt, .entity, .place:
        preconditionFailure("A constraint is over attributes and owned relationships.")
      }
    }
    RowKey.finishUnique(key: &key)
    return true
  }
}
