import DaybookModel

/// Putting the fields of inserted objects together.
extension WriteSession {
  /// Puts the fields of an object that is inserted with these values together, in `fieldBuffer`: they, and the defaults
  /// of the other attributes.
  func makeFields(of entity: Int, _ values: some Collection<(key: String, value: Value)>) throws {
    let resolved = model.entities[entity]
    if try !appendFields(of: resolved, values) { try appendSortedFields(of: resolved, values) }
  }

  /// Appends the fields in one pass, if the values come in the order of the attributes.
  ///
  /// - Returns: Whether they do.
  private func appendFields(
    of entity: ResolvedEntity, _ values: some Collection<(key: String, value: Value)>
  ) throws -> Bool {
    // Attributes are numbered by rising tag, as fields are.
    let attributes = fold.shape.entities[entity.index].attributes
    fieldBuffer.removeAll(keepingCapacity: true)
    var next = 0
    for (name, value) in values {
      let number = try requireStoredAttribute(name, of: entity, likely: next)
      if number < next { return false }
      appendDefaults(of: entity, next..<number)
      try append(value, to: attributes.lowerBound + number, number, of: entity)
      next = number + 1
    }
    appendDefaults(of: entity, next..<attributes.count)
    return true
  }

  private func requireStoredAttribute(_ name: String, of entity: ResolvedEntity, likely: Int) throws -> Int {
    let first = fold.shape.entities[entity.index].attributes.lowerBound
    if likely < entity.attributes.count, fold.shape.attributes[first + likely].isStored,
      entity.attributes[likely].name == name
    {
      return likely
    }
    return try entity.requireStoredAttribute(name)
  }

  /// - Parameter place: The attribute's among those of all entities.
  private func append(_ value: Value, to place: Int, _ number: Int, of entity: ResolvedEntity) throws {
    let attribute = fold.shape.attributes[place]
    switch (value, attribute.type) {
    case (.string, .string), (.integer, .integer), (.boolean, .boolean), (.date, .date), (.uuid, .uuid):
      fieldBuffer.appendField(attribute.tag, value)
    default:
      let checked = try entity.attributes[number].checked(value, of: entity)
      if !checked.isNull || attribute.hasNullField { fieldBuffer.appendField(attribute.tag, checked) }
    }
  }

  private func appendDefaults(of entity: ResolvedEntity, _ numbers: Range<Int>) {
    let first = fold.shape.entities[entity.index].attributes.lowerBound
    for number in numbers where fold.shape.attributes[first + number].hasDefaultField {
      fieldBuffer.appendField(fold.shape.attributes[first + number].tag, entity.attributes[number].defaultValue)
    }
  }

  private func appendSortedFields(
    of entity: ResolvedEntity, _ values: some Collection<(key: String, value: Value)>
  ) throws {
    var numbered: [(number: Int, value: Value)] = []
    for (name, value) in values {
      let number = try entity.requireStoredAttribute(name)
      guard !numbered.contains(where: { $0.number == number }) else {
        throw StoreError(.badValue, "\(entity.name).\(name) is given twice.")
      }
      // Checked here, so that of several wrong values the first one is named.
      numbered.append((number, try entity.attributes[number].checked(value, of: entity)))
    }
    numbered.sort { $0.number < $1.number }
    _ = try appendFields(of: entity, numbered.map { (entity.attributes[$0.number].name, $0.value) })
  }
}
