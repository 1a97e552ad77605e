import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools

/// Encodes the differences of requests as events, with the objects and totals at their ends.
final class DifferenceEncoder: Sendable {
  private let requests: FollowedRequests
  private let store: Store
  /// The whole result of each request, from which totals are read at the head without counting rows again.
  private let wholes = Locked<[LiveResults]?>(nil)

  init(_ requests: FollowedRequests, _ store: Store) {
    self.requests = requests
    self.store = store
  }

  func step(_ change: JointChange) throws -> FeedStep {
    let wholes = try wholeResults()
    return try store.read(at: change.to) { reader in
      var encoder = ObjectEncoder(reader.resolvedModel)
      var events: [FeedEvent] = []
      for (index, part) in change.parts.enumerated() {
        guard case .rows(let rows) = part else { continue }
        if rows.isReset {
          let members = Array((rows.json.members ?? []).dropFirst())
          events.append(FeedEvent(.reset, after: members + requests.number(of: index)))
          events.append(try requests.state(of: index, in: reader))
        } else {
          let total = try total(of: index, wholes[index], in: reader)
          events.append(try difference(rows, index, total, &encoder, in: reader))
        }
      }
      return FeedStep(
        starts: change.from...change.from, end: try reader.mark(at: change.to), events: events)
    }
  }

  private func difference(
    _ change: ResultsChange, _ index: Int, _ total: RequestTotal, _ encoder: inout ObjectEncoder,
    in reader: borrowing StoreReader
  ) throws -> FeedEvent {
    var objects: [(key: String, value: JSONValue)] = []
    for row in change.difference.rows where row.to != nil {
      guard let object = try reader.get(row.id) else { continue }
      objects.append(("\(row.id)", .object(encoder.members(of: object))))
    }
    let members = Array((change.json.members ?? []).dropFirst()) + total.members + requests.number(of: index)
    return FeedEvent(.difference, after: members + [("objects", .object(objects))])
  }

  /// Returns the total at a reader's position.
  private func total(
    of index: Int, _ whole: LiveResults, in reader: borrowing StoreReader
  ) throws -> RequestTotal {
    try whole.update()
    if whole.position == reader.position {
      let sections = try whole.sections
      let total =
        requests.listsCounts[index] ? RequestTotal(sections) : RequestTotal(sections.reduce(0) { $0 + $1.count })
      // Another step may have moved the results meanwhile.
      if whole.position == reader.position { return total }
    }
    return try ResultEncoding(requests.requests[index], hasCounts: requests.listsCounts[index]).total(reader)
  }

  private func wholeResults() throws -> [LiveResults] {
    try wholes.withLock { wholes in
      if let wholes { return wholes }
      let made = try requests.requests.map { try store.liveResults(of: $0.unlimited) }
      wholes = made
      return made
    }
  }
}
