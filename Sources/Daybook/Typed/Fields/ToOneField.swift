import DaybookModel
import DaybookQuery

/// A to-one relationship of an entity; the fields of the related object are its members.
///
///     Recipe.where { $0.type == dessert || $0.type.name == "Cake" }
@dynamicMemberLookup
public struct ToOneField<Target: Storable>: RelationshipField {
  public let fieldPath: FieldPath

  init(_ path: FieldPath) { fieldPath = path }

  /// The relationship of this name.
  ///
  /// - Parameters:
  ///   - object: What leads to the object that has it.
  ///   - name: Its name in the model.
  public init(_ object: FieldPath, _ name: String) { self.init(object.appending(name)) }

  /// A field of the related object; without a related object it has no value.
  public subscript<Member>(dynamicMember member: KeyPath<Target.Fields, Member>) -> Member {
    Target.Fields(at: fieldPath)[keyPath: member]
  }

  /// Whether there is no related object.
  public var isNull: Filter { fieldPath.test(.equal, .value(.null)) }

  /// Whether the related object is this one; nil for none.
  public static func == (field: ToOneField, id: EntityID<Target>?) -> Filter {
    field.fieldPath.test(.equal, .value(id.scalarValue))
  }

  /// Whether the related object is another one than this.
  public static func != (field: ToOneField, id: EntityID<Target>?) -> Filter {
    field.fieldPath.test(.notEqual, .value(id.scalarValue))
  }

  /// Whether the related object is one of these.
  public func among(_ ids: some Sequence<EntityID<Target>>) -> Filter {
    fieldPath.test(.among, .values(ids.map(\.scalarValue)))
  }
}
