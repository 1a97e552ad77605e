import Daybook
import NIOCore

/// What several requests did between two positions, encoded once for all subscribers.
struct FeedStep: Sendable {
  let from: Position
  let mark: CommitMark
  /// The events, in order.
  let events: [Event]

  enum Event: Sendable {
    /// The JSON of a difference without its first member, `from`, which is the subscriber's own position.
    case difference([UInt8])
    case reset(request: Int?, state: [UInt8])
  }

  var to: Position { mark.position }
  /// The number of differences.
  var differenceCount: Int {
    events.count { if case .difference = $0 { true } else { false } }
  }

  /// Returns the bytes for a subscriber that has the state at a position from ``from`` on, and before ``to``.
  ///
  /// Only the last event has an id: a stream that breaks between two of them is resumed before the first.
  func bytes(from position: Position) -> ByteBuffer {
    var buffer = ByteBuffer()
    for (index, event) in events.enumerated() {
      let mark = index == events.count - 1 ? mark : nil
      switch event {
      case .difference(let rest):
        var part = EventText.event("difference", id: mark, Array("{\"from\": \(position), ".utf8) + rest)
        buffer.writeBuffer(&part)
      case .reset(let request, let state):
        let member = request.map { "\"request\": \($0), " } ?? ""
        let text = "{\(member)\"from\": \(position), \"to\": \(to), \"reset\": true}"
        var reset = EventText.event("reset", id: nil, Array(text.utf8))
        var state = EventText.event("state", id: mark, state)
        buffer.writeBuffer(&reset)
        buffer.writeBuffer(&state)
      }
    }
    return buffer
  }
}
