import ApplicationSupport
import DaybookMacros
import DaybookTestSupport
import Testing

@testable import Events

/// The events: each kind of change as the calls of a delegate, and as what a view performs.
@Suite(.hangLimit) struct EventsTests {
  private func withEvents(_ body: (Store, ListController, [String: Events.Event.ID]) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let store = try Events.application().openStore(in: directory.path, options: TestJournal.options())
    let controller = try ListController(of: byDay(inTimeZone: "UTC"), in: store)
    let rows = try store.fetch(newestFirst).rows
    try body(store, controller, Dictionary(uniqueKeysWithValues: rows.map { ($0.title, $0.id) }))
    try closeAndVerify(store)
  }

  private func time(_ text: String) throws -> Timestamp { try #require(Timestamp("2026-03-\(text):00Z")) }

  @Test func theFirstReportHasAllSections() throws {
    try withEvents { _, controller, _ in
      let report = try #require(try controller.next())
      #expect(report.calls.isEmpty && report.steps.isEmpty)
      #expect(report.sections?.map(\.name) == ["2026-03-04", "2026-03-02", "2026-03-01"])
      #expect(report.sections?.flatMap(\.rows).map(\.title) == ["Dentist", "Review", "Lunch", "Stand-up", "Flight"])
      #expect(try controller.next() == nil)
    }
  }

  @Test func eachKindOfChangeIsACall() throws {
    try withEvents { store, controller, events in
      _ = try controller.next()
      let (lunch, dentist) = (try #require(events["Lunch"]), try #require(events["Dentist"]))
      func calls(_ body: (borrowing Transaction) throws -> Void) throws -> [String] {
        try store.write(body)
        let calls = try #require(try controller.next()).calls
        #expect(calls.first == "begin updates" && calls.last == "end updates")
        return Array(calls.dropFirst().dropLast())
      }
      #expect(try calls { try $0.rename(lunch, to: "Lunch with Noor") } == ["update row [1, 1], now [1, 1]"])
      let early = try time("02T08:30")
      #expect(try calls { try $0.set(lunch, \.time, early) } == ["move row [1, 1] to [1, 2]"])
      let other = try time("03T10:00")
      #expect(
        try calls { try $0.set(dentist, \.time, other) }
          == ["delete section 0 [2026-03-04]", "insert section 0 [2026-03-03]", "move row [0, 0] to [0, 0]"])
      #expect(try calls { try $0.delete(dentist) } == ["delete section 0 [2026-03-03]", "delete row [0, 0]"])
      let evening = try time("02T20:00")
      #expect(
        try calls { try $0.insert(Events.Event(time: evening, title: "Dinner")) } == ["insert row [0, 0]"])
    }
  }

  /// The view plan splits a move out of a deleted section, and the view asks for the rows of a new one itself.
  @Test func aMoveBetweenSectionsThatComeAndGoIsPerformedByThem() throws {
    try withEvents { store, controller, events in
      _ = try controller.next()
      let dentist = try #require(events["Dentist"])
      let other = try time("03T10:00")
      try store.write { try $0.set(dentist, \.time, other) }
      let report = try #require(try controller.next())
      #expect(report.steps.map(\.change) == ["delete section", "insert section"])
      #expect(report.steps[1].section?.rows.map(\.title) == ["Dentist"])
    }
  }
}
