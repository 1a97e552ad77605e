import DaybookModel

extension EventReader {
  /// Calls `body` with each change that the events make; the same change may be repeated.
  ///
  /// - Throws: `MalformedBytes` or `StoreError` if the events are damaged.
  package func forEachTouch(in model: ResolvedModel, _ body: (Touch) throws -> Void) throws {
    var events = self
    while !events.isAtEnd {
      let event = try events.next()
      guard let entity = model.entity(tagged: event.entity) else {
        throw StoreError(
          .damaged,
          "Commit \(position) speaks of an entity with the tag \(event.entity), which the model lacks.",
          advice: .verify)
      }
      try body(Touch(trigger: .subject(entity: entity), object: event.object))
      switch event.kind {
      case .inserted, .deleted: try body(Touch(trigger: .existence(entity: entity), object: event.object))
      case .renamed, .set:
        for tag in try event.changedTags() {
          guard let number = model.entities[entity].attribute(tagged: tag) else { continue }
          try body(Touch(trigger: .attribute(entity: entity, number: number), object: event.object))
        }
      case .unknown: break
      case .related, .unrelated:
        guard let link = event.link, let reference = model.relationship(tagged: link.relationship) else { continue }
        try body(Touch(trigger: .link(reference), object: event.object))
        let inverse = model.inverse(of: reference)
        for target in [link.from, link.to] {
          if let target { try body(Touch(trigger: .link(inverse), object: target)) }
        }
      }
    }
  }
}
