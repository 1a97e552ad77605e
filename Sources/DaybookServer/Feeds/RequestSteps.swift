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
  private let state: Locked<State>

  private struct State {
    let poller: FeedPoller<JointChange>
    /// What a stream has that received all steps.
    var cursor: FeedCursor
    /// The end of the last step with events.
    var given: Position
    /// What the last step reported, for each request; `nil` before it is known.
    var totals: [Total?]

    init(_ followed: FollowedRequests, _ store: Store, from start: FeedCursor) {
      let rows = followed.requests.map { JointRequest.rows(of: $0) }
      let counted = zip(followed.requests, followed.listsCounts).map { request, listsCounts in
        listsCounts ? JointRequest.rows(of: request.unlimited) : .value(.count, of: request.counted)
      }
      poller = FeedPoller(
        store.together(rows + counted, from: start, granularity: followed.granularity, showing: rows.count))
      (cursor, given) = (start, start.position)
      totals = rows.map { _ in nil }
    }
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

  init(_ requests: FollowedRequests, _ store: Store, from start: FeedCursor) {
    self.requests = requests
    self.store = store
    state = Locked(State(requests, store, from: start))
  }

  private var poller: FeedPoller<JointChange> { state.withLock { $0.poller } }

  var source: StepSource {
    StepSource { [self] in
      try poll()
    } cursor: { [self] in
      state.withLock { $0.cursor }
    } wait: { [self] in
      await poller.wait()
    } wake: { [self] in
      poller.wake()
    }
  }

  /// One task at a time polls.
  private func poll() throws -> FeedStep? {
    while true {
      var present = state.withLock { $0 }
      let change = try present.poller.poll()
      let end = change?.cursor ?? present.poller.cursor
      let step = try store.read { head in
        try head.reading(requests.entities) { reader -> FeedStep? in
          let renamed = try ShownNames.changed(
            of: requests.entities, from: present.cursor.position, to: end.position, in: reader.journal)
          guard change != nil || !renamed.isEmpty else { return nil }
          // The rows were replaced after the change was computed, so that it cannot be completed from them.
          if end.stamp != reader.stamp { return try restarting(&present, in: reader) }
          return try self.step(change, to: end, renamed, &present, in: reader)
        }
      }
      if step == nil { present.cursor = end }
      state.withLock { $0 = present }
      if let step { return step }
      if change == nil { return nil }
    }
  }

  /// Begins with the whole results of a reader.
  private func restarting(_ state: inout State, in reader: borrowing StoreReader) throws -> FeedStep {
    let end = try reader.cursor(at: reader.position, time: requests.readTime ? reader.now() : nil)
    let requests = requests.at(end.time)
    state = State(self.requests, store, from: end)
    var events: [FeedEvent] = []
    for index in requests.requests.indices {
      events += [reset(of: index, to: end.position), try requests.state(of: index, in: reader)]
    }
    return FeedStep(starts: end.position...end.position, end: end, events: events)
  }

  private func reset(of index: Int, to end: Position) -> FeedEvent {
    FeedEvent(.reset, after: [("to", end.json), ("reset", true)] + requests.number(of: index))
  }

  private func step(
    _ change: JointChange?, to cursor: FeedCursor, _ renamed: Set<String>, _ state: inout State,
    in reader: borrowing StoreReader
  ) throws -> FeedStep? {
    let end = cursor.position
    let start = change?.from ?? state.cursor.position
    let times = (
      start: requests.readTime ? try state.cursor.time ?? reader.recordedTime(of: start) : nil, end: cursor.time
    )
    var encoder = change?.shown.map { ObjectEncoder($0.model) }
    var events: [FeedEvent] = []
    for (index, request) in requests.requests.enumerated() {
      var rows: ResultsChange?
      if case .rows(let part) = change?.parts[index] {
        rows = try completing(part, of: request, from: state.given, in: reader)
      }
      // Groups are shown under the names of their request.
      if rows?.isReset == true || request.grouping == nil && renamed.contains(request.entity) {
        events.append(reset(of: index, to: end))
        events.append(try reader.reading(end) { try requests.at(times.end).state(of: index, in: $0) })
        state.totals[index] = try total(of: index, at: end, times.end, in: reader)
        continue
      }
      let (total, isNews) = try total(
        of: index, after: change, from: start, to: end, times, state.totals[index], in: reader)
      state.totals[index] = total
      guard rows != nil || isNews else { continue }
      let shown = rows ?? ResultsChange(from: start, to: end, difference: Difference(sections: [], rows: []))
      events.append(difference(shown, index, total, change?.shown, &encoder))
    }
    guard !events.isEmpty else { return nil }
    state.given = end
    state.cursor = try reader.completed(cursor)
    return FeedStep(starts: start...start, end: state.cursor, events: events)
  }

  /// Returns a change with the causes of the span that it is reported of, where a step before it had no events: the first
  /// value of a total is a step that reports nothing new.
  private func completing(
    _ change: ResultsChange, of request: FetchRequest, from given: Position, in reader: borrowing StoreReader
  ) throws -> ResultsChange {
    guard given < change.from, !change.isReset else { return change }
    let whole = try reader.difference(of: request, from: given, to: change.to)
    return ResultsChange(
      from: given, to: change.to, difference: change.difference,
      causes: change.causes.merging(whole.causes) { $1.isEmpty ? $0 : $1 }, keys: change.keys)
  }

  private func difference(
    _ change: ResultsChange, _ index: Int, _ total: Total?, _ shown: ShownObjects?, _ encoder: inout ObjectEncoder?
  ) -> FeedEvent {
    var objects: [(key: String, value: JSONValue)] = []
    for row in change.difference.rows where row.to != nil {
      guard let object = shown?.object(row.id, in: requests.requests[index]), var members = encoder?.members(of: object)
      else { continue }
      if let values = shown?.values(of: row.id, in: requests.requests[index]) {
        members.append(ShownValue.member(values))
      }
      objects.append((change.name(of: row.id), .object(members)))
    }
    let members = Array((change.json.members ?? []).dropFirst()) + (total?.members ?? []) + requests.number(of: index)
    return FeedEvent(.difference, after: members + [("objects", .object(objects))])
  }
}

/// Totals.
extension RequestSteps {
  /// Returns the total of a request at the end of a step, and whether it is another one than at the start.
  private func total(
    of index: Int, after change: JointChange?, from start: Position, to end: Position,
    _ times: (start: Timestamp?, end: Timestamp?), _ known: Total?, in reader: borrowing StoreReader
  ) throws -> (total: Total?, isNews: Bool) {
    guard let change else { return (known, false) }
    switch change.parts[requests.requests.count + index] {
    case nil where known != nil: return (known, false)
    case .value(let value):
      guard case .integer(let count) = value.value else { return (known, false) }
      let total = Total.rows(Int(count))
      // The first value belongs to the end. Only where the feed begins before it, the start's is another question.
      let old = try known ?? (start == end ? total : self.total(of: index, at: start, times.start, in: reader))
      return (total, total != old)
    case .rows(let part) where !part.isReset:
      guard case .sections(var counts)? = try known ?? self.total(of: index, at: start, times.start, in: reader) else {
        return (try self.total(of: index, at: end, times.end, in: reader), true)
      }
      let old = counts
      guard counts.apply(part.difference) else {
        return (try self.total(of: index, at: end, times.end, in: reader), true)
      }
      return (.sections(counts), counts != old)
    default:
      let total = try self.total(of: index, at: end, times.end, in: reader)
      return (total, known != nil && total != known)
    }
  }

  /// Counts the rows at a position.
  ///
  /// - Parameter time: The time at which they are counted, if the request reads the time.
  private func total(
    of index: Int, at position: Position, _ time: Timestamp?, in reader: borrowing StoreReader
  ) throws -> Total? {
    let request = requests.at(time).requests[index]
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
  var counted: FetchRequest {
    FetchRequest(entity: entity, filter: filter, timeZone: timeZone, grouping: grouping, isExact: isExact).at(now)
  }
}

#endif
