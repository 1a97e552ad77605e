#if Server

import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools

/// Requests that a stream follows in lock-step: one, or several with an index in each event.
struct FollowedRequests: Hashable, Sendable {
  private(set) var requests: [FetchRequest]
  /// Whether events state the index of their request.
  let isNumbered: Bool
  /// For each request, whether events list all its sections with their numbers of rows.
  let listsCounts: [Bool]
  let granularity: ChangeGranularity

  var entities: [String] { requests.map(\.entity) }

  /// Whether the results depend on the time.
  var readTime: Bool { requests.contains(where: \.mayReadTime) }

  /// Returns the requests as they are read at a time.
  func at(_ time: Timestamp?) -> FollowedRequests {
    guard time != nil else { return self }
    var timed = self
    timed.requests = requests.map { $0.mayReadTime ? $0.at(time) : $0 }
    return timed
  }

  /// Returns the steps from a cursor on.
  func source(_ store: Store, from start: FeedCursor) -> StepSource {
    RequestSteps(self, store, from: start).source
  }

  /// Returns the state of each request at a reader's position.
  func state(in reader: borrowing StoreReader) throws -> [FeedEvent] {
    var events: [FeedEvent] = []
    for index in requests.indices { events.append(try state(of: index, in: reader)) }
    return events
  }

  /// Returns the state of one request at a reader's position.
  func state(of index: Int, in reader: borrowing StoreReader) throws -> FeedEvent {
    let encoding = ResultEncoding(requests[index], hasCounts: listsCounts[index])
    return FeedEvent(.state, try encoding.bytes(reader, followedBy: number(of: index)))
  }

  /// Returns the index of a request, as a member of its events.
  func number(of index: Int) -> [(key: String, value: JSONValue)] {
    isNumbered ? [("request", .integer(Int64(index)))] : []
  }
}

#endif
