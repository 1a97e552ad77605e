import DaybookDiff
import DaybookEngine
import DaybookModel
import DaybookQuery

/// A group of objects with equal keys: a row of a grouped request.
///
///     let byType = Recipe.all.grouped(by: \.type.name) { ($0.count, $0.sum(\.servings)) }
///     for group in try store.fetch(byType).rows { print(group.key[0], group["count"], group["sum:servings"]) }
///
/// It is fetched, sorted, followed and compared between positions as objects are. Its identity is its key.
public struct Group<Object: Sendable>: ResultRow, Hashable {
  /// The identity of a group: its key, by a digest that is the same in each process.
  public struct ID: Hashable, Sendable {
    package let objectID: ObjectID
  }

  public let id: ID
  /// The values of the keys, in their order; a time that a transform made a day, a week, a month or a year is the name of
  /// it, such as `2026-03`.
  public let key: [Value]
  /// The values of the group, in the order in which they are shown.
  public let values: [NamedValue]

  /// The value with a name, such as `sum:servings`; null if it has no value or is not shown.
  public subscript(name: String) -> Value { values.first { $0.name == name }?.value ?? .null }

  public static var _entityName: String? { nil }

  public init(_row row: inout ObjectRow) throws {
    let object = row.object
    guard object.entity == ResolvedModel.groupEntity else {
      throw StoreError(.badValue, "\(object.id) is an object of \(object.entity), and no group.")
    }
    self.init(object)
  }

  /// - Parameter object: A row of groups.
  package init(_ object: StoredObject) {
    let columns = GroupColumns(object)
    id = ID(objectID: object.id)
    key = columns.key.map(\.value)
    values = columns.values
  }

  public static func _id(of object: ObjectID) -> ID { ID(objectID: object) }

  public static func _object(of id: ID) -> ObjectID { id.objectID }
}
