#if Import

import DaybookEngine
import DaybookModel

/// Folds the events of former imports into what they have written of some objects.
struct ImportedFold {
  private(set) var objects: [ObjectID: ImportedObject] = [:]
  private let ids: Set<ObjectID>
  private let model: ResolvedModel

  init(of ids: Set<ObjectID>, _ model: ResolvedModel) {
    self.ids = ids
    self.model = model
  }

  /// Applies an event to the objects that it names.
  ///
  /// - Throws: `MalformedBytes` for a damaged event.
  mutating func add(_ event: EventView) throws {
    switch event.kind {
    case .inserted where ids.contains(event.object):
      var object = ImportedObject()
      object.isInserted = true
      var fields = FieldReader(event.fields)
      while !fields.isAtEnd {
        let field = try fields.next()
        object.values[field.tag] = try field.value()
      }
      objects[event.object] = object
    case .deleted where ids.contains(event.object):
      objects[event.object] = ImportedObject()
      objects[event.object]?.isDeleted = true
    case .renamed where ids.contains(event.object), .set where ids.contains(event.object):
      var subjects = EventSubjects(of: event)
      while let subject = try subjects.next() {
        guard case .attribute(let tag) = subject else { continue }
        objects[event.object, default: ImportedObject()].values[tag] = try subjects.newValue() ?? .null
      }
    case .related, .unrelated:
      guard let link = event.link else { return }
      if let from = link.from { change(event.object, from, link.relationship, nil) }
      if let to = link.to { change(event.object, to, link.relationship, [UInt8](link.newOrder)) }
    default: return
    }
  }

  /// Applies the change of a link to both of its ends.
  ///
  /// - Parameter order: The order key; `nil` for a link that was removed.
  private mutating func change(_ owner: ObjectID, _ target: ObjectID, _ tag: Tag, _ order: [UInt8]?) {
    let isMirrored = model.relationship(tagged: tag).map { model[$0].isMirrored } ?? false
    for (end, other, isOwner) in [(owner, target, true), (target, owner, isMirrored)] where ids.contains(end) {
      let link = ImportedObject.Link(tag: tag, other: other, isOwner: isOwner)
      var object = objects[end] ?? ImportedObject()
      // The link that it replaces can be one of the store's own, which no event of an import has removed.
      if order != nil, isToOne(tag, isOwner: isOwner) {
        object.links = object.links.filter { $0.key.tag != tag || $0.key.isOwner != isOwner }
      }
      object.links[link] = order
      objects[end] = object
    }
  }

  /// Returns whether an end of a relationship has one link.
  private func isToOne(_ tag: Tag, isOwner: Bool) -> Bool {
    guard let reference = model.relationship(tagged: tag) else { return false }
    let relationship = model.entities[reference.entity].relationships[reference.relationship]
    if isOwner { return !relationship.isMany }
    return !model.entities[relationship.target].relationships[relationship.inverse].isMany
  }
}

#endif
