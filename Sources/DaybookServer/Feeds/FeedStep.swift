#if Server

import Daybook
import DaybookModel
import Hummingbird

/// The events that lead a stream from one position to another, encoded once for all streams.
struct FeedStep: Sendable {
  /// The positions from which the step leads on: between them nothing changed.
  var starts: ClosedRange<Position>
  /// The rows of projections that a stream has before the step; `nil` before there are some.
  var rows: ScopeStamp? = .stored
  /// Where the time counts: what streams have from which the step leads on, one of ``starts`` each; `nil` where it does not.
  var places: [FeedPlace]?
  /// What a stream has after the step.
  let end: FeedCursor
  let events: [FeedEvent]

  /// Returns whether the step is the next one of a stream.
  func leadsOn(from cursor: FeedCursor) -> Bool {
    guard rows == cursor.stamp, starts.contains(cursor.position) else { return false }
    return places?.contains(FeedPlace(cursor)) ?? true
  }

  /// Returns what a stream writes.
  ///
  /// Only the last event has an id: a stream that is cut off within a step resumes before it.
  ///
  /// - Parameter start: The position that the stream stated last.
  func buffers(from start: Position) -> [ByteBuffer] {
    var buffers: [ByteBuffer] = []
    for (number, event) in events.enumerated() {
      let isLast = number == events.count - 1
      buffers.append(ByteBuffer(string: event.beginning(from: start)))
      buffers.append(event.rest)
      buffers.append(ByteBuffer(string: isLast ? "\nid: \(end)\n\n" : "\n\n"))
    }
    return buffers
  }
}

/// A position with the time of the results there, if they depend on the time.
struct FeedPlace: Hashable {
  private let position: Position
  private let time: Timestamp?

  init(_ cursor: FeedCursor) { (position, time) = (cursor.position, cursor.time) }
}

/// A server-sent event.
struct FeedEvent: Sendable {
  enum Kind: String {
    case state, difference, reset, position, commit
  }

  let kind: Kind
  /// Whether the value begins with the position that the stream stated last, which differs among streams.
  private let statesStart: Bool
  /// The JSON of the value in one line, without `{"from": 5` if the event states its start.
  let rest: ByteBuffer

  /// Creates an event with a value in one line.
  init(_ kind: Kind, _ json: [UInt8]) {
    self.kind = kind
    statesStart = false
    rest = ByteBuffer(bytes: json)
  }

  /// Creates an event whose value begins with `from`.
  ///
  /// - Parameter members: The other members.
  init(_ kind: Kind, after members: [(key: String, value: JSONValue)]) {
    self.kind = kind
    statesStart = true
    var json: [UInt8] = []
    JSONValue.object(members).write(to: &json)
    // The members follow `{"from": 5`.
    rest = ByteBuffer(bytes: Array(", ".utf8) + json.dropFirst())
  }

  /// Creates an event whose value begins with `from`.
  ///
  /// - Parameter tail: The JSON of the value after `{"from": 5`.
  init(_ kind: Kind, tail: [UInt8]) {
    self.kind = kind
    statesStart = true
    rest = ByteBuffer(bytes: tail)
  }

  fileprivate func beginning(from start: Position) -> String {
    let line = "event: \(kind.rawValue)\ndata: "
    return statesStart ? line + "{\"from\": \(start)" : line
  }

  /// The memory of the value, in bytes.
  var byteCount: Int { rest.readableBytes }

  /// Returns the last event of a stream that cannot continue: what is wrong, as a problem document.
  ///
  /// It has no id, so the client resumes where it was, after some time.
  static func problem(_ problem: Problem) -> ByteBuffer {
    var json: [UInt8] = []
    problem.json.write(to: &json)
    return ByteBuffer(string: "event: problem\nretry: 10000\ndata: \(String(decoding: json, as: UTF8.self))\n\n")
  }
}

extension FeedStep {
  /// Returns the step that only states a position.
  ///
  /// - Parameter behind: The numbers of commits that projections lack, by name.
  static func position(_ end: FeedCursor, behind: [String: UInt64] = [:]) -> FeedStep {
    var members: [(key: String, value: JSONValue)] = [("position", end.position.json)]
    if !behind.isEmpty {
      let counts = behind.sorted { $0.key < $1.key }
      members.append(("behind", .object(counts.map { ($0.key, .integer(Int64(clamping: $0.value))) })))
    }
    var json: [UInt8] = []
    JSONValue.object(members).write(to: &json)
    return FeedStep(starts: end.position...end.position, end: end, events: [FeedEvent(.position, json)])
  }

  /// The number of differences and commits.
  var changeCount: Int { events.count { $0.kind == .difference || $0.kind == .commit } }

  var byteCount: Int { events.reduce(0) { $0 + $1.byteCount } }
}

#endif
