import DaybookModel

/// The key of a row of a uniqueness constraint: its tag and the values of its fields.
package struct UniqueKey: Hashable, Sendable {
  /// The constraint's number in the entity.
  package let constraint: Int
  package let bytes: [UInt8]

  init(_ constraint: Int, _ bytes: [UInt8]) {
    (self.constraint, self.bytes) = (constraint, bytes)
  }

  /// Makes the key of values in their stored form, none of which is null.
  init(_ number: Int, of entity: ResolvedEntity, _ values: [Value]) {
    var bytes: [UInt8] = []
    bytes.appendFixed(entity.constraints[number].tag.number)
    for value in values { SortKey.append(value, to: &bytes) }
    RowKey.finishUnique(key: &bytes)
    self.init(number, bytes)
  }

  /// Makes the key of the object that values describe, or `nil` if one of the constraint's values is null.
  ///
  /// - Parameters:
  ///   - names: The fields of exactly one constraint, in any order.
  ///   - entity: The entity of the object.
  ///   - values: Attributes, with the constraint's.
  ///   - links: The targets of relationships, with the constraint's.
  /// - Throws: `StoreError`: `badRequest` if the fields are no constraint of the entity, or one has no value; `badValue`.
  package init?(
    _ names: [String], of entity: ResolvedEntity, _ values: [(key: String, value: Value)],
    _ links: [(relationship: String, targets: [ObjectID])]
  ) throws {
    let number = try entity.requireConstraint(names)
    var given: [Value] = []
    for field in entity.constraints[number].fields {
      let name = entity.name(of: field)
      if case .attribute(let attribute) = field {
        guard let pair = values.first(where: { $0.key == name }) else { throw entity.lacksKey(name) }
        given.append(try entity.checked(pair.value, ofAttribute: attribute))
      } else {
        guard let link = links.first(where: { $0.relationship == name }) else { throw entity.lacksKey(name) }
        given.append(link.targets.first.map { .uuid($0) } ?? .null)
      }
    }
    if given.contains(where: \.isNull) { return nil }
    self.init(number, of: entity, given)
  }
}

private extension ResolvedEntity {
  /// Returns the number of the uniqueness constraint over exactly these fields.
  ///
  /// - Throws: `StoreError` with the code `badRequest`, which lists the constraints.
  func requireConstraint(_ names: [String]) throws -> Int {
    let constraints = constraints.map { $0.fields.map(name(of:)) }
    let number = constraints.firstIndex { $0.count == names.count && Set($0) == Set(names) }
    if let number { return number }
    let given = names.isEmpty ? "nothing" : names.joined(separator: ", ")
    throw StoreError(
      .badRequest, "\(name) has no uniqueness constraint over \(given).",
      advice: constraints.isEmpty
        ? "Declare one in the model, as “unique”."
        : "It has \(constraints.map { $0.joined(separator: ", ") }.joined(separator: "; ")).")
  }

  func lacksKey(_ field: String) -> StoreError {
    StoreError(
      .badRequest, "The key of \(name) contains \(field), which has no value here.",
      advice: "Give one, or null to insert an object.")
  }
}
