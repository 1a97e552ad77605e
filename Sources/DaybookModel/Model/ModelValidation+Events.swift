// The named events of a model.
extension ModelValidation {
  mutating func checkEvents() {
    let places = model.events.enumerated().map { index, event in
      event.name.isEmpty ? "events[\(index)]" : event.name
    }
    let numbers = ModelLookup.numbers(of: model.events.map(\.name))
    for (index, event) in model.events.enumerated() {
      if let complaint = ModelNames.complaint(about: event.name) { add(places[index], complaint) }
      if EventType.reservedNames.contains(event.name) {
        add(places[index], "“\(event.name)” names a kind of events; choose another name")
      }
      if numbers[event.name] != index { add(places[index], "the model has two events of this name") }
      if lookup.entity(event.about) == nil {
        add("\(places[index]).about", "the model has no entity “\(event.about)”")
      }
      checkAttributes(of: event, place: places[index])
    }
    checkRenames(model.events.map { ($0.name, $0.renamedFrom) }, places: places)
  }

  private mutating func checkAttributes(of event: EventType, place: String) {
    let places = event.attributes.enumerated().map { index, attribute in
      attribute.name.isEmpty ? "\(place).attributes[\(index)]" : "\(place).\(attribute.name)"
    }
    let numbers = ModelLookup.numbers(of: event.attributes.map(\.name))
    for (index, attribute) in event.attributes.enumerated() {
      if let complaint = ModelNames.complaint(aboutWord: attribute.name) { add(places[index], complaint) }
      if numbers[attribute.name] != index { add(places[index], "the event has two attributes of this name") }
      if attribute.derivation != nil {
        add(places[index], "an event holds what was recorded, and derives nothing; leave “derived” out")
        continue
      }
      if attribute.order != .codepoint {
        add(places[index], "events are not sorted by their attributes; leave “order” out")
      }
      if !attribute.rules.isEmpty {
        add(places[index], "what was recorded is not checked by rules; leave them out")
        continue
      }
      checkStored(attribute, place: places[index])
    }
    checkRenames(event.attributes.map { ($0.name, $0.renamedFrom) }, places: places)
  }
}
