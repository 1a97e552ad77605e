#if Import

import DaybookModel

/// Collects the fields of objects, and their types, from all objects.
struct JSONSchema {
  /// One key with what its values are.
  private struct Field {
    let name: String
    var detection = JSONFieldDetection()
    /// The fields of the objects that are values or elements of values, at one place of `children`.
    var child: Int?
  }

  private let isNested: Bool
  private var fields: [Field] = []
  private var indices: [[UInt8]: Int] = [:]
  private var children: [JSONSchema] = []
  private var rowCount = 0

  init(isNested: Bool) {
    self.isNested = isNested
  }

  /// Adds an object.
  ///
  /// - Parameter room: The number of fields that may still be added; it is lowered.
  /// - Returns: `false` if there is no room for a field.
  mutating func add(_ members: [(key: String, value: JSONValue)], room: inout Int) -> Bool {
    rowCount += 1
    for (key, value) in members {
      guard let index = index(of: key, room: &room) else { return false }
      fields[index].detection.add(value)
      guard isNested, addNested(value, at: index, room: &room) else {
        if isNested { return false }
        continue
      }
    }
    return true
  }

  /// Adds the objects in a value; returns `false` if there is no room for a field of theirs.
  private mutating func addNested(_ value: JSONValue, at index: Int, room: inout Int) -> Bool {
    let objects = value.members.map { [$0] } ?? value.elements?.compactMap(\.members) ?? []
    guard !objects.isEmpty else { return true }
    if fields[index].child == nil {
      fields[index].child = children.count
      children.append(JSONSchema(isNested: true))
    }
    guard let child = fields[index].child else { return true }
    for object in objects where !children[child].add(object, room: &room) { return false }
    return true
  }

  private mutating func index(of key: String, room: inout Int) -> Int? {
    let bytes = Array(key.utf8)
    if let index = indices[bytes] { return index }
    guard room > 0 else { return nil }
    room -= 1
    indices[bytes] = fields.count
    fields.append(Field(name: key))
    return fields.count - 1
  }

  /// The keys in the order in which they first occur.
  var keys: [String] { fields.map(\.name) }

  /// Returns the entity with the detected types.
  ///
  /// - Parameters:
  ///   - name: The name of the entity.
  ///   - parent: The name of the containing entity, or `nil` for the objects of the file.
  ///   - types: The given types by key or attribute.
  ///   - entityNames: The names of the entities so far.
  func entity(
    _ name: String, parent: String? = nil, types: [String: AttributeType] = [:], entityNames: inout FieldNames
  ) -> (entity: JSONEntity, inverse: String) {
    var names = FieldNames(fieldsOf: keys)
    var columns: [JSONEntity.Column] = []
    var nested: [JSONEntity.Child] = []
    let given = fields.map { field in (field, names.name(for: field.name)) }
    let inverse = parent.map { names.name(for: JSONSchema.lowered($0)) } ?? ""
    for (field, attribute) in given {
      let type = types[field.name] ?? types[attribute]
      if type == nil, let child = child(of: field, attribute, in: name, entityNames: &entityNames) {
        nested.append(child)
        continue
      }
      let detected = field.detection.type
      columns.append(
        JSONEntity.Column(
          name: field.name, attribute: attribute, type: type ?? detected.type, isTypeGiven: type != nil,
          valueCount: field.detection.valueCount, note: type == nil ? detected.note : nil))
    }
    return (JSONEntity(name: name, columns: columns, children: nested, rowCount: rowCount), inverse)
  }

  /// Returns the nested entity of a field, or `nil` if its values are not all objects or lists of objects.
  private func child(
    of field: Field, _ relationship: String, in name: String, entityNames: inout FieldNames
  ) -> JSONEntity.Child? {
    let isMany = field.detection.isObjectList
    guard isNested, let child = field.child, isMany || field.detection.isObject else { return nil }
    let own = entityNames.name(for: "\(name)_\(field.name)")
    let (entity, inverse) = children[child].entity(own, parent: name, entityNames: &entityNames)
    return JSONEntity.Child(
      name: field.name, relationship: relationship, inverse: inverse, isMany: isMany, entity: entity)
  }

  /// Returns a name with a lower-case first letter, as relationships have.
  private static func lowered(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }
}

#endif
