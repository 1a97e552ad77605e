import Daybook
import DaybookModel
import DaybookQuery
import DaybookTools

/// Requests that a stream follows in lock-step: one, or several with an index in each event.
struct FollowedRequests: Hashable, Sendable {
  let requests: [FetchRequest]
  /// Whether events state the index of their request.
  let isNumbered: Bool
  /// For each request, whether events list all its sections with their numbers of rows.
  let listsCounts: [Bool]
  let isStepwise: Bool

  /// Returns the steps from a position on.
  func source(_ store: Store, from start: Position) -> StepSource {
    let encoder = DifferenceEncoder(self, store)
    let feed = store.together(requests.map { .rows(of: $0) }, from: start, everyCommit: isStepwise)
    return StepSource(feed) { try encoder.step($0) }
  }

  /// Returns the state of each request at a reader's position.
  func state(in reader: borrowing StoreReader) throws -> [FeedEvent] {
    var events: [FeedEvent] = []
    for index in requests.indices { events.append(try state(of: index, in: reader)) }
    return events
  }

  /// Returns the state of one request at a reader's position.
  func state(of index: Int, in reader: borrowing StoreReader) throws -> FeedEvent {
    var json = try ResultEncoding(requests[index], hasCounts: listsCounts[index]).bytes(reader)
    for member in number(of: index) {
      json.removeLast()
      json += ", \"\(member.key)\": \(member.value.text)}".utf8
    }
    return FeedEvent(.state, json)
  }

  /// Returns the index of a request, as a member of its events.
  func number(of index: Int) -> [(key: String, value: JSONValue)] {
    isNumbered ? [("request", .integer(Int64(index)))] : []
  }
}

/// The number of all rows of a request, without limit and offset, and of each section if these are listed.
struct RequestTotal {
  let members: [(key: String, value: JSONValue)]

  init(members: [(key: String, value: JSONValue)]) {
    self.members = members
  }

  /// - Parameters:
  ///   - results: The whole result, at the position in question.
  ///   - listsSections: Whether the sections are listed.
  init(_ results: LiveResults, listsSections: Bool) throws {
    let sections = try results.sections.map { (name: $0.name, count: $0.count) }
    let total: (key: String, value: JSONValue) = ("total", .integer(Int64(sections.reduce(0) { $0 + $1.count })))
    let counts = sections.map { JSONValue.object([("name", .string($0.name)), ("count", .integer(Int64($0.count)))]) }
    members = listsSections ? [total, ("counts", .array(counts))] : [total]
  }
}
