import DaybookTestSupport

@testable import Daybook
@testable import DaybookRuntime

/// A consumer of the changes of derived rows, which keeps the rows by ids and a cursor.
final class DerivedFollower {
  private let request: Request<StoredObject>
  /// A request for stored objects that is followed in step with the rows.
  private let other: Request<StoredObject>?
  private let granularity: ChangeGranularity
  private var poller: FeedPoller<JointChange>?
  private var cursor = FeedCursor.start
  private var kept: [SectionedIDs<ObjectID>]
  private(set) var resetCount = 0
  private(set) var changeCount = 0

  init(_ request: Request<StoredObject>, together other: Request<StoredObject>?, granularity: ChangeGranularity) {
    (self.request, self.other, self.granularity) = (request, other, granularity)
    // A result without sections has one, without a name, also while it has no rows.
    kept = ([request] + (other.map { [$0] } ?? [])).map {
      $0.fetch.section == nil ? SectionedIDs(unsectioned: []) : SectionedIDs(sections: [])
    }
  }

  /// Ends the feed; the next one resumes from the saved cursor.
  func stop() { poller = nil }

  private var requests: [FetchRequest] { [request.fetch] + (other.map { [$0.fetch] } ?? []) }

  /// Receives all changes, and compares the rows after each one.
  func follow(_ store: Store) throws {
    if poller == nil {
      guard let saved = FeedCursor(cursor.description), saved == cursor else { throw Mismatch("\(cursor) is not read") }
      poller = FeedPoller(store.together(requests.map(JointRequest.rows), from: saved, granularity: granularity))
    }
    while let step = try poller?.poll() {
      changeCount += 1
      for (number, request) in requests.enumerated() {
        guard let change = step.change(of: request) else { continue }
        guard change.from == step.from, change.to == step.to else { throw Mismatch("\(change) is not of \(step)") }
        if change.isReset {
          resetCount += 1
          kept[number] = try store.read { try $0.ids(of: request, at: step.to) }
        } else {
          kept[number] = try kept[number].applying(change.difference)
        }
      }
      for (number, request) in requests.enumerated() {
        let rows = try store.read { try $0.ids(of: request, at: step.to) }
        guard rows == kept[number] else {
          throw Mismatch("after \(step.from) to \(step.to): \(kept[number]), not \(rows)")
        }
      }
      cursor = try store.keeper.read(in: store.read { try $0.scope(of: requests.map(\.entity)) }) {
        try $0.cursor(at: step.to)
      }
    }
  }
}
