import DaybookEngine
import DaybookModel

/// A verb of a pending edit, in which tags stand for the names of the model.
///
/// A later model may rename a part, and give its name to another one. The tag stays, so an edit that is saved under a
/// later model reaches the part that it was made for.
enum PendingVerb {
  case insert(entity: Tag, values: [(attribute: Tag, value: Value)], id: ObjectID)
  /// Sets attributes, the name among them.
  case set(ObjectID, entity: Tag, values: [(attribute: Tag, value: Value)])
  case relate(ObjectID, relationship: Tag, to: ObjectID, at: Place)
  case unrelate(ObjectID, relationship: Tag, from: ObjectID)
  case delete([ObjectID])
  case record(event: Tag, about: ObjectID, values: [(attribute: Tag, value: Value)])

  /// Creates the form of a verb that was carried out.
  ///
  /// - Parameters:
  ///   - events: What the verb wrote: values that changed nothing are left out, because they must not conflict with
  ///     other commits.
  ///   - model: The model by which it was carried out.
  init(_ verb: Verb, writing events: EditedParts, in model: ResolvedModel) {
    func values(_ values: [(key: String, value: Value)], of entity: Tag) -> [(attribute: Tag, value: Value)] {
      guard let number = model.entity(tagged: entity).map({ model.entities[$0] }) else { return [] }
      return values.compactMap { name, value in
        number.attribute(named: name).map { (number.attributes[$0].tag, value) }
      }
    }
    switch verb {
    case .insert(_, let named, let id):
      let object = id ?? events.object
      self = .insert(entity: events.entity, values: values(named, of: events.entity), id: object)
    case .rename(let id, let name):
      self = .set(id, entity: events.entity, values: events.attributes.map { ($0, .string(name)) })
    case .set(let id, let named):
      let changed = values(named, of: events.entity).filter { events.attributes.contains($0.attribute) }
      self = .set(id, entity: events.entity, values: changed)
    case .relate(let id, let name, let target, let place):
      self = .relate(id, relationship: events.side(named: name, of: id, in: model), to: target, at: place)
    case .unrelate(let id, let name, let target):
      self = .unrelate(id, relationship: events.side(named: name, of: id, in: model), from: target)
    case .delete(let ids): self = .delete(ids)
    case .record(let event, let id, let named):
      guard let type = model.event(named: event).map({ model.events[$0] }) else {
        preconditionFailure("A recorded event has a type.")
      }
      let values = named.compactMap { name, value in
        type.attribute(named: name).map { (type.attributes[$0].tag, value) }
      }
      self = .record(event: type.tag, about: id, values: values)
    }
  }
}

/// The parts of the model that the events of one verb name.
struct EditedParts {
  /// The object and the entity of the last event.
  private(set) var object = ObjectID(high: 0, low: 0)
  private(set) var entity = Tag(0)
  /// The attributes that changed.
  private(set) var attributes: Set<Tag> = []
  /// The link that the verb made or removed.
  ///
  /// The last link is the verb's own: it comes after the partner's events and the events of a renumbered list.
  private(set) var link: LinkIdentity?
  /// The deleted objects, in the order of the events: an object after the objects that its delete rules delete.
  private(set) var deleted: [ObjectID] = []

  mutating func add(_ event: EventView) throws {
    (object, entity) = (event.object, event.entity)
    if event.kind == .deleted { deleted.append(event.object) }
    link = LinkIdentity(event, isFormer: event.kind == .unrelated)
    var subjects = EventSubjects(of: event)
    while let subject = try subjects.next() {
      if case .attribute(let tag) = subject { attributes.insert(tag) }
    }
  }

  /// Returns the side of the link that a verb named.
  fileprivate func side(named name: String, of id: ObjectID, in model: ResolvedModel) -> Tag {
    guard let link, let reference = model.relationship(tagged: link.relationship) else {
      preconditionFailure("The events of a verb about a link name the link.")
    }
    // An object can be its own target: then only the name distinguishes the sides.
    if id == link.owner, model[reference].name == name { return link.relationship }
    return model[model.inverse(of: reference)].tag
  }
}

/// Names in a later model.
extension PendingVerb {
  /// A part of a model that a later one has removed, with names of the earlier one.
  struct RemovedPart: Hashable {
    let name: String
    /// The object that the edit changes, and the name of its entity.
    let object: ObjectID
    let entity: String
  }

  /// Returns the first part that the verb needs and a model lacks, or `nil` if it has all of them.
  ///
  /// - Parameter former: The model by which the edit was made.
  func removedPart(from former: ResolvedModel, in model: ResolvedModel) -> RemovedPart? {
    switch self {
    case .insert(let entity, let values, let id), .set(let id, let entity, let values):
      guard let old = former.entity(tagged: entity).map({ former.entities[$0] }) else { return nil }
      guard let present = model.presentEntity(tagged: entity) else {
        return RemovedPart(name: old.name, object: id, entity: old.name)
      }
      let removed = values.first { tag, value in
        // An inserted object loses nothing by the removal of an attribute without a value.
        if case .insert = self, value.isNull { return false }
        return present.presentAttribute(tagged: tag) == nil
      }
      return removed.flatMap { old.attribute(tagged: $0.attribute) }.map {
        RemovedPart(name: old.attributes[$0].name, object: id, entity: old.name)
      }
    case .relate(let id, let tag, _, _), .unrelate(let id, let tag, _):
      guard model.presentRelationship(tagged: tag) == nil, let old = former.relationship(tagged: tag) else {
        return nil
      }
      return RemovedPart(name: former[old].name, object: id, entity: former.entities[old.entity].name)
    case .record(let tag, let id, _):
      guard model.presentEvent(tagged: tag) == nil, let old = former.event(tagged: tag) else { return nil }
      let type = former.events[old]
      return RemovedPart(name: type.name, object: id, entity: former.entities[type.about].name)
    case .delete: return nil
    }
  }

  /// Returns the verb with the names of a model, without values of attributes that the model has removed; or `nil` if
  /// the model has removed the part that the verb is about.
  func named(in model: ResolvedModel) -> Verb? {
    switch self {
    case .insert(let tag, let values, let id):
      model.presentEntity(tagged: tag).map { .insert(entity: $0.name, values: $0.named(values), id: id) }
    case .set(let id, let tag, let values):
      model.presentEntity(tagged: tag).map { .set(id, values: $0.named(values)) }
    case .relate(let id, let tag, let target, let place):
      model.presentRelationship(tagged: tag).map { .relate(id, relationship: $0.name, to: target, at: place) }
    case .unrelate(let id, let tag, let target):
      model.presentRelationship(tagged: tag).map { .unrelate(id, relationship: $0.name, from: target) }
    case .record(let tag, let id, let values):
      model.presentEvent(tagged: tag).map { .record(event: $0.name, about: id, values: $0.named(values)) }
    case .delete(let ids): .delete(ids)
    }
  }
}

private extension ResolvedEventType {
  /// Returns values with the names of their attributes, without values of removed attributes.
  func named(_ values: [(attribute: Tag, value: Value)]) -> [(key: String, value: Value)] {
    values.compactMap { tag, value in
      attribute(tagged: tag).map { attributes[$0] }.flatMap { $0.isRetired ? nil : ($0.name, value) }
    }
  }
}
