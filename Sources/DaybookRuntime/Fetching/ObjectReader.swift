import DaybookEngine
import DaybookModel

/// A source of objects: a store, now or at an earlier position, a write in progress, or an editing context.
///
///     let cake = try store.get(id)                                // at the head
///     let old = try store.at(5).get(id)                           // in the past
///     try store.write { tx in let cake = try tx.get(id) }         // with what the write has changed
///     let count = try store.read { reader in                      // several reads of one position
///       try reader.fetch(Recipe.all).count + reader.count(Tag.all)
///     }
///
/// All verbs that read objects are extensions of this protocol, so that each of them is the same in all places. Only
/// the state differs. A verb reads one state; several verbs that must read the same one are called on the reader that
/// ``read(_:)`` passes.
public protocol ObjectReader: ~Copyable {
  /// Calls a closure with a reader of the objects.
  ///
  /// - Parameter body: The reads; all of them see one state, but in a write, where they see what the write has changed.
  /// - Returns: The result of `body`.
  /// - Throws: Any error of `body`; `StoreError`: `closed`, `damaged`.
  func read<Result>(_ body: (borrowing StoreReader) throws -> Result) throws -> Result
}

/// Reading objects by their identities.
///
/// Inlinable, as ``read(_:)`` of a transaction and of a reader is: a closure that reads one object after another calls
/// the verb of the reader itself.
extension ObjectReader where Self: ~Copyable {
  /// Returns the object with an identity, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError`: `closed`, `damaged`; `expired` in a context if too much has changed in the store since its
  ///   position, as from all verbs that read.
  /// - Complexity: O(log *n*) for each entity of the model; at an earlier position also O(*k* log *n*) for *k* events
  ///   between it and the nearest snapshot or the head, as for all verbs that read.
  @inlinable
  public func get(_ id: ObjectID) throws -> StoredObject? { try read { try $0.object(id) } }

  /// Returns the object with an identity.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, and the errors of ``get(_:)-(ObjectID)``.
  /// - Complexity: As ``get(_:)-(ObjectID)``.
  @inlinable
  public func require(_ id: ObjectID) throws -> StoredObject { try read { try $0.requireObject(id) } }

  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  ///
  /// - Throws: `StoreError`: `notFound` if the object or the relationship does not exist, `closed`, `damaged`.
  /// - Complexity: O(*m* log *n*) for *m* targets.
  @inlinable
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    try read { try $0.linkTargets(of: id, relationship) }
  }
}
