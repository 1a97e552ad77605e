import DaybookEngine
import DaybookModel
import DaybookQuery

/// The stored objects at one position, as a projection reads them.
///
/// It is valid only in the call that receives it, and on the thread of this call.
public struct StateReader: ~Copyable {
  private let reader: Reader
  /// Whether the rows of constraints are current; they are written at the end of a commit.
  private let usesConstraints: Bool
  /// The states around a commit, of which it reads one; `nil` for a state that has all rows.
  private let states: StoredStates?
  /// The position of the state.
  public let position: Position

  // Never inlined: see ``Transaction``.
  @inline(never)
  init(_ reader: Reader, of states: StoredStates? = nil, at position: Position, usesConstraints: Bool = true) {
    (self.reader, self.states, self.position, self.usesConstraints) = (reader, states, position, usesConstraints)
  }

  /// Returns the reader with the rows of indexes and constraints, which may not have been made yet.
  private func indexed() throws -> Reader {
    guard let states else { return reader }
    try states.requireIndexes()
    return reader === states.after ? reader : try states.before()
  }

  /// The model by which the objects are read: the store's present one, for each position.
  public var model: Model { reader.model.model }

  /// Returns the object with an identity, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError` with the code `damaged`.
  /// - Complexity: O(log *n*) for each entity of the model.
  public func get(_ id: ObjectID) throws -> StoredObject? {
    try reader.object(id)
  }

  /// Returns the object with an identity.
  ///
  /// - Throws: `StoreError`: `notFound` if it does not exist, `damaged`.
  /// - Complexity: O(log *n*) for each entity of the model.
  public func require(_ id: ObjectID) throws -> StoredObject {
    if let object = try get(id) { return object }
    throw StoreError(.notFound, "There is no object \(id) at \(position).")
  }

  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  ///
  /// - Throws: `StoreError` with the code `notFound` if the object or the relationship does not exist.
  public func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID] {
    guard let key = try reader.find(id) else { throw StoreError(.notFound, "There is no object \(id).") }
    return try reader.targets(of: reader.model.requireRelationship(relationship, of: key.entity), from: id)
  }

  /// Returns the result of a request, as objects.
  package func fetch(_ request: FetchRequest) throws -> Results<StoredObject> {
    try indexed().fetch(request, at: position, usesConstraints: usesConstraints)
  }

  /// Returns the number of objects that match a request, within its limit and offset.
  package func count(_ request: FetchRequest) throws -> Int {
    try indexed().executor(of: request, usesConstraints: usesConstraints).count()
  }
}
