import DaybookModel
import DaybookQuery

/// What objects can be read from: a store, an earlier position of it, a write that is under way.
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

/// The verbs of a write, in the words of the model.
///
/// What the verbs do is said at ``Transaction``; whoever else takes them does the same.
public protocol Writing: Reading, ~Copyable {
  @discardableResult
  func insert(_ entity: String, values: [String: Value], id: ObjectID?) throws -> ObjectID
  func rename(_ id: ObjectID, to name: String) throws
  func set(_ id: ObjectID, values: [String: Value]) throws
  func relate(_ id: ObjectID, _ relationship: String, to target: ObjectID, at place: Place) throws
  func unrelate(_ id: ObjectID, _ relationship: String, from target: ObjectID) throws
  func delete(_ id: ObjectID) throws
}

extension Transaction: Writing {}
extension StoreReader: Reading {}
