import DaybookModel

/// Composition of the fields of inserted objects.
///
/// It is in the fold, which holds everything that is needed for each value.
extension Fold {
  /// Makes the fields of an inserted object from values and defaults of other attributes.
  func makeFields(
    of entity: Int, _ values: some Collection<(key: String, value: Value)>, into fields: inout [UInt8]
  ) throws {
    if try !appendFields(of: entity, values, to: &fields) { try appendSortedFields(of: entity, values, to: &fields) }
  }

  /// Appends the fields in one pass, if the values are in the order of the attributes.
  ///
  /// - Returns: Whether they are.
  private func appendFields(
    of entity: Int, _ values: some Collection<(key: String, value: Value)>, to fields: inout [UInt8]
  ) throws -> Bool {
    // Attributes are numbered by rising tag, as fields are.
    let places = flatModel.entities[entity].attributes
    fields.removeAll(keepingCapacity: true)
    var next = places.lowerBound
    for (name, value) in values {
      let place = try requireStoredAttribute(name, of: entity, likely: next)
      if place < next { return false }
      appendDefaults(next..<place, of: entity, to: &fields)
      try append(value, to: &fields, place, of: entity)
      next = place + 1
    }
    appendDefaults(next..<places.upperBound, of: entity, to: &fields)
    return true
  }

  /// - Parameter likely: The place to try first, in the list of all entities' attributes.
  /// - Returns: The attribute's place.
  private func requireStoredAttribute(_ name: String, of entity: Int, likely: Int) throws -> Int {
    let places = flatModel.entities[entity].attributes
    if likely < places.upperBound, flatModel.attributes[likely].isStored, flatModel.attributeNames[likely] == name {
      return likely
    }
    return try places.lowerBound + model.entities[entity].requireStoredAttribute(name)
  }

  private func append(_ value: Value, to fields: inout [UInt8], _ place: Int, of entity: Int) throws {
    let attribute = flatModel.attributes[place]
    if attribute.type.takesAsIs(value) { return fields.appendField(attribute.tag, value) }
    let resolved = model.entities[entity]
    let number = place - flatModel.entities[entity].attributes.lowerBound
    let checked = try resolved.checked(value, ofAttribute: number)
    if !checked.isNull || attribute.hasNullField { fields.appendField(attribute.tag, checked) }
  }

  /// - Parameter places: The places of attributes without a given value.
  private func appendDefaults(_ places: Range<Int>, of entity: Int, to fields: inout [UInt8]) {
    for place in places where flatModel.attributes[place].hasDefaultField {
      let number = place - flatModel.entities[entity].attributes.lowerBound
      fields.appendField(flatModel.attributes[place].tag, model.entities[entity].attributes[number].defaultValue)
    }
  }

  private func appendSortedFields(
    of number: Int, _ values: some Collection<(key: String, value: Value)>, to fields: inout [UInt8]
  ) throws {
    let entity = model.entities[number]
    var numbered: [(number: Int, value: Value)] = []
    for (name, value) in values {
      let number = try entity.requireStoredAttribute(name)
      guard !numbered.contains(where: { $0.number == number }) else {
        throw StoreError(.badValue, "\(entity.name).\(name) is given twice.")
      }
      // Checked before sorting, so that the first of several wrong values is reported.
      numbered.append((number, try entity.checked(value, ofAttribute: number)))
    }
    numbered.sort { $0.number < $1.number }
    _ = try appendFields(of: number, numbered.map { (entity.attributes[$0.number].name, $0.value) }, to: &fields)
  }
}

private extension AttributeType {
  /// Whether a value is stored unchanged, without a check or a conversion.
  func takesAsIs(_ value: borrowing Value) -> Bool {
    switch value {
    case .string: self == .string
    case .integer: self == .integer
    case .boolean: self == .boolean
    case .date: self == .date
    case .uuid: self == .uuid
    case .null, .double, .decimal, .data: false
    }
  }
}
