// The named events of the new model.
extension ModelEvolution {
  /// Matches the events and their attributes with the old model's.
  mutating func matchEvents() {
    let living = old.events.filter { !$0.isRetired }
    let match = NameMatch(
      model.events.map { ($0.name, $0.renamedFrom) },
      among: Dictionary(uniqueKeysWithValues: living.map { ($0.name, $0.index) }))
    events = match.numbers
    for complaint in match.complaints { add(model.events[complaint.number].name, complaint.message) }
    for (number, declared) in model.events.enumerated() {
      let attributes = NameMatch(
        declared.attributes.map { ($0.name, $0.renamedFrom) },
        among: events[number].map { old.events[$0].livingAttributes } ?? [:])
      eventAttributes.append(attributes.numbers)
      for complaint in attributes.complaints {
        add("\(declared.name).\(declared.attributes[complaint.number].name)", complaint.message)
      }
    }
  }

  /// Compares each event with its former version, and tags its attributes.
  mutating func compareEvents() {
    for (number, declared) in model.events.enumerated() {
      guard let former = events[number].map({ old.events[$0] }) else {
        steps.append("add event \(declared.name) about \(declared.about)")
        stored.events.append(EncodedEventType(tagging: declared, from: &counter))
        continue
      }
      if declared.name != former.name { steps.append("rename event \(former.name) to \(declared.name)") }
      if lookup.entity(declared.about).flatMap({ entities[$0] }) != former.about {
        let was = old.entities[former.about].name
        add(
          declared.name,
          "is about \(was) and cannot become about \(declared.about); add an event of another name")
      }
      var event = EncodedEventType(tag: former.tag, name: declared.name, about: declared.about)
      event.retired = former.attributes.filter(\.isRetired).map { RetiredAttribute(ofEvent: $0) }
      event.attributes = declared.attributes.indices.map { compareAttribute($0, ofEvent: number, former) }
      stored.events.append(event)
    }
  }

  private mutating func compareAttribute(
    _ attribute: Int, ofEvent event: Int, _ formerEvent: ResolvedEventType
  ) -> EncodedAttribute {
    let declared = model.events[event].attributes[attribute]
    let place = "\(model.events[event].name).\(declared.name)"
    guard let number = eventAttributes[event][attribute] else {
      if !declared.isOptional, declared.defaultValue.isNull {
        add(place, "is new and required, but recorded events lack it; give it a default, or make it optional")
      }
      steps.append("add attribute \(place) (\(declared.summary))")
      return EncodedAttribute(declared, tag: counter.give())
    }
    let former = formerEvent.attributes[number]
    if former.name != declared.name {
      steps.append("rename attribute \(model.events[event].name).\(former.name) to \(declared.name)")
    }
    compare(declared, withFormer: former, place: place)
    return EncodedAttribute(declared, tag: former.tag)
  }

  private mutating func compare(_ declared: Attribute, withFormer former: ResolvedAttribute, place: String) {
    guard let type = declared.type else { return }
    guard type == former.type else {
      let problem = "is \(former.type.nounPhrase) and cannot become \(type.nounPhrase)"
      return add(place, "\(problem); add an attribute of another name")
    }
    noteSteps(from: former, to: declared, of: type, place)
    if !declared.isOptional, former.isOptional, declared.defaultValue.isNull {
      add(place, "cannot become required, because recorded events may lack it; give it a default")
    }
  }

  /// Retires the events, and the attributes of events, that the new model lacks.
  mutating func retireMissingEvents() {
    let declared = Dictionary(
      uniqueKeysWithValues: events.enumerated().compactMap { number, former in former.map { ($0, number) } })
    for former in old.events where !former.isRetired {
      guard let number = declared[former.index] else {
        steps.append("remove event \(former.name)")
        stored.retiredEvents.append(RetiredEventType(former, in: old))
        continue
      }
      let kept = Set(eventAttributes[number].compactMap { $0 })
      for (index, attribute) in former.attributes.enumerated() where !attribute.isRetired && !kept.contains(index) {
        steps.append("remove attribute \(model.events[number].name).\(attribute.name)")
        stored.events[number].retired.append(RetiredAttribute(ofEvent: attribute))
      }
    }
  }
}

private extension ResolvedEventType {
  var livingAttributes: [String: Int] {
    Dictionary(uniqueKeysWithValues: attributes.enumerated().filter { !$1.isRetired }.map { ($1.name, $0) })
  }
}
