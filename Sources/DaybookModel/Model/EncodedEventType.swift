/// The declaration of a named event with the tags of its parts, and the attributes that were retired.
package struct EncodedEventType: Sendable {
  package let tag: Tag
  package let name: String
  /// The name of the entity that it is about.
  let about: String
  package var attributes: [EncodedAttribute] = []
  var retired: [RetiredAttribute] = []

  /// The event as it was declared.
  var declaration: EventType {
    EventType(name: name, about: about, attributes: attributes.map(\.declaration))
  }
}

extension EncodedEventType {
  /// Assigns tags to the event and its attributes, in their order.
  init(tagging event: EventType, from counter: inout TagCounter) {
    self.init(
      tag: counter.give(), name: event.name, about: event.about,
      attributes: event.attributes.map { EncodedAttribute($0, tag: counter.give()) })
  }
}
