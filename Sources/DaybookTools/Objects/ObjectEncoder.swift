import Daybook
import DaybookEngine
import DaybookModel

/// Encodes objects as JSON, in the form that the command line and other front ends share.
///
///     {"id": "...", "entity": "Recipe", "createdAt": "...", "changedAt": "...",
///      "values": {"name": "Cake", "note": null}, "links": {"type": null}}
package struct ObjectEncoder {
  private let model: ResolvedModel
  private var typesByEntity: [String: [AttributeType]] = [:]

  package init(_ model: ResolvedModel) {
    self.model = model
  }

  /// Returns the members of an object: all attributes, and all to-one links; of a group its key and its values.
  package mutating func members(of object: StoredObject) -> [(key: String, value: JSONValue)] {
    if object.entity == ResolvedModel.groupEntity { return GroupColumns(object).members }
    let types = types(of: object.entity)
    let values = zip(object.values, types).map { (key: $0.name, value: $0.value.json(as: $1)) }
    let links = object.links.map { (key: $0.name, value: ObjectEncoder.json($0.target)) }
    return members(of: object, values: values, links: links)
  }

  /// Returns the members of an object with all its links: a list for each to-many relationship.
  ///
  /// - Throws: `StoreError` if the object does not exist in the reader's state.
  package mutating func members(
    of object: StoredObject, in reader: borrowing some ObjectReader & ~Copyable
  ) throws -> [(key: String, value: JSONValue)] {
    guard let entity = model.entity(named: object.entity) else { return members(of: object) }
    let types = types(of: object.entity)
    let values = zip(object.values, types).map { (key: $0.name, value: $0.value.json(as: $1)) }
    var links: [(key: String, value: JSONValue)] = []
    for relationship in model.entities[entity].relationships where relationship.isDeclared {
      let targets =
        relationship.isMany
        ? .array(try reader.targets(of: object.id, relationship.name).map(ObjectEncoder.json))
        : ObjectEncoder.json(object.target(relationship.name))
      links.append((relationship.name, targets))
    }
    return members(of: object, values: values, links: links)
  }

  private func members(
    of object: StoredObject, values: [(key: String, value: JSONValue)], links: [(key: String, value: JSONValue)]
  ) -> [(key: String, value: JSONValue)] {
    [
      ("id", .string(object.id.description)), ("entity", .string(object.entity)),
      ("createdAt", .string(object.createdAt.description)), ("changedAt", .string(object.changedAt.description)),
      ("values", .object(values)), ("links", .object(links)),
    ]
  }

  /// Returns the types of an entity's attributes, in the order of an object's values.
  package mutating func types(of entity: String) -> [AttributeType] {
    if let types = typesByEntity[entity] { return types }
    let attributes = model.entity(named: entity).map { model.entities[$0].attributes } ?? []
    let types = attributes.filter { !$0.isRetired }.map(\.type)
    typesByEntity[entity] = types
    return types
  }

  private static func json(_ id: ObjectID?) -> JSONValue {
    id.map { .string($0.description) } ?? .null
  }
}
