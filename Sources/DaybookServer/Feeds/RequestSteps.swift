#if Server

import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools

/// The steps of requests: their differences as events, with the objects and totals at their ends.
///
/// Totals are followed like the rows, and walk with them through the past: no view of a position is made for an event. A
/// step in which only a total changes is a difference without rows, because a window shows how many rows are around it.
final class RequestSteps: Sendable {
  private let requests: FollowedRequests
  private let store: Store
  private let poller: FeedPoller<JointChange>
  private let state: Locked<State>

  private struct State {
    /// The position up to which everything was made into steps.
    var position: Position
    /// The end of the last step with events.
    var given: Position
    /// What the last step reported, for each request; `nil` before it is known.
    var totals: [Total?]
  }

  /// The number of all rows of a request, or of each section if these are listed.
  private enum Total: Equatable {
    case rows(Int)
    case sections(SectionCounts)

    var members: [(key: String, value: JSONValue)] {
      switch self {
      case .rows(let count): [("total", .integer(Int64(count)))]
      case .sections(let counts): counts.members
      }
    }
  }

  init(_ requests: FollowedRequests, _ store: Store, from start: Position) {
    self.requests = requests
    self.store = store
    let rows = requests.requests.map { JointRequest.rows(of: $0) }
    let totals = zip(requests.requests, requests.listsCounts).map { request, listsCounts in
      listsCounts ? JointRequest.rows(of: request.unlimited) : .value(.count, of: request.counted)
    }
    poller = FeedPoller(
      store.together(rows + totals, from: FeedCursor(start), granularity: requests.granularity, showing: rows.count))
    state = Locked(State(position: start, given: start, totals: rows.map { _ in nil }))
  }

  var source: StepSource {
    StepSource { [self] in
      try poll()
    } position: { [self] in
      state.withLock { $0.position }
    } wait: { [poller] in
      await poller.wait()
    } wake: { [poller] in
      poller.wake()
    }
  }

  /// One task at a time polls.
  private func poll() throws -> FeedStep? {
    while true {
      let change = try poller.poll()
      let end = change?.to ?? poller.position
      var present = state.withLock { $0 }
      let step = try store.read { reader -> FeedStep? in
        let entities = requests.requests.map(\.entity)
        let renamed = try ShownNames.changed(of: entities, from: present.position, to: end, in: reader.journal)
        guard change != nil || !renamed.isEmpty else { return nil }
        return try self.step(change, to: end, renamed, &present, in: reader)
      }
      present.position = max(present.position, end)
      state.withLock { $0 = present }
      if let step { return step }
      if change == nil { return nil }
    }
  }

  private func step(
    _ change: JointChange?, to end: Position, _ renamed: Set<String>, _ state: inout State,
    in reader: borrowing StoreReader
  ) throws -> FeedStep? {
    let start = change?.from ?? state.position
    var encoder = change?.shown.map { ObjectEncoder($0.model) }
    var events: [FeedEvent] = []
    for (index, request) in requests.requests.enumerated() {
      var rows: ResultsChange?
      if case .rows(let part) = change?.parts[index] {
        rows = try completing(part, of: request, from: state.given, in: reader)
      }
      if rows?.isReset == true || renamed.contains(request.entity) {
        let members: [(key: String, value: JSONValue)] = [("to", end.json), ("reset", true)]
        events.append(FeedEvent(.reset, after: members + requests.number(of: index)))
        events.append(try reader.reading(end) { try requests.state(of: index, in: $0) })
        state.totals[index] = try total(of: index, at: end, in: reader)
        continue
      }
      let (total, isNews) = try total(of: index, after: change, from: start, to: end, state.totals[index], in: reader)
      state.totals[index] = total
      guard rows != nil || isNews else { continue }
      let shown = rows ?? ResultsChange(from: start, to: end, difference: Difference(sections: [], rows: []))
      events.append(difference(shown, index, total, change?.shown, &encoder))
    }
    guard !events.isEmpty else { return nil }
    state.given = end
    return FeedStep(starts: start...start, end: try reader.mark(at: end), events: events)
  }

  /// Returns a change with the causes of the span that it is reported of, where a step before it had no events: the first
  /// value of a total is a step that reports nothing new.
  private func completing(
    _ change: ResultsChange, of request: FetchRequest, from given: Position, in reader: borrowing StoreReader
  ) throws -> ResultsChange {
    guard given < change.from, !change.isReset else { return change }
    let whole = try reader.difference(of: request, from: given, to: change.to)
    return ResultsChange(from: given, to: change.to, difference: change.difference, causes: whole.causes)
  }

  private func difference(
    _ change: ResultsChange, _ index: Int, _ total: Total?, _ shown: ShownObjects?, _ encoder: inout ObjectEncoder?
  ) -> FeedEvent {
    var objects: [(key: String, value: JSONValue)] = []
    for row in change.difference.rows where row.to != nil {
      guard let object = shown?.objects[row.id], var members = encoder?.members(of: object) else { continue }
      if let values = shown?.values(of: row.id, in: requests.requests[index]) {
        members.append(ShownValue.member(values))
      }
      objects.append(("\(row.id)", .object(members)))
    }
    let members = Array((change.json.members ?? []).dropFirst()) + (total?.members ?? []) + requests.number(of: index)
    return FeedEvent(.difference, after: members + [("objects", .object(objects))])
  }
}

/// Totals.
extension RequestSteps {
  /// Returns the total of a request at the end of a step, and whether it is another one than at the start.
  private func total(
    of index: Int, after change: JointChange?, from start: Position, to end: Position, _ known: Total?,
    in reader: borrowing StoreReader
  ) throws -> (total: Total?, isNews: Bool) {
    guard let change else { return (known, false) }
    switch change.parts[requests.requests.count + index] {
    case nil where known != nil: return (known, false)
    case .value(let value):
      guard case .integer(let count) = value.value else { return (known, false) }
      let total = Total.rows(Int(count))
      // The first value belongs to the end. Only where the feed begins before it, the start's is another question.
      let old = try known ?? (start == end ? total : self.total(of: index, at: start, in: reader))
      return (total, total != old)
    case .rows(let part) where !part.isReset:
      guard case .sections(var counts)? = try known ?? self.total(of: index, at: start, in: reader) else {
        return (try self.total(of: index, at: end, in: reader), true)
      }
      let old = counts
      guard counts.apply(part.difference) else { return (try self.total(of: index, at: end, in: reader), true) }
      return (.sections(counts), counts != old)
    default:
      let total = try self.total(of: index, at: end, in: reader)
      return (total, known != nil && total != known)
    }
  }

  /// Counts the rows at a position.
  private func total(of index: Int, at position: Position, in reader: borrowing StoreReader) throws -> Total? {
    let request = requests.requests[index]
    let listsCounts = requests.listsCounts[index]
    guard position > .empty else { return listsCounts ? .sections(SectionCounts([])) : .rows(0) }
    func count(_ reader: borrowing StoreReader) throws -> Total {
      listsCounts
        ? .sections(SectionCounts(try reader.sections(of: request.unlimited.untyped)))
        : .rows(try reader.count(request.counted))
    }
    return try reader.reading(position, count)
  }
}

private extension FetchRequest {
  /// The request for all its rows, in no order.
  var counted: FetchRequest { FetchRequest(entity: entity, filter: filter, timeZone: timeZone) }
}

#endif
