import DaybookModel
import DaybookQuery
import LMDB

extension SortedKeyMaker {
  /// Reads the place of an object from its record, as the initialiser of ``RowState`` does.
  mutating func state(of object: ObjectKey, _ record: UnsafeBytes, _ request: ResolvedRequest) throws -> RowState? {
    try unsafe RowState(of: object, record, request, &self)
  }
}
