#if JetStream

import DaybookEngine
import DaybookModel
import Foundation

/// The answer of a server that was asked for a message.
///
/// The NATS project publishes the schema of its form, `io.nats.jetstream.api.v1.stream_msg_get_response`.
enum EncodedMessage {
  /// The number of the error of a stream that has no such message.
  private static let noMessageFound: Int64 = 10_037

  /// Returns the bytes of the message, or `nil` if the stream does not have it.
  ///
  /// - Throws: ``StreamUnavailable`` if the answer does not show whether the stream has it.
  static func bytes(in answer: [UInt8], _ number: UInt64) throws -> [UInt8]? {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: answer)
    } catch {
      throw StreamUnavailable("a server answered something else than JSON")
    }
    if let error = value["error"] {
      if error["err_code"]?.integerValue == noMessageFound { return nil }
      throw StreamUnavailable(error["description"]?.stringValue ?? "a server answered with an error")
    }
    guard let message = value["message"], message["seq"]?.integerValue == Int64(exactly: number) else {
      throw StreamUnavailable("a server answered without message \(number)")
    }
    // An empty message has no data.
    guard let text = message["data"]?.stringValue else { return [] }
    guard let data = Data(base64Encoded: text) else {
      throw StreamUnavailable("a server answered with data that is not in base 64")
    }
    return Array(data)
  }
}

#endif
