import DaybookModel
import NIOCore

/// The text of server-sent events, as the HTML standard defines it (9.2.5, "Interpreting an event stream").
enum EventText {
  /// Returns the bytes of an event; JSON values have no line ends, so the data are one line.
  ///
  /// - Parameter mark: The id, from which a stream resumes; `nil` for an event between two positions.
  static func event(_ name: String, id mark: CommitMark?, _ data: [UInt8]) -> ByteBuffer {
    var bytes: [UInt8] = []
    if let mark { bytes += "id: \(mark)\n".utf8 }
    bytes += "event: \(name)\ndata: ".utf8
    bytes += data
    bytes += "\n\n".utf8
    return ByteBuffer(bytes: bytes)
  }

  static func event(_ name: String, id mark: CommitMark?, _ value: JSONValue) -> ByteBuffer {
    var bytes: [UInt8] = []
    value.write(to: &bytes)
    return event(name, id: mark, bytes)
  }

  /// A line that is no event; proxies see that the stream is alive.
  static let comment = ByteBuffer(string: ": alive\n\n")
}
