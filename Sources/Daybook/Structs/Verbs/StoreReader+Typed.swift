import DaybookModel
import DaybookRuntime

extension StoreReader: ObjectReader {}

extension StoreReader {
  /// The state from which the rows of a position read related objects later.
  private func origin(at position: Position) -> RowSource.Origin {
    guard let store = keeper?.owner as? Store else { return .nowhere }
    return .past(store.at(position))
  }

  /// Returns an object, or `nil` if it does not exist.
  ///
  /// - Throws: `StoreError`: `badValue` if a stored value does not fit its property, `closed`, `damaged`.
  public func get<Object: Storable>(_ id: EntityID<Object>) throws -> Stored<Object>? {
    try get(id.objectID).map { try Stored($0, source: RowSource(origin(at: position))) }
  }

  /// Returns the result of a request.
  ///
  /// - Throws: `StoreError`: `badRequest` if the request names what the model lacks, `badValue` if a stored value does
  ///   not fit its property, `closed`, `damaged`.
  public func fetch<Object: Storable>(_ request: EntityRequest<Object>) throws -> EntityResults<Object> {
    try results(of: request) { origin(at: $0) }
  }
}
