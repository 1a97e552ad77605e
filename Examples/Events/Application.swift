import ApplicationSupport
import DaybookMacros
import Foundation

/// Events at points in time, in one list and by day, and what a list view receives for every change.
package func application() throws -> Application {
  Application(
    "events", title: "Events", summary: "What happened when, with each change as a list view performs it.",
    model: try Model(Event.self),
    files: [
      "events.js": PackageResources.events_js, "plan-view.js": PackageResources.plan_view_js,
      "swipe.js": PackageResources.swipe_js, "events.css": PackageResources.events_css,
    ],
    lists: [
      NamedList("events", newestFirst),
      NamedList("days") { input in byDay(inTimeZone: try input.text("timezone")) },
    ],
    forms: [Form("event", for: Event.self)],
    actions: [
      Action("add event") { tx, _ in try tx.insert(Event(time: .now, title: "")) },
      Action("delete event") { tx, input in try tx.delete(input.id("object") as Event.ID) },
    ],
    streams: [
      NamedStream("events") { store, _ in try ListController(of: newestFirst, in: store).next },
      NamedStream("days") { store, input in
        try ListController(of: byDay(inTimeZone: input.text("timezone")), in: store).next
      },
    ],
    contents: write)
}

let newestFirst = Event.all.sorted(by: \.time, .descending)

/// The same list by day, as days begin in a time zone.
func byDay(inTimeZone zone: String) -> Request<Record<Event>> {
  Event.all.sectioned(by: \.time, .day, direction: .descending).sorted(by: \.time, .descending).inTimeZone(zone)
}

/// The events of three days.
@Sendable private func write(_ tx: borrowing Transaction) throws {
  let events = [
    ("2026-03-01T18:45:00Z", "Flight"), ("2026-03-02T09:00:00Z", "Stand-up"), ("2026-03-02T12:30:00Z", "Lunch"),
    ("2026-03-02T15:00:00Z", "Review"), ("2026-03-04T10:00:00Z", "Dentist"),
  ]
  for (time, title) in events {
    guard let time = Timestamp(time) else { continue }
    try tx.insert(Event(time: time, title: title))
  }
}

private extension Timestamp {
  static var now: Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }
}
