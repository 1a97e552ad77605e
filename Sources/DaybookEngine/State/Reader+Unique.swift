import DaybookModel
import LMDB

extension Reader {
  /// Returns the object with the values of a constraint, or `nil` if none has them.
  ///
  /// - Throws: `LMDBError` if damage may hide the row.
  /// - Complexity: O(log *n*).
  package func holder(of key: UniqueKey) throws -> ObjectID? {
    guard let value = try unsafe unsafeValue(for: key.bytes.rawSpan, in: .unique) else {
      try proveAbsence(of: key.bytes.rawSpan, in: .unique)
      return nil
    }
    return try RowKey.objectID(of: value)
  }
}
