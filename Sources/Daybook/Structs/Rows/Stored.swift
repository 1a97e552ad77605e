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
public struct Stored<Object: Storable>: Identifiable, Sendable {
  public let id: EntityID<Object>
  /// When the object was inserted.
  public let createdAt: Timestamp
  /// When an event last had the object as its subject.
  public let changedAt: Timestamp
  /// The struct with the object's values.
  public var value: Object
  let source: RowSource

  /// - Throws: `StoreError` with the code `badValue` for an object of another entity, or if a value does not fit.
  init(_ object: StoredObject, source: RowSource) throws {
    guard object.entity == Object.entityName else {
      throw StoreError(.badValue, "\(object.id) is of \(object.entity), and not of \(Object.entityName).")
    }
    var row = ObjectRow(object, source: source)
    value = try Object(row: &row)
    id = EntityID(object.id)
    createdAt = object.createdAt
    changedAt = object.changedAt
    self.source = source
  }

  /// A property of the value.
  public subscript<Member>(dynamicMember member: KeyPath<Object, Member>) -> Member { value[keyPath: member] }

  /// A property of the value, which can be changed before the value is written back.
  public subscript<Member>(dynamicMember member: WritableKeyPath<Object, Member>) -> Member {
    get { value[keyPath: member] }
    set { value[keyPath: member] = newValue }
  }
}

extension Stored {
  /// Returns the target of a to-one relationship when this object was read, or `nil` if none.
  ///
  ///     try cake.related(\.type.category)?.name
  ///
  /// - Throws: `StoreError`: `closed`; `badRequest` for a value that was read in a write; `badValue`.
  /// - Complexity: O(1) if it was prefetched, else O(log *n*), and O(*k* log *n*) for *k* events since this was read.
  public func related<Target>(
    _ relationship: KeyPath<Object.Fields, ToOneField<Target>>
  ) throws -> Stored<Target>? {
    let objects: [Stored<Target>] = try objects(at: Object.Fields(at: .object)[keyPath: relationship].fieldPath)
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
  ) throws -> [Stored<Target>] {
    try objects(at: Object.Fields(at: .object)[keyPath: relationship].fieldPath)
  }

  private func objects<Target>(at path: FieldPath) throws -> [Stored<Target>] {
    try source.related(to: id.objectID, path.names).map { try Stored<Target>($0, source: source) }
  }
}

/// Two values are equal if they are the same object with equal values and times.
extension Stored: Equatable where Object: Equatable {
  public static func == (a: Stored, b: Stored) -> Bool {
    a.id == b.id && a.value == b.value && a.createdAt == b.createdAt && a.changedAt == b.changedAt
  }
}

extension Stored: Hashable where Object: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(value)
  }
}
