import DaybookModel
import DaybookQuery

/// What objects can be read from: a store at some position, a write that is under way, an editing context.
///
/// The members that speak of structs are written once, over these.
public protocol Reading: ~Copyable {
  /// The object of an identity, or nil if there is none.
  func get(_ id: ObjectID) throws -> StoredObject?
  /// The objects that a relationship leads to, in their order if it has one, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID]
  /// The answer to a request.
  func fetch(_ request: FetchRequest) throws -> FetchedResults
}

extension Transaction: Reading {}
extension StoreReader: Reading {}
extension EditingContext: Reading {}
