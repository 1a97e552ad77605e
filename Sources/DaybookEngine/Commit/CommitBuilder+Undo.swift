import DaybookModel

/// The verbs that undo events.
extension CommitBuilder {
  /// Undoes commits within the commit in progress, the last event first.
  ///
  /// - Parameter isForced: Whether events that cannot be undone are skipped.
  package func undo(_ first: Position, _ last: Position, in journal: some Journal, isForced: Bool) throws {
    var places = RestoredPlaces()
    var position = last
    while true {
      try undo(position, in: journal, isForced: isForced, &places)
      if position == first { return }
      position = Position(position.number - 1)
    }
  }

  private func undo(
    _ position: Position, in journal: some Journal, isForced: Bool, _ places: inout RestoredPlaces
  ) throws {
    try journal.withCommit(at: position) { commit in
      var events = commit.events
      try events.forEachReversed { try undo($0, isForced: isForced, &places) }
    }
  }

  private func undo(_ event: EventView, isForced: Bool, _ places: inout RestoredPlaces) throws {
    if let verb = try verb(undoing: event, isForced: isForced, &places) { try carryOut(verb) }
  }

  /// Returns the verb that undoes an event, or `nil` if there is nothing to undo.
  private func verb(undoing event: EventView, isForced: Bool, _ places: inout RestoredPlaces) throws -> Verb? {
    guard let number = model.entity(tagged: event.entity), !model.entities[number].isRetired else { return nil }
    let entity = model.entities[number]
    // What was recorded stays true.
    if event.kind == .recorded { return nil }
    let isThere = try find(event.object) != nil
    switch event.kind {
    case .inserted: return isThere ? .delete([event.object]) : try skip(event.object, isForced)
    case .deleted:
      if isThere { return try skip(event.object, isForced) }
      return .insert(entity: entity.name, values: try values(of: event.fields, entity), id: event.object)
    case .renamed, .set:
      guard isThere else { return try skip(event.object, isForced) }
      return .set(event.object, values: try formerValues(in: event.fields, entity))
    case .recorded: return nil
    case .unknown:
      throw StoreError(
        .newerFormat, "An event of \(event.object) cannot be undone: a later version of Daybook wrote it.",
        advice: "Update Daybook.")
    case .related, .unrelated: return try verb(undoingLinkOf: event, isForced: isForced, &places)
    }
  }

  /// Restores the link that an `unrelated` event removed, if both objects exist.
  func restore(_ event: EventView, _ places: inout RestoredPlaces) throws {
    if let verb = try verb(undoingLinkOf: event, isForced: true, &places) { try carryOut(verb) }
  }

  /// Returns no verb for an event that cannot be undone.
  ///
  /// - Throws: `StoreError` with the code `damaged` unless such events are skipped.
  private func skip(_ id: ObjectID, _ isForced: Bool) throws -> Verb? {
    if isForced { return nil }
    throw StoreError(
      .damaged, "An event of \(id) cannot be undone, though nothing touched it since.", advice: .verify)
  }

  /// Returns all values of a deleted object. Includes nulls, which a default must not replace.
  func values(of fields: RawSpan, _ entity: ResolvedEntity) throws -> [(key: String, value: Value)] {
    var values: [(key: String, value: Value)] = []
    for attribute in entity.attributes where !attribute.isRetired && attribute.derivation == nil {
      let value = try FieldReader.field(attribute.tag, in: fields)?.value() ?? attribute.missingValue
      values.append((attribute.name, value))
    }
    return values
  }

  /// Returns the values that an event replaced.
  private func formerValues(
    in fields: RawSpan, _ entity: ResolvedEntity
  ) throws -> [(key: String, value: Value)] {
    var values: [(key: String, value: Value)] = []
    var reader = FieldReader(fields)
    while !reader.isAtEnd {
      let before = try reader.next()
      _ = try reader.next()
      guard let number = entity.attribute(tagged: before.tag), !entity.attributes[number].isRetired else { continue }
      let attribute = entity.attributes[number]
      values.append((attribute.name, before.form == .absent ? attribute.missingValue : try before.value()))
    }
    return values
  }

  private func verb(
    undoingLinkOf event: EventView, isForced: Bool, _ places: inout RestoredPlaces
  ) throws -> Verb? {
    guard let link = event.link, let reference = model.relationship(tagged: link.relationship),
      !model[reference].isRetired
    else { return nil }
    let (owner, relationship) = (event.object, model[reference])
    let isOwnerThere = try find(owner) != nil
    if let former = link.from {
      guard isOwnerThere, try find(former) != nil else { return try skip(owner, isForced) }
      return try verb(relating: owner, reference, to: former, orderKey: [UInt8](link.oldOrder), &places)
    }
    guard let target = link.to else { return nil }
    guard isOwnerThere, try find(target) != nil else { return try skip(owner, isForced) }
    return .unrelate(owner, relationship: relationship.name, from: target)
  }

  /// Returns the verb that relates two objects again, at the place that an order key determines.
  private func verb(
    relating owner: ObjectID, _ reference: RelationshipReference, to target: ObjectID, orderKey: [UInt8],
    _ places: inout RestoredPlaces
  ) throws -> Verb {
    let inverse = model.inverse(of: reference)
    if model[inverse].isOrdered {
      let place = try place(orderKey, of: owner, inverse, from: target, &places)
      return .relate(target, relationship: model[inverse].name, to: owner, at: place)
    }
    let place =
      model[reference].isOrdered ? try place(orderKey, of: target, reference, from: owner, &places) : .unspecified
    return .relate(owner, relationship: model[reference].name, to: target, at: place)
  }

  /// Returns the place of an order key among the present targets of an ordered relationship.
  ///
  /// A restored target gets a new key, which does not show its former place: it is compared by its former key.
  private func place(
    _ orderKey: [UInt8], of moved: ObjectID, _ reference: RelationshipReference, from source: ObjectID,
    _ places: inout RestoredPlaces
  ) throws -> Place {
    let list = RestoredPlaces.List(reference: reference, source: source)
    let others = try reader.orderedLinks(model[reference].tag, from: source).filter { $0.target != moved }
    let next = others.first { other in
      orderKey.lexicographicallyPrecedes(places.keys[list]?[other.target] ?? other.key)
    }
    places.keys[list, default: [:]][moved] = orderKey
    if let next { return .before(next.target) }
    return others.last.map { .after($0.target) } ?? .unspecified
  }
}

/// The former order keys of targets that were restored to their places.
struct RestoredPlaces {
  struct List: Hashable {
    let reference: RelationshipReference
    let source: ObjectID
  }

  var keys: [List: [ObjectID: [UInt8]]] = [:]
}
