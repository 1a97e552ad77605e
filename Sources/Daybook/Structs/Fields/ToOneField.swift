import DaybookModel
import DaybookQuery

/// A to-one relationship of an entity; the fields of the related object are its members.
///
///     Recipe.where { $0.type == dessert || $0.type.name == "Cake" }
@dynamicMemberLookup
public struct ToOneField<Target: Fetchable>: RelationshipField {
  public let _fieldPath: FieldPath

  init(_ path: FieldPath) { _fieldPath = path }

  /// Makes the relationship with a name.
  ///
  /// - Parameters:
  ///   - object: The path to the object that has the relationship.
  ///   - name: The name of the relationship in the model.
  public init(_ object: FieldPath, _ name: String) { self.init(object.appending(name)) }

  /// A field of the related object; null if there is no related object.
  public subscript<Member>(dynamicMember member: KeyPath<Target.Fields, Member>) -> Member {
    Target.Fields(at: _fieldPath)[keyPath: member]
  }

  /// Tests whether the related object is a given one; `nil` for none.
  public static func == (field: ToOneField, id: EntityID<Target>?) -> Filter {
    field._fieldPath.test(.equal, .value(id.scalarValue))
  }

  /// Tests whether the related object is not a given one; `nil` for none.
  public static func != (field: ToOneField, id: EntityID<Target>?) -> Filter {
    field._fieldPath.test(.notEqual, .value(id.scalarValue))
  }

  /// Tests whether the related object is one of a sequence.
  public func isIn(_ ids: some Sequence<EntityID<Target>>) -> Filter {
    _fieldPath.test(.among, .values(ids.map(\.scalarValue)))
  }
}
