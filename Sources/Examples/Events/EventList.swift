import DaybookMacros
import ExampleSupport

/// The master list: the newest event first, in sections by day.
///
/// It prints each delegate call that it receives.
@MainActor final class EventList {
  private let events: EntityLiveResults<Event>
  private let (finished, finish) = AsyncStream.makeStream(of: Void.self)

  init(_ store: Store) throws {
    events = try store.liveResults(
      of: Event.all.sectioned(by: \.timeStamp, .day, descending: true).sorted(by: \.timeStamp, descending: true))
  }

  /// Follows the store until the task is cancelled.
  func follow() async throws { try await events.results.deliver(to: self) }

  /// Waits until the delegate has received a difference.
  func change() async { for await _ in finished { return } }

  func show() throws {
    for (number, section) in try events.sections.enumerated() {
      print("   [\(section.name)]")
      for row in try events.rows(inSection: number, 0..<section.count) { print("     \(text(row))") }
    }
  }

  private func text(_ event: Stored<Event>) -> String {
    "\(event.timeStamp.description.dropFirst(11).prefix(5)) \(event.title)"
  }

  /// Returns the text of the cell at a path of the new result.
  private func cell(at path: RowPath) -> String {
    do {
      return text(try events.row(at: path))
    } catch {
      return "(\(error))"
    }
  }
}

extension EventList: @MainActor LiveResultsDelegate {
  func resultsWillChange(_ results: LiveResults) { print("   begin updates") }

  func results(_ results: LiveResults, didChange section: SectionChange) {
    switch section {
    case .delete(let index, let name): print("     delete section \(index) [\(name)]")
    case .insert(let index, let name): print("     insert section \(index) [\(name)]")
    }
  }

  func results(_ results: LiveResults, didChange row: RowChange<ObjectID>, causes: [Position]) {
    switch row {
    case .delete(_, let from): print("     delete row \(from)")
    case .insert(_, let to): print("     insert row \(to): \(cell(at: to))")
    case .move(_, let from, let to): print("     move row \(from) to \(to): \(cell(at: to))")
    case .update(_, let from, let to): print("     update row \(from), now \(to): \(cell(at: to))")
    }
  }

  func resultsDidChange(_ results: LiveResults) {
    print("   end updates")
    finish.yield()
  }

  func resultsDidReset(_ results: LiveResults) {
    print("   reload")
    finish.yield()
  }
}

@Entity struct Event {
  @Index var timeStamp: Timestamp
  @Name var title: String
}

extension Event {
  init(_ time: String, _ title: String) { self.init(timeStamp: .at(time), title: title) }
}

extension Timestamp {
  /// Returns a time in March 2026, or the beginning of 1970 for an invalid text.
  static func at(_ text: String) -> Timestamp { Timestamp("2026-03-\(text)") ?? Timestamp(microseconds: 0) }
}
