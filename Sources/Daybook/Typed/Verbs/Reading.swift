import DaybookEngine
import DaybookModel
import DaybookQuery

/// A source of objects: a store at a position, a write in progress, or an editing context.
///
/// The typed methods for all of these are extensions of this protocol.
public protocol Reading: ~Copyable {
  /// Returns an object, or `nil` if it does not exist.
  func get(_ id: ObjectID) throws -> StoredObject?
  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID]
  /// Returns the result of a request.
  func fetch(_ request: FetchRequest) throws -> FetchedResults
}
