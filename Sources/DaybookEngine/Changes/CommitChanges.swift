import DaybookModel
import LMDB

/// What one small commit changed, with the records of its objects before and after it.
///
/// It has all that requests of which the rows depend on their own records alone
/// (``RequestDependents/readOnlyOwnRecords``) need of the commit. So it is made once, by one transaction, and each request
/// computes its changes from it (``OwnRecordChanges``) without a transaction.
@safe
package final class CommitChanges: @unchecked Sendable {
  // Sendable: nothing changes after `init`, the arenas and the records in them included.
  package let position: Position
  /// The model by which the commit was read.
  package let model: ResolvedModel
  /// The changes, each once.
  let changes: [ObjectChange]
  /// The records before the commit, by the root of their hierarchy.
  private var former: [Int: FormerRecords] = [:]
  /// The records after the commit; none for an object without a record.
  private var present: [ObjectKey: UnsafeBytes] = unsafe [:]
  private let arena = ByteArena()

  /// The greatest size of the events of a small commit, in bytes.
  static let maximumSizeInBytes = 4 << 10
  /// The greatest size of the records before the commit, of each entity, and of those after it, in bytes.
  private static let maximumSizeOfRecordsInBytes = 256 << 10

  /// Reads a commit.
  ///
  /// - Parameters:
  ///   - body: The commit's events.
  ///   - reader: Reads the state after the commit.
  /// - Returns: `nil` if the commit is a model, or if it or the records are too large to be kept.
  /// - Throws: `StoreError` with the code `damaged` if the commit does not fit the state; `LMDBError`.
  package init?(_ header: CommitHeader, _ body: RawSpan, in reader: Reader) throws {
    guard !header.isModel, body.byteCount <= CommitChanges.maximumSizeInBytes else { return nil }
    position = header.position
    model = reader.model
    var (changes, seen): ([ObjectChange], Set<ObjectChange>) = ([], [])
    try EventReader(body, position: header.position, time: header.time).forEachChange(in: model) {
      if seen.insert($0).inserted { changes.append($0) }
    }
    self.changes = changes
    let limit = CommitChanges.maximumSizeOfRecordsInBytes
    for change in changes {
      guard case .subject(let number) = change.trigger else { continue }
      let entity = model.entities[number].root
      if former[entity] == nil {
        do {
          former[entity] = try FormerRecords(ofEntity: entity, before: header, body, in: reader, limitInBytes: limit)
        } catch is SpanTooLarge {
          return nil
        }
      }
      let object = ObjectKey(entity: entity, id: change.object)
      if let record = try unsafe reader.unsafeRecord(of: object) {
        unsafe present[object] = unsafe arena.store(record)
      } else {
        unsafe present[object] = unsafe .some(.none)
      }
      if arena.sizeInBytes > limit { return nil }
    }
  }

  /// Returns the records of an object before and after the commit, or `nil` if the commit has no event of the object.
  @unsafe
  func unsafeRecords(of object: ObjectKey) -> (before: UnsafeBytes, after: UnsafeBytes)? {
    let object = model.rootKey(object)
    guard let after = unsafe present[object],
      let before = unsafe former[object.entity]?.unsafeRecord(of: object.id)
    else { return nil }
    return unsafe (before, after)
  }
}
