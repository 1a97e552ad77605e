import DaybookModel

/// The verb that records a named event.
extension CommitBuilder {
  /// Records a named event about an object.
  ///
  /// The object exists or existed; or it is inserted later in the same commit, which ``checkRecordedObjects()`` checks
  /// at the commit's end.
  ///
  /// - Throws: `StoreError`: `notFound` for an event or attribute that the model lacks, `badValue` for a value that does
  ///   not fit or an object of another entity, `constraint` for a required attribute without a value.
  package func recordEvent(_ name: String, about id: ObjectID, _ values: [(key: String, value: Value)]) throws {
    try perform { try writeEvent(name, about: id, values) }
    record(.record(event: name, about: id, values: values))
  }

  private func writeEvent(_ name: String, about id: ObjectID, _ values: [(key: String, value: Value)]) throws {
    let type = model.events[try model.requireEvent(name)]
    let fields = try type.fields(values, staging: largeValues)
    var key = ObjectKey(entity: type.about, id: id)
    if try unsafe fold.unsafeExpectedRecord(of: key) == nil {
      try checkFree(key, of: type)
      if !model.entities[type.about].descendants.isEmpty { throw unborn(key, name) }
      unbornSubjects.append((key, name))
    } else {
      let about = key
      key = try fold.concrete(key)
      guard try unsafe fold.unsafeRecord(of: about) != nil else { throw mismatch(key, of: type) }
    }
    let previous = try previous(of: key)
    let entity = model.entities[key.entity].tag
    try log(fold) {
      try $0.recorded(id, entity: entity, previous: previous, type: type.tag, fields: fields.rawSpan)
    }
  }

  /// Checks that no object of another entity has an identity.
  private func checkFree(_ key: ObjectKey, of type: ResolvedEventType) throws {
    try fold.proveAbsence(of: key)
    for root in model.roots where root != model.entities[key.entity].root {
      let other = ObjectKey(entity: root, id: key.id)
      if try unsafe fold.unsafeRecord(of: other) != nil { throw mismatch(try fold.concrete(other), of: type) }
    }
  }

  /// The error of an event about an object of another entity.
  private func mismatch(_ key: ObjectKey, of type: ResolvedEventType) -> StoreError {
    let (about, entity) = (model.entities[type.about].name, model.entities[key.entity].name)
    return StoreError(.badValue, "\(type.name) is about a \(about), and \(key.id) is a \(entity).")
  }

  /// The error of an event about an object that has never existed.
  private func unborn(_ key: ObjectKey, _ event: String) -> StoreError {
    let entity = model.entities[key.entity]
    return StoreError(
      .notFound, "There has never been a \(entity.name) \(key.id), which \(event) is about.",
      advice: entity.descendants.isEmpty
        ? "Give the id of an object, or insert it in the same commit."
        : "Give the id of an object, or insert it before the event.")
  }

  /// Returns whether an object that an event is about exists or existed; false for an event that the model lacks.
  package func hasExisted(_ id: ObjectID, for event: String) throws -> Bool {
    guard let number = model.event(named: event) else { return false }
    return try unsafe fold.unsafeRecord(of: ObjectKey(entity: model.events[number].about, id: id)) != nil
  }

  /// Checks at the end of a commit that the objects of its recorded events exist or existed.
  ///
  /// - Throws: `StoreError` with the code `notFound`.
  package func checkRecordedObjects() throws {
    if let failure = try unbornFailures().first { throw failure }
  }

  /// Returns an error for each recorded event whose object has never existed.
  func unbornFailures() throws -> [StoreError] {
    if unbornSubjects.isEmpty { return [] }
    return try unbornSubjects.filter { try unsafe fold.unsafeRecord(of: $0.key) == nil }.map {
      unborn($0.key, $0.event)
    }
  }
}

private extension ResolvedModel {
  /// - Throws: `StoreError` with the code `notFound`, which lists the existing names.
  func requireEvent(_ name: String) throws -> Int {
    if let event = event(named: name) { return event }
    let names = events.filter { !$0.isRetired }.map(\.name)
    throw StoreError(
      .notFound, "The model has no event “\(name)”.",
      advice: names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
  }
}

private extension ResolvedEventType {
  /// Returns the fields of an event with these values, and the defaults of the others.
  ///
  /// - Parameter stage: Receives the large values.
  func fields(_ values: [(key: String, value: Value)], staging stage: LargeValueStage) throws -> [UInt8] {
    var given: [Int: Value] = [:]
    for (name, value) in values {
      let number = try requireAttribute(name)
      guard given.updateValue(try checked(value, ofAttribute: number), forKey: number) == nil else {
        throw StoreError(.badValue, "\(self.name).\(name) is given twice.")
      }
    }
    var fields: [UInt8] = []
    // Attributes are numbered by rising tag, as fields are.
    for (number, attribute) in attributes.enumerated() where !attribute.isRetired {
      let value = given[number] ?? attribute.defaultValue
      guard !value.isNull else {
        if attribute.isOptional { continue }
        throw StoreError(
          .constraint, "The event \(name) needs a value for \(attribute.name).",
          advice: "Give one, or declare the attribute optional.")
      }
      fields.appendField(attribute.tag, try stage.stored(value, as: attribute.type))
    }
    return fields
  }

  private func requireAttribute(_ name: String) throws -> Int {
    if let number = attribute(named: name) { return number }
    let names = attributes.filter { !$0.isRetired }.map(\.name)
    throw StoreError(
      .notFound, "The event \(self.name) has no attribute “\(name)”.",
      advice: names.isEmpty ? "It has none." : "It has \(names.joined(separator: ", ")).")
  }

  private func checked(_ value: Value, ofAttribute number: Int) throws -> Value {
    do {
      return try value.normalized(as: attributes[number].type)
    } catch {
      throw StoreError(.badValue, "\(name).\(attributes[number].name): \(error)")
    }
  }
}
