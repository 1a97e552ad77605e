import Daybook
import DaybookModel
import DaybookTools

/// Encodes states and steps of the requests that one stream follows together.
struct FeedEncoding: Sendable {
  let requests: [FetchRequest]
  let hasCounts: Bool
  /// Whether events name the request that they belong to.
  let isJoint: Bool

  /// What is followed: the rows of each request, and the number of all its rows while there is room for it.
  var followed: [JointRequest] {
    let rows = requests.map { JointRequest.rows(of: $0) }
    let counts = requests.map { JointRequest.value(.count, of: $0.unlimited) }
    return rows.count + counts.count <= JointRequest.maximumCount ? rows + counts : rows
  }

  /// Returns the state of a request as the data of an event.
  func state(of number: Int, _ reader: borrowing StoreReader) throws -> [UInt8] {
    let bytes = try ResultEncoding(requests[number], hasCounts: hasCounts).bytes(reader) {}
    guard isJoint else { return bytes }
    return Array("{\"request\": \(number), ".utf8) + bytes.dropFirst()
  }

  /// Encodes a step.
  ///
  /// - Parameter reader: Reads the position to which the step leads.
  func step(_ change: JointChange, mark: CommitMark, _ reader: borrowing StoreReader) throws -> FeedStep {
    var events: [FeedStep.Event] = []
    for (number, request) in requests.enumerated() {
      guard case .rows(let rows) = change.parts[number] else { continue }
      if rows.isReset {
        events.append(.reset(request: isJoint ? number : nil, state: try state(of: number, reader)))
      } else {
        let value = change.parts.count > requests.count ? change.parts[requests.count + number] : nil
        events.append(.difference(try difference(rows, number, request, total: value, reader)))
      }
    }
    return FeedStep(from: change.from, mark: mark, events: events)
  }

  /// Encodes a difference of one request, without its first member.
  func difference(
    _ change: ResultsChange, _ number: Int, _ request: FetchRequest, total: JointChange.Part?,
    _ reader: borrowing StoreReader
  ) throws -> [UInt8] {
    var members = change.json.members ?? []
    members.removeFirst()
    if isJoint { members.insert(("request", .integer(Int64(number))), at: 0) }
    if !hasCounts, case .value(let value) = total, case .integer(let count) = value.value {
      members.append(("total", .integer(count)))
    } else {
      members += try ResultEncoding(request, hasCounts: hasCounts).totals(reader)
    }
    var encoder = ObjectEncoder(reader.resolvedModel)
    var objects: [(key: String, value: JSONValue)] = []
    for row in change.difference.rows {
      if case .delete = row { continue }
      if let object = try reader.get(row.id) {
        objects.append((row.id.description, .object(encoder.members(of: object))))
      }
    }
    members.append(("objects", .object(objects)))
    var bytes: [UInt8] = []
    JSONValue.object(members).write(to: &bytes)
    return Array(bytes.dropFirst())
  }
}
