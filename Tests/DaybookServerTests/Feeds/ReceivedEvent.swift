#if Server

import Daybook
import DaybookTestSupport

@testable import DaybookServer

/// A server-sent event as a client reads it.
struct ReceivedEvent {
  let name: String
  let id: String?
  let json: JSONValue

  /// Reads the events of a stream; comments are left out.
  static func all(in text: String) throws -> [ReceivedEvent] {
    var events: [ReceivedEvent] = []
    for block in text.split(separator: "\n\n") where !block.hasPrefix(":") { events.append(try ReceivedEvent(block)) }
    return events
  }

  private init(_ block: Substring) throws {
    var fields: [Substring: Substring] = [:]
    for line in block.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[1].first == " ", fields[parts[0]] == nil else { throw Mismatch("a line “\(line)”") }
      fields[parts[0]] = parts[1].dropFirst()
    }
    guard let name = fields["event"], let data = fields["data"] else { throw Mismatch("no event: “\(block)”") }
    self.name = String(name)
    id = fields["id"].map(String.init)
    json = try JSONValue(parsing: data)
  }

  /// The position in the event's id.
  var position: Position? {
    id.flatMap { FeedCursor($0) }?.position
  }

  /// The value of a difference without the members that `diff` does not have.
  var difference: JSONValue {
    let added: Set = ["total", "objects", "counts", "request"]
    return .object((json.members ?? []).filter { !added.contains($0.key) })
  }
}

#endif
