/// The events of a commit that are decoded or written.
package struct EventSelection {
  /// Returns whether an event is selected, or `nil` if all are.
  private let isSelected: ((EventView) throws(EventFault) -> Bool)?

  /// All events.
  package static var all: EventSelection { EventSelection(nil) }

  /// Selects the events that name an object, as their subject or as an end of their link.
  package static func naming(_ object: ObjectID) -> EventSelection {
    EventSelection { event throws(EventFault) in event.names(object) }
  }

  package init(where isSelected: @escaping (EventView) throws(EventFault) -> Bool) { self.isSelected = isSelected }

  private init(_ isSelected: ((EventView) throws(EventFault) -> Bool)?) { self.isSelected = isSelected }

  var isAll: Bool { isSelected == nil }

  func contains(_ event: EventView) throws(EventFault) -> Bool { try isSelected?(event) ?? true }
}
