import DaybookEngine
import DaybookModel

/// An object as it was read: a value of a struct, with identity and times.
///
///     let cake = try store.get(id)!
///     cake.name                           // the value's own properties
///     cake.id, cake.createdAt
///     try cake.related(\.type)?.name      // as it was when the cake was read
///
/// It is a value: a change of it affects the store only when it is written back with `tx.set(cake)`.
@dynamicMemberLookup
public struct Record<Object: Fetchable>: ResultRow {
  public let id: EntityID<Object>
  /// When the object was inserted.
  public let createdAt: Timestamp
  /// When an event last had the object as its subject.
  public let changedAt: Timestamp
  /// The struct with the object's values.
  public var value: Object
  /// The name of the object's own entity: the struct's, or a descendant of it.
  public let ownEntity: String
  let source: RowSource

  public static var _entityName: String? { Object.entityName }

  public init(_row row: inout ObjectRow) throws {
    let object = row.object
    guard object.layout.kinds.contains(Object.entityName) else {
      throw StoreError(.badValue, "\(object.id) is of \(object.entity), and not of \(Object.entityName).")
    }
    value = try Object(row: &row)
    id = EntityID(object.id)
    createdAt = object.createdAt
    changedAt = object.changedAt
    source = row.source
    ownEntity = object.entity
  }

  public static func _id(of object: ObjectID) -> EntityID<Object> { EntityID(object) }

  public static func _object(of id: EntityID<Object>) -> ObjectID { id.objectID }

  /// A property of the value.
  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member { value[keyPath: member] }

  /// A property of the value, which can be changed before the value is written back.
  public subscript<Member>(dynamicMember member: WritableKeyPath<Object, Member>) -> Member {
    get { value[keyPath: member] }
    set { value[keyPath: member] = newValue }
  }
}

extension Record {
  /// Returns the target of a to-one relationship when this object was read, or `nil` if none.
  ///
  ///     try cake.related(\.type.category)?.name
  ///
  /// - Throws: `StoreError`: `closed`; `badRequest` for a value that was read in a write; `badValue`.
  /// - Complexity: O(1) if it was prefetched, else O(log *n*), and O(*k* log *n*) for *k* events since this was read.
  public func related<Target>(
    _ relationship: KeyPath<Object.Fields, ToOneField<Target>>
  ) throws -> Record<Target>? {
    let objects: [Record<Target>] = try objects(at: Object.Fields(at: .object)[keyPath: relationship]._fieldPath)
    return objects.first
  }

  /// Returns the targets of a to-many relationship when this object was read.
  ///
  /// They are in their order if they have one.
  ///
  /// - Throws: The same errors as for a to-one relationship.
  /// - Complexity: O(*m*) for *m* prefetched objects, else O(*m* log *n*), and O(*k* log *n*) for *k* events since this
  ///   was read.
  public func related<Target>(
    _ relationship: KeyPath<Object.Fields, ToManyField<Target>>
  ) throws -> [Record<Target>] {
    try objects(at: Object.Fields(at: .object)[keyPath: relationship]._fieldPath)
  }

  private func objects<Target>(at path: FieldPath) throws -> [Record<Target>] {
    try source.related(to: id.objectID, path.names).map { try source.row($0) }
  }
}

/// Two values are equal if they are the same object with equal values and times.
extension Record: Equatable where Object: Equatable {
  public static func == (a: Record, b: Record) -> Bool {
    a.id == b.id && a.value == b.value && a.createdAt == b.createdAt && a.changedAt == b.changedAt
  }
}

extension Record: Hashable where Object: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(value)
  }
}
