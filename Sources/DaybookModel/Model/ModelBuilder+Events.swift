/// Resolves the named events of a stored model whose declarations are valid.
extension ModelBuilder {
  /// Returns the resolved events in the order of their tags.
  ///
  /// - Throws: `ModelError` if a retired event refers to a tag that does not fit.
  func events() throws(ModelError) -> [ResolvedEventType] {
    let numbers = (stored.events.map(\.tag) + stored.retiredEvents.map(\.tag)).ranks
    var events: [ResolvedEventType] = []
    for (event, number) in zip(stored.events, numbers) { events.append(try resolve(event, number: number)) }
    for (event, number) in zip(stored.retiredEvents, numbers.dropFirst(stored.events.count)) {
      events.append(try resolve(event, number: number))
    }
    return events.sorted { $0.tag < $1.tag }
  }

  private func resolve(_ event: EncodedEventType, number: Int) throws(ModelError) -> ResolvedEventType {
    let about = entityNumbers[lookup.validEntity(event.about)]
    let attributes = event.attributes.map { attribute in
      let declared = attribute.declaration
      guard let type = declared.type else { preconditionFailure("an attribute of a validated event has no type") }
      return ResolvedAttribute(
        tag: attribute.tag, entity: about, name: declared.name, type: type, isOptional: declared.isOptional,
        defaultValue: declared.defaultValue, order: .codepoint, derivation: nil, isRetired: false)
    }
    return ResolvedEventType(
      index: number, tag: event.tag, name: event.name, about: about, isRetired: false,
      attributes: attributes + (try retired(event.retired, about)))
  }

  private func resolve(_ event: RetiredEventType, number: Int) throws(ModelError) -> ResolvedEventType {
    let tags = stored.entities.map(\.tag) + stored.retiredEntities.map(\.tag)
    guard let about = tags.firstIndex(of: event.about) else {
      throw ModelError([Fault("retired event \(event.name)", "is about no entity")])
    }
    return ResolvedEventType(
      index: number, tag: event.tag, name: event.name, about: entityNumbers[about], isRetired: true,
      attributes: try retired(event.attributes, entityNumbers[about]))
  }

  private func retired(_ attributes: [RetiredAttribute], _ about: Int) throws(ModelError) -> [ResolvedAttribute] {
    var resolved: [ResolvedAttribute] = []
    for attribute in attributes {
      guard attribute.derivation == nil else {
        throw ModelError([Fault("retired attribute \(attribute.name)", "is derived in an event")])
      }
      resolved.append(
        ResolvedAttribute(
          tag: attribute.tag, entity: about, name: attribute.name, type: attribute.type,
          isOptional: attribute.isOptional,
          defaultValue: attribute.defaultValue, order: .codepoint, derivation: nil, isRetired: true))
    }
    return resolved
  }
}
