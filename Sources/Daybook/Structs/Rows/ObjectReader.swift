import DaybookEngine
import DaybookModel
import DaybookQuery
import DaybookRuntime

/// A source of objects: a store at a position, a write in progress, or an editing context.
///
/// The typed methods for all of these are extensions of this protocol.
public protocol ObjectReader: ~Copyable {
  /// Returns an object, or `nil` if it does not exist.
  func get(_ id: ObjectID) throws -> StoredObject?
  /// Returns the targets of a relationship, in their order if it is ordered, else by id.
  func targets(of id: ObjectID, _ relationship: String) throws -> [ObjectID]
  /// Returns the result of a request.
  func fetch<Row: ResultRow>(_ request: Request<Row>) throws -> Results<Row>
}

/// Typed reading of objects.
extension ObjectReader where Self: ~Copyable {
  /// Returns the rows of a result, read together with the related objects that the request prefetches.
  ///
  /// - Parameters:
  ///   - objects: The result.
  ///   - request: Its request.
  ///   - origin: The state from which the rows read related objects later.
  func rows<Row: ResultRow>(
    of objects: Results<StoredObject>, _ request: Request<Row>, from origin: @autoclosure () -> (any RowOrigin)?
  ) throws -> Results<Row> {
    // Untyped rows are the objects.
    if let rows = objects as? Results<Row> { return rows }
    let ids = request.prefetched.isEmpty ? [] : objects.rows.map(\.id)
    let prefetched = try Prefetched(
      from: ids, along: request.prefetched, targets: { try targets(of: $0, $1) }, object: { try get($0) })
    let source = RowSource(origin(), prefetched: prefetched)
    return try objects.map { try source.row($0) }
  }

  /// Returns the targets of a to-many relationship, in its order if it has one, else by id.
  public func targets<Object: Fetchable, Target: Fetchable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToManyField<Target>>
  ) throws -> [EntityID<Target>] {
    try targets(of: id.objectID, Object.name(of: relationship)).map { EntityID($0) }
  }

  /// Returns the target of a to-one relationship, or `nil` if it has none.
  public func target<Object: Fetchable, Target: Fetchable>(
    of id: EntityID<Object>, _ relationship: KeyPath<Object.Fields, ToOneField<Target>>
  ) throws -> EntityID<Target>? {
    try targets(of: id.objectID, Object.name(of: relationship)).first.map { EntityID($0) }
  }

  /// Returns the objects at the end of several relationships.
  ///
  /// Each relationship is followed from all targets of the previous one.
  func related(to id: ObjectID, _ names: [String]) throws -> [StoredObject] {
    var objects: [StoredObject] = []
    var ids = [id]
    for name in names {
      objects = try ids.flatMap { try targets(of: $0, name) }.compactMap { try get($0) }
      ids = objects.map(\.id)
    }
    return objects
  }
}
