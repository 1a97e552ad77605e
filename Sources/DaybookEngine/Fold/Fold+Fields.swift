import DaybookModel

/// Composition of the fields of inserted objects.
///
/// It is in the fold, which holds everything that is needed for each value.
extension Fold {
  /// Makes the fields of an inserted object from values and defaults of other attributes.
  ///
  /// - Parameter stage: Receives the large values.
  func makeFields(
    of entity: Int, _ values: some Collection<(key: String, value: Value)>, into fields: inout [UInt8],
    staging stage: LargeValueStage
  ) throws {
    if try appendFields(of: entity, values, to: &fields, stage) { return }
    try appendSortedFields(of: entity, values, to: &fields, stage)
  }

  /// Appends the fields in one pass, if the values are in the order of the attributes.
  ///
  /// - Returns: Whether they are.
  private func appendFields(
    of entity: Int, _ values: some Collection<(key: String, value: Value)>, to fields: inout [UInt8],
    _ stage: LargeValueStage
  ) throws -> Bool {
    // Attributes are numbered by rising tag, as fields are.
    let places = flatModel.entities[entity].attributes
    fields.removeAll(keepingCapacity: true)
    var next = places.lowerBound
    for (name, value) in values {
      let place = try requireStoredAttribute(name, of: entity, likely: next)
      if place < next { return false }
      try appendDefaults(next..<place, of: entity, to: &fields, stage)
      try append(value, to: &fields, place, of: entity, stage)
      next = place + 1
    }
    try appendDefaults(next..<places.upperBound, of: entity, to: &fields, stage)
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

  private func append(
    _ value: Value, to fields: inout [UInt8], _ place: Int, of entity: Int, _ stage: LargeValueStage
  ) throws {
    let attribute = flatModel.attributes[place]
    if attribute.type.takesAsIs(value) { return fields.appendField(attribute.tag, value) }
    let resolved = model.entities[entity]
    let number = place - flatModel.entities[entity].attributes.lowerBound
    let checked = try resolved.checked(value, ofAttribute: number)
    guard !checked.isNull || attribute.hasNullField else { return }
    fields.appendField(attribute.tag, try stage.stored(checked, ofAttribute: number, of: resolved))
  }

  /// - Parameter places: The places of attributes without a given value.
  private func appendDefaults(
    _ places: Range<Int>, of entity: Int, to fields: inout [UInt8], _ stage: LargeValueStage
  ) throws {
    for place in places where flatModel.attributes[place].hasDefaultField {
      let number = place - flatModel.entities[entity].attributes.lowerBound
      let value = model.entities[entity].attributes[number].defaultValue
      try model.entities[entity].checkSize(of: value, ofAttribute: number)
      fields.appendField(
        flatModel.attributes[place].tag,
        try stage.stored(value, ofAttribute: number, of: model.entities[entity]))
    }
  }

  private func appendSortedFields(
    of number: Int, _ values: some Collection<(key: String, value: Value)>, to fields: inout [UInt8],
    _ stage: LargeValueStage
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
    _ = try appendFields(
      of: number, numbered.map { (entity.attributes[$0.number].name, $0.value) }, to: &fields, stage)
  }
}
