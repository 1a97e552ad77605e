import DaybookModel

/// The verbs that restore what a delete removed.
extension CommitBuilder {
  /// Restores the link that an `unrelated` event removed, if both objects exist.
  func restore(_ event: EventView, _ places: inout RestoredPlaces) throws {
    guard let link = event.link, let former = link.from, let reference = model.relationship(tagged: link.relationship),
      !model[reference].isRetired, try find(event.object) != nil, try find(former) != nil
    else { return }
    try carryOut(
      verb(relating: event.object, reference, to: former, orderKey: [UInt8](link.oldOrder), &places))
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
