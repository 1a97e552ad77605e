import DaybookModel

/// A change of one object by one commit, as it can affect the rows of requests.
package struct ObjectChange: Hashable {
  package let trigger: Dependency.Trigger
  package let object: ObjectID
}

extension EventReader {
  /// Calls `body` with each change that the events make; the same change may be repeated.
  ///
  /// A recorded event changes nothing, and makes no change here.
  ///
  /// It allocates nothing, because a feed calls it for each event of each commit.
  ///
  /// - Throws: `MalformedBytes` or `StoreError` if the events are damaged.
  package func forEachChange(in model: ResolvedModel, _ body: (ObjectChange) throws -> Void) throws {
    var events = self
    while !events.isAtEnd {
      let event = try events.next()
      if event.kind == .recorded { continue }
      guard let entity = model.entity(tagged: event.entity) else {
        throw StoreError(
          .damaged,
          "Commit \(position) speaks of an entity with the tag \(event.entity), which the model lacks.",
          advice: .verify)
      }
      let object = event.object
      try body(ObjectChange(trigger: .subject(entity: entity), object: object))
      var subjects = EventSubjects(of: event)
      while let subject = try subjects.next() {
        switch subject {
        case .existence: try body(ObjectChange(trigger: .existence(entity: entity), object: object))
        case .attribute(let tag):
          guard let number = model.entities[entity].attribute(tagged: tag) else { continue }
          let owner = model.entities[entity].attributes[number].entity
          try body(ObjectChange(trigger: .attribute(entity: owner, number: number), object: object))
        case .link(let tag, let from, let to):
          guard let reference = model.relationship(tagged: tag) else { continue }
          try body(ObjectChange(trigger: .link(reference), object: object))
          let inverse = Dependency.Trigger.link(model.inverse(of: reference))
          if let from { try body(ObjectChange(trigger: inverse, object: from)) }
          if let to, to != from { try body(ObjectChange(trigger: inverse, object: to)) }
        }
      }
    }
  }
}
